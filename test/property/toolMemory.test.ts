import assert from 'node:assert/strict';
import fc from 'fast-check';
import { endOfConversation } from '../../src/engine/chat/transcript.js';
import type { SentMessage } from '../../src/engine/chat/message/message.js';
import type { TimelineItem } from '../../src/engine/chat/timeline.js';
import { turnMap } from '../../src/engine/chat/turns.js';
import { LAYOUTS } from '../../src/engine/request/layout/layouts.js';
import { NOTHING_SENT } from '../../src/engine/request/layout/situation.js';
import { forgottenReplies, type ToolMemory } from '../../src/engine/request/toolMemory.js';
import { depth } from '../support/depth.mjs';
import { assistant, call, result, results, text, user } from '../support/engine/messages.js';
import { OPEN_MODEL, STRICT_MODEL, TOOLLESS_MODEL } from '../support/engine/models.js';
import { anyTranscript } from '../support/engine/randomTranscript.js';
import { PLAIN, RecordedChat, wireOf, type Sent } from '../support/engine/requests.js';
import { situationAfter } from '../support/engine/situations.js';
import { anyMemory, memoryOf } from '../support/engine/toolMemories.js';
import { sha256 } from '../support/engine/ports.js';
import { blocksOf } from '../support/engine/wireRules.js';

const RELAYOUT_RUNS = depth({ short: 150, deep: 1_500 });
const MINUTE = 60_000;

/** A turn: rounds of calls with optional text, user messages between them, and the length of its conclusion. */
const anyTurn = fc.record({
  rounds: fc.array(fc.record({ calls: fc.integer({ min: 1, max: 2 }), speaks: fc.boolean(), interrupts: fc.nat(5).map((n) => n === 0) }), {
    maxLength: 3,
  }),
  length: fc.constantFrom(1, 40, 400),
  idleMs: fc.constantFrom(1_000, MINUTE, MINUTE, 90 * MINUTE),
  isRelaidOut: fc.nat(9).map((n) => n === 0),
});

const anyTurns = fc.array(anyTurn, { minLength: 1, maxLength: 7 });
const anyTurnsToRemember = fc.constantFrom<NonNullable<ToolMemory['forgetAfterConclusions']>[]>(0, 1, 2);

type Turn = typeof anyTurn extends fc.Arbitrary<infer T> ? T : never;

/** A request of a chat with tools: the messages so far, and the turns of its replies. */
interface Asked extends Pick<Turn, 'idleMs' | 'isRelaidOut'> {
  readonly messages: readonly SentMessage[];
  readonly turn: number;
}

/** All requests for replies in order. Messages are named by turn: `s3-0` calls tools in turn 3. */
function requestsOf(turns: readonly Turn[]): Asked[] {
  const asked: Asked[] = [];
  const said: SentMessage[] = [];
  for (const [at, { rounds, length, idleMs, isRelaidOut }] of turns.entries()) {
    said.push(user(`u${at}`, 'Go on.'));
    asked.push({ messages: [...said], turn: at, idleMs, isRelaidOut });
    for (const [round, { calls, speaks, interrupts }] of rounds.entries()) {
      const ids = Array.from({ length: calls }, (_, index) => `c${at}-${round}-${index}`);
      said.push(assistant(`s${at}-${round}`, ...(speaks ? ['I look.'] : []), ...ids.map((id) => call(id, {}))));
      said.push(results(`r${at}-${round}`, ...ids.map((id) => result(id, text('Found. '.repeat(10))))));
      if (interrupts) {
        said.push(user(`v${at}-${round}`, 'Also this.'));
      }
      asked.push({ messages: [...said], turn: at, idleMs: 1_000, isRelaidOut: false });
    }
    said.push(assistant(`a${at}`, 'Done. '.repeat(length)));
  }
  return asked;
}

function callsIn({ prompt }: Sent): ReadonlyMap<string, number> {
  const held = blocksOf(prompt).flatMap(({ key, part }) =>
    part.type === 'toolCall' ? [/(?<id>s(?<turn>\d+)-\d+)/.exec(key)!.groups!] : [],
  );
  return new Map(held.map(({ id, turn }) => [id!, Number(turn)]));
}

function answersIn({ prompt }: Sent): number {
  return blocksOf(prompt).filter(({ part }) => part.type === 'toolResult').length;
}

function callCount({ prompt }: Sent): number {
  return blocksOf(prompt).filter(({ part }) => part.type === 'toolCall').length;
}

function callers(messages: readonly SentMessage[]): string[] {
  return messages.filter(({ id }) => id.startsWith('s')).map(({ id }) => id);
}

function turnOf(id: string): number {
  return Number(/\d+/.exec(id)![0]);
}

function memory(turns: ToolMemory['forgetAfterConclusions']): ToolMemory {
  return { forgetAfterConclusions: turns, pinned: new Set() };
}

describe('the tool memory of any chat', () => {
  it('forgets calls at exactly the set turn in the layouts plain, message-70 and tiered, and in adaptive where that is to be at once', () => {
    const layouts = [LAYOUTS.plain, LAYOUTS['message-70'], LAYOUTS.tiered, LAYOUTS.adaptive];
    fc.assert(
      fc.property(anyTurns, anyTurnsToRemember, fc.constantFrom(...layouts), (turns, remembered, layout) => {
        const chat = new RecordedChat();
        for (const { messages, turn, idleMs, isRelaidOut } of requestsOf(turns)) {
          const layoutOptions = { ...PLAIN.layoutOptions, toolsLeave: 'now' } as const;
          const situation = situationAfter(chat, idleMs);
          const sent = chat.send({ layout, layoutOptions, situation, messages, toolMemory: memory(remembered), mustRebuild: isRelaidOut });
          const expected = callers(messages).filter((id) => turn - turnOf(id) <= remembered);
          assert.deepEqual([...callsIn(sent).keys()], expected);
          assert.equal(answersIn(sent), callCount(sent));
        }
      }),
      { numRuns: depth({ short: 60, deep: 1_500 }) },
    );
  });

  it('lets them wait for a relayout in the layout adaptive: none goes too early, none comes back, and a relayout takes all', () => {
    let [waiting, gone] = [0, 0];
    fc.assert(
      fc.property(anyTurns, anyTurnsToRemember, (turns, remembered) => {
        const chat = new RecordedChat();
        let left = new Set<string>();
        for (const { messages, turn, idleMs, isRelaidOut } of requestsOf(turns)) {
          const content = { layout: LAYOUTS.adaptive, situation: situationAfter(chat, idleMs), messages };
          const sent = chat.send({ ...content, toolMemory: memory(remembered), mustRebuild: isRelaidOut });
          const held = callsIn(sent);
          const forgotten = callers(messages).filter((id) => turn - turnOf(id) > remembered);
          const carried = forgotten.filter((id) => held.has(id));
          assert.deepEqual(
            callers(messages).filter((id) => !held.has(id)),
            forgotten.filter((id) => !held.has(id)),
          );
          const back = carried.filter((id) => left.has(id));
          assert.deepEqual(back, []);
          assert.deepEqual(isRelaidOut ? carried : [], []);
          const marked = blocksOf(sent.prompt).filter(({ form }) => form === 'carried');
          assert.equal(new Set(marked.map(({ key }) => /[sr](?<name>\d+-\d+)/.exec(key)!.groups!['name'])).size, carried.length);
          left = new Set(forgotten.filter((id) => !held.has(id)));
          waiting += carried.length;
          gone += left.size;
        }
      }),
      { numRuns: RELAYOUT_RUNS },
    );
    assert.ok(waiting > RELAYOUT_RUNS && gone > RELAYOUT_RUNS, `${waiting} calls waited, ${gone} were gone`);
  });

  it('is the same for the loaded end of a chat as for the whole', () => {
    fc.assert(
      fc.property(anyTranscript, anyMemory, fc.boolean(), fc.nat(400), (messages, drawn, isInterlude, characters) => {
        const timeline = messages.map((message): TimelineItem => ({ kind: 'message', message, runId: null, at: 0 }));
        const end = endOfConversation(timeline, characters).flatMap((item) =>
          item.kind === 'message' ? [item.message as SentMessage] : [],
        );
        const { toolMemory } = memoryOf(drawn, messages);
        const ids = new Set(end.map(({ id }) => id));
        const ofWhole = [...forgottenReplies(messages, toolMemory, isInterlude)].filter((id) => ids.has(id));
        assert.deepEqual([...forgottenReplies(end, toolMemory, isInterlude)], ofWhole);
        const [whole, ofEnd] = [turnMap(messages), turnMap(end)];
        const distance = (turns: readonly number[], current: number): number[] => turns.map((turn) => current - turn);
        assert.deepEqual(distance(ofEnd.turns, ofEnd.current), distance(whole.turns, whole.current).slice(messages.length - end.length));
      }),
      { numRuns: depth({ short: 200, deep: 5_000 }) },
    );
  });

  it('goes on with the same requests in a chat that is loaded, and each is rebuilt byte for byte', async () => {
    const models = fc.constantFrom(OPEN_MODEL, STRICT_MODEL, TOOLLESS_MODEL);
    const layouts = fc.constantFrom(...Object.values(LAYOUTS));
    await fc.assert(
      fc.asyncProperty(anyTurns, anyTurnsToRemember, models, layouts, async (turns, remembered, model, layout) => {
        const kept = new RecordedChat();
        let loaded = new RecordedChat();
        for (const { messages, idleMs, isRelaidOut } of requestsOf(turns)) {
          const send = (chat: RecordedChat): Sent => {
            const situation = chat.attempts.size === 0 ? NOTHING_SENT : situationAfter(chat, idleMs);
            return chat.send({ layout, model, situation, messages, toolMemory: memory(remembered), mustRebuild: isRelaidOut });
          };
          const sent = send(kept);
          loaded = loaded.loaded();
          assert.deepEqual(send(loaded).prompt, sent.prompt);
          const rebuilt = await kept.rebuild(sent.attempt);
          assert.deepEqual(rebuilt, sent.prompt);
          assert.equal(sha256(wireOf(rebuilt).body), sent.attempt.manifest.bodyHash);
        }
      }),
      { numRuns: depth({ short: 15, deep: 300 }) },
    );
  }).timeout(60_000);
});
