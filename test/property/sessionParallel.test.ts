import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AssistantPart } from '../../src/engine/model/part.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { depth } from '../support/depth.mjs';
import { inRuns } from '../support/forAll.js';
import { RunningClock, SteppedClock, turn } from '../support/host/clocks.js';
import { conversation, EchoTool, messages, storedText, wholeState } from '../support/host/reading.js';
import { useWindows, type Window, lookUntil } from '../support/host/window.js';
import { EntryViews } from '../../src/host/panel/conversation/entries.js';
import { at, attempt, CONTEXT_OPERATIONS, conversationOperations, userIdsOf, weighted } from '../support/host/operations.js';
import { modelName } from '../../src/host/panel/shell/modelView.js';

/** Each chat contains only its own name, in messages and results. */
const NAMES = ['ANNA', 'BORIS', 'CLARA', 'DAVID'] as const;

type Line = (name: string) => string;

const line: fc.Arbitrary<Line> = fc.oneof(
  fc.nat({ max: 99 }).map(
    (n): Line =>
      (name) =>
        `/tool echo {"who": "${name}", "n": ${String(n)}}`,
  ),
  fc.integer({ min: 1, max: 40 }).map(
    (n): Line =>
      (name) =>
        `This is ${name}.\n/long ${String(n)}`,
  ),
  fc.nat({ max: 9 }).map(
    (n): Line =>
      (name) =>
        `${name} asks question ${String(n)}`,
  ),
  fc.constantFrom<Line>(
    (name) => `${name} fails\n/error 500`,
    (name) => `${name} is cut off\n/error cut`,
  ),
);

const chats = fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: NAMES.length });
/** The order in which waiting chats run. */
const order = fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 50 });

function said({ state }: ChatSession): unknown {
  return messages(state).map((message) =>
    message.role === 'assistant' ? [message.role, message.parts.map(withoutId)] : [message.role, conversation(state)],
  );
}

function withoutId(part: AssistantPart): AssistantPart {
  return part.type === 'toolCall' ? { ...part, id: 'call' } : part;
}

async function talk(session: ChatSession, name: string, lines: readonly Line[]): Promise<void> {
  for (const each of lines) {
    await session.conversation.send(each(name));
  }
}

describe('chats that are answered at the same time', () => {
  const windows = useWindows();

  async function alone(scripts: readonly (readonly Line[])[]): Promise<unknown[]> {
    const all: unknown[] = [];
    for (const [index, lines] of scripts.entries()) {
      await windows.newFolder();
      const session = await windows.open({ clock: new RunningClock(), tools: new EchoTool() }).chats.create();
      await talk(session, NAMES[index] ?? '', lines);
      all.push(said(session));
    }
    return all;
  }

  async function together(
    scripts: readonly (readonly Line[])[],
    picks: readonly number[],
  ): Promise<{ readonly window: Window; readonly sessions: readonly ChatSession[] }> {
    await windows.newFolder();
    const clock = new SteppedClock();
    const window = windows.open({ clock, tools: new EchoTool() });
    const sessions = await Promise.all(scripts.map(() => window.chats.create()));
    let open = scripts.length;
    const talks = scripts.map(async (lines, index) => {
      await talk(sessions[index]!, NAMES[index] ?? '', lines);
      open -= 1;
    });
    for (let step = 0; open > 0; step += 1) {
      clock.wake(picks[step % picks.length] ?? 0);
      await turn();
    }
    await Promise.all(talks);
    return { window, sessions };
  }

  it('never mix: each log holds its own text only, and each reply is the one the chat gets alone', async () => {
    await inRuns(depth({ short: 8, deep: 125 })).forAllAsync(chats, order, async (scripts, picks) => {
      const { window, sessions } = await together(scripts, picks);
      assert.deepEqual(sessions.map(said), await alone(scripts));
      for (const [index, session] of sessions.entries()) {
        const stored = await storedText(window.folder, session.id);
        const named = NAMES.filter((name) => stored.includes(name));
        assert.deepEqual(named, [NAMES[index]]);
      }
      await windows.closeAll();
    });
  });
});

interface Seat {
  readonly window: Window;
  readonly session: ChatSession;
}

const text = fc.constantFrom('/long 2', '/long 40', '/tool echo {"a": 1}', '/tool echo {}\n/error 500', '/error cut', 'Hello 🎈');

const inChat = fc.oneof(
  ...conversationOperations(text, { send: 5, change: 1 }),
  ...CONTEXT_OPERATIONS,
  weighted(1, at, (n) => (session) => session.titler.rename(`Name ${String(n)}`)),
  weighted(1, at, (n) => (session) => session.changeConfig({ maxPromptTokens: 300 + (n % 100) })),
);

const looks = ({ window, session }: Seat): Promise<unknown> => window.chats.otherWindows.poll([session.id]);

const operation: fc.Arbitrary<(seat: Seat) => Promise<unknown>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(looks) },
  {
    weight: 12,
    arbitrary: inChat.map(
      (each) =>
        ({ session }: Seat) =>
          each(session, userIdsOf(session)),
    ),
  },
);

/** The window, and whether the next step waits for this one. */
const step = fc.record({ operation, isFirst: fc.boolean(), waits: fc.boolean() });

const entriesOf = ({ state }: ChatSession): unknown => new EntryViews(({ model }) => modelName(model, [])).derive(state, 1_000);

describe('a chat that two windows write to at once', () => {
  const windows = useWindows();

  /** The clock of the second window is an hour late: sequence numbers decide the order. */
  async function seats(): Promise<{ readonly first: Seat; readonly second: Seat }> {
    await windows.newFolder();
    const { window, session } = await windows.openChat({ tools: new EchoTool(), writerId: 'first', pid: process.ppid });
    const clock = new RunningClock();
    clock.time -= 3_600_000;
    const other = windows.open({ tools: new EchoTool(), writerId: 'second', clock });
    return { first: { window, session }, second: { window: other, session: await other.chats.open(session.id) } };
  }

  it('is in both what a third one reads from the disk, in full and as the panel shows it', async () => {
    await inRuns(depth({ short: 15, deep: 300 })).forAllAsync(fc.array(step, { minLength: 2, maxLength: 16 }), async (steps) => {
      const { first, second } = await seats();
      // A message waits while the other window answers.
      const waited = (done: Promise<unknown>): Promise<void> => lookUntil(done, first.window, second.window);
      const going: Promise<unknown>[] = [];
      for (const each of steps) {
        const done = attempt(each.operation(each.isFirst ? first : second));
        going.push(done);
        await (each.waits ? waited(done) : turn());
      }
      await waited(Promise.all(going));
      await waited(Promise.all([first, second].map(({ session }) => session.compactor.settled())));
      await Promise.all([looks(first), looks(second)]);
      await Promise.all([looks(first), looks(second)]);
      const third = await windows.open({ writerId: 'third' }).chats.open(first.session.id);
      for (const { session, window } of [first, second]) {
        assert.deepEqual(wholeState(session.state), wholeState(third.state));
        assert.deepEqual(entriesOf(session), entriesOf(third));
        assert.deepEqual([session.faults, window.errors.filter(({ kind }) => kind === 'storage')], [[], []]);
      }
      await windows.closeAll();
    });
  }).timeout(60_000);
});
