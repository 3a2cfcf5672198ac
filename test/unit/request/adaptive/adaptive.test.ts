import assert from 'node:assert/strict';
import { LAYOUTS } from '../../../../src/engine/request/layout/layouts.js';
import type { Situation } from '../../../../src/engine/request/layout/situation.js';
import { STRICT_MODEL, OPEN_MODEL, withCapabilities, BINDING_MODEL } from '../../../support/engine/models.js';
import { assistant, call, result, results, user, reasoning, text } from '../../../support/engine/messages.js';
import { RecordedChat, withFiles, type Content, type Sent, PLAIN } from '../../../support/engine/requests.js';
import { situationAfter } from '../../../support/engine/situations.js';
import { blocksOf } from '../../../support/engine/wireRules.js';
import type { SentMessage } from '../../../../src/engine/chat/message/message.js';
import { manifestContentOf } from '../../../../src/engine/request/rebuild.js';
import type { RequestInput } from '../../../../src/engine/request/request.js';
import { column } from '../../../support/columns.js';
import { forgetAfter } from '../../../support/engine/toolMemories.js';

const MINUTE = 60_000;
const LINES = Array.from({ length: 40 }, (_, at) => `export const value${String(at)} = ${String(at)};`);
const FILE = `${LINES.join('\n')}\n`;
const changed = (line: number): string => FILE.replace(`value${String(line)} =`, `renamed${String(line)} =`);
// Long enough that the content before it is worth its place in the cache.
const ONE = user('u1', `What is in them? ${'They were written long ago. '.repeat(100)}`);
const TWO = [ONE, assistant('r1', 'Values.'), user('u2', 'And now?')];
const THREE = [...TWO, assistant('r2', 'The same.'), user('u3', 'Once more.')];

class Talk {
  readonly chat = new RecordedChat();
  #last: Sent | null = null;

  send(content: Content, idleMs: number): Sent {
    const situation: Partial<{ situation: Situation }> = this.#last === null ? {} : { situation: situationAfter(this.chat, idleMs) };
    this.#last = this.chat.send({ layout: LAYOUTS.adaptive, ...situation, ...content });
    return this.#last;
  }
}

/** The messages as `role: key key`, with the form of blocks that are not full. */
function shape({ prompt }: Sent): string[] {
  return prompt.messages.map(({ role, blocks }) => {
    const keys = blocks.map(({ key, form }) => (form === 'full' ? key : `${key} (${form})`));
    return `${role}: ${keys.join(', ')}`;
  });
}

function textOf({ prompt }: Sent, key: string): string {
  const part = blocksOf(prompt).find((block) => block.key === key)?.part;
  return part?.type === 'text' ? part.text : '';
}

function marks({ prompt }: Sent): string[] {
  return blocksOf(prompt).flatMap(({ key, breakpoint }) => (breakpoint === null ? [] : [`${key} ${breakpoint.ttl}`]));
}

const hashes = ({ prompt }: Sent): string[] => blocksOf(prompt).map(({ hash }) => hash);

describe('the layout adaptive', () => {
  it('begins with the files, under a header', () => {
    const first = new Talk().send({ messages: [ONE], ...withFiles({ 'b.ts': 'b\n', 'a.ts': 'a\n' }) }, 0);
    assert.deepEqual(shape(first), ['user: header:file:a.ts, file:a.ts, file:b.ts, message:u1/0']);
    assert.match(textOf(first, 'header:file:a.ts'), /^# Working Files\n/);
  });

  it('tells a change as a difference, and leaves all that was sent where it is', () => {
    const talk = new Talk();
    const first = talk.send({ messages: [ONE], ...withFiles({ 'a.ts': FILE }) }, 0);
    const second = talk.send({ messages: TWO, ...withFiles({ 'a.ts': changed(20) }) }, MINUTE);
    assert.deepEqual(hashes(second).slice(0, hashes(first).length), hashes(first));
    assert.deepEqual(shape(second).slice(1), [
      'assistant: message:r1/0',
      'user: header:file:a.ts~2, file:a.ts~2 (difference), message:u2/0',
    ]);
    assert.equal(
      textOf(second, 'file:a.ts~2'),
      [
        'a.ts has changed:\n```diff\n@@ -18,7 +18,7 @@',
        ' export const value17 = 17;\n export const value18 = 18;\n export const value19 = 19;',
        '-export const value20 = 20;\n+export const renamed20 = 20;',
        ' export const value21 = 21;\n export const value22 = 22;\n export const value23 = 23;\n```',
      ].join('\n'),
    );
  });

  it('tells the next change against that one', () => {
    const talk = new Talk();
    talk.send({ messages: [ONE], ...withFiles({ 'a.ts': FILE }) }, 0);
    talk.send({ messages: TWO, ...withFiles({ 'a.ts': changed(20) }) }, MINUTE);
    const third = talk.send({ messages: THREE, ...withFiles({ 'a.ts': changed(20).replace('value5 =', 'renamed5 =') }) }, MINUTE);
    assert.match(textOf(third, 'file:a.ts~3'), /^a\.ts has changed:\n```diff\n@@ -3,7 \+3,7 @@\n(?!.*renamed20)/s);
  });

  it('sends a file whole where the change is no shorter, or where the chat is set so', () => {
    const rewritten = { messages: TWO, ...withFiles({ 'a.ts': FILE.toUpperCase() }) };
    const talk = new Talk();
    talk.send({ messages: [ONE], ...withFiles({ 'a.ts': FILE }) }, 0);
    const ofAll = talk.send(rewritten, MINUTE);
    assert.equal(textOf(ofAll, 'file:a.ts~2').includes('VALUE0'), true);
    assert.equal(shape(ofAll)[0], 'user: header:file:a.ts, file:a.ts (superseded), message:u1/0');
    const set = new Talk();
    set.send({ messages: [ONE], ...withFiles({ 'a.ts': FILE }) }, 0);
    const copies = set.send(
      {
        messages: TWO,
        ...withFiles({ 'a.ts': changed(3) }),
        layoutOptions: { fileChanges: 'copies', cacheTargetTokens: null, toolsLeave: 'later', repeatedContent: 'references' },
      },
      MINUTE,
    );
    assert.equal(textOf(copies, 'file:a.ts~2').includes('renamed3'), true);
    assert.equal(textOf(copies, 'file:a.ts~2').includes('diff'), false);
  });

  it('carries a file that left the chat until the cache has gone cold', () => {
    const talk = new Talk();
    talk.send({ messages: [ONE], ...withFiles({ 'a.ts': 'a\n', 'b.ts': FILE }) }, 0);
    const soon = talk.send({ messages: TWO, ...withFiles({ 'b.ts': FILE }) }, MINUTE);
    assert.equal(shape(soon)[0], 'user: header:file:a.ts, file:a.ts (carried), file:b.ts, message:u1/0');
    const later = talk.send({ messages: THREE, ...withFiles({ 'b.ts': FILE }) }, 90 * MINUTE);
    assert.equal(shape(later)[0], 'user: header:file:b.ts, file:b.ts, message:u1/0');
  });

  it('leaves it out at once for a provider that caches nothing', () => {
    const talk = new Talk();
    talk.send({ messages: [ONE], ...withFiles({ 'a.ts': 'a\n', 'b.ts': FILE }), model: STRICT_MODEL }, 0);
    const soon = talk.send({ messages: TWO, ...withFiles({ 'b.ts': FILE }), model: STRICT_MODEL }, MINUTE);
    assert.equal(shape(soon)[0], 'user: header:file:b.ts, file:b.ts, message:u1/0');
  });

  it('tells a change behind the results of a tool loop, where the provider takes it there', () => {
    const loop = [ONE, assistant('r1', 'I look.', call('c1', {})), results('t1', result('c1', { type: 'text', text: 'Done.' }))];
    for (const [model, told] of [
      [OPEN_MODEL, ['user: message:t1/0, header:file:a.ts~2, file:a.ts~2 (difference)']],
      [withCapabilities(OPEN_MODEL, { userContentAfterToolResults: false }), ['user: message:t1/0']],
    ] as const) {
      const talk = new Talk();
      talk.send({ messages: [ONE], ...withFiles({ 'a.ts': FILE }), model }, 0);
      const second = talk.send({ messages: loop, ...withFiles({ 'a.ts': changed(1) }), model }, 1_000);
      assert.deepEqual(shape(second).slice(2), told);
    }
  });

  it('sends again what was changed in a turn that is tried again, to the byte', () => {
    const talk = new Talk();
    talk.send({ messages: [ONE], ...withFiles({ 'a.ts': FILE }) }, 0);
    const situation = situationAfter(talk.chat, MINUTE);
    const second = talk.send({ messages: TWO, ...withFiles({ 'a.ts': changed(1) }) }, MINUTE);
    const again = talk.chat.send({ layout: LAYOUTS.adaptive, situation, messages: TWO, ...withFiles({ 'a.ts': changed(1) }) });
    assert.deepEqual(hashes(again), hashes(second));
  });

  it('reads the turn before when the newest message is another one', () => {
    const talk = new Talk();
    talk.send({ messages: [ONE], ...withFiles({ 'a.ts': FILE }) }, 0);
    const second = talk.send({ messages: TWO, ...withFiles({ 'a.ts': changed(1) }) }, MINUTE);
    const edited = talk.send({ messages: [...TWO.slice(0, 2), user('u9', 'What else?')], ...withFiles({ 'a.ts': changed(1) }) }, MINUTE);
    assert.deepEqual(hashes(edited).slice(0, -1), hashes(second).slice(0, -1));
    const isMarked = marks(second).some((mark) => mark.startsWith('file:a.ts~2'));
    assert.ok(isMarked, marks(second).join());
  });

  it('marks the end, the end of the last request, the end of the turn before and the end of the system prompt', () => {
    const talk = new Talk();
    const long = { systemPrompt: 'Be brief. '.repeat(20), ...withFiles({ 'a.ts': FILE }) };
    const first = talk.send({ messages: [ONE], ...long }, 0);
    assert.deepEqual(marks(first), ['system:agent 5m', 'file:a.ts 5m', 'message:u1/0 5m']);
    const second = talk.send({ messages: TWO, ...long }, MINUTE);
    assert.deepEqual(marks(second), ['system:agent 1h', 'message:u1/0 1h', 'message:r1/0 1h', 'message:u2/0 1h']);
  });

  it('keeps to one lifetime where the provider has no other', () => {
    const cache = { kind: 'marks', most: 4, minimumTokens: 100, lookBack: null, lifetimes: ['30m'] } as const;
    const model = withCapabilities(OPEN_MODEL, { cache });
    const talk = new Talk();
    talk.send({ messages: [ONE], ...withFiles({ 'a.ts': FILE }), model }, 0);
    const second = talk.send({ messages: TWO, ...withFiles({ 'a.ts': FILE }), model }, MINUTE);
    assert.ok(marks(second).length > 1 && marks(second).every((mark) => mark.endsWith(' 30m')), marks(second).join());
  });

  it('is the same request when what was sent comes from the log', async () => {
    const talk = new Talk();
    talk.send({ messages: [ONE], ...withFiles({ 'a.ts': FILE }) }, 0);
    const second = talk.send({ messages: TWO, ...withFiles({ 'a.ts': changed(20), 'b.ts': 'b\n' }) }, MINUTE);
    assert.deepEqual(await talk.chat.rebuild(second.attempt), second.prompt);
  });

  it('tells 200 changed files at once, each as a difference', () => {
    const names = Array.from({ length: 200 }, (_, at) => `file${String(at).padStart(3, '0')}.ts`);
    const all = (content: string) => withFiles(Object.fromEntries(names.map((name) => [name, content])));
    const talk = new Talk();
    const model = { ...OPEN_MODEL, maxInputTokens: 1_000_000 };
    talk.send({ messages: [ONE], ...all(FILE), model }, 0);
    const second = talk.send({ messages: TWO, ...all(changed(7)), model }, MINUTE);
    assert.equal(blocksOf(second.prompt).filter(({ form }) => form === 'difference').length, 200);
  });

  it('sends a file that changes on every request whole once its changes are longer than it', () => {
    const talk = new Talk();
    talk.send({ messages: [ONE], ...withFiles({ 'a.ts': FILE }) }, 0);
    const messages = [ONE];
    const forms: string[] = [];
    for (let turn = 1; turn <= 12; turn += 1) {
      const said = [
        ...messages,
        ...Array.from({ length: turn }, (_, at) => [assistant(`r${at}`, 'Yes.'), user(`v${at}`, 'Go on.')]).flat(),
      ];
      const sent = talk.send({ messages: said, ...withFiles({ 'a.ts': changed(turn) }) }, MINUTE);
      forms.push(blocksOf(sent.prompt).findLast(({ item }) => item === 'file:a.ts')?.form ?? '');
    }
    assert.ok(forms.includes('full') && forms.filter((form) => form === 'difference').length > 6, forms.join());
  });
});

/** Long enough that the content after a call is worth its place in the cache. */
const LONG = 'It was written long ago. '.repeat(200);

const turn = (at: number): SentMessage[] => [
  user(`u${at}`, 'Read it.'),
  assistant(`s${at}`, 'I read.', call(`c${at}`, { text: 'As large as its result. '.repeat(20) })),
  results(`t${at}`, result(`c${at}`, text('Its text. '.repeat(20)))),
  assistant(`r${at}`, LONG),
];

const asked = (turns: number): SentMessage[] => [
  ...Array.from({ length: turns }, (_, at) => turn(at + 1)).flat(),
  user(`u${turns + 1}`, 'Read it.'),
];

class ForgettingTalk {
  readonly chat = new RecordedChat();
  readonly #change: Partial<RequestInput>;

  constructor(change: Partial<RequestInput>) {
    this.#change = change;
  }

  send(content: Content, idleMs: number): Sent {
    const situation = situationAfter(this.chat, idleMs);
    return this.chat.send({ layout: LAYOUTS.adaptive, situation, ...this.#change, ...content });
  }
}

/** The short keys of conversation blocks, with the form of those that are not full. */
function keysOf({ prompt }: Sent): string {
  const blocks = prompt.messages.flatMap((message) => message.blocks);
  return blocks.map(({ key, form }) => key.replace(/^message:/, '') + (form === 'full' ? '' : ` (${form})`)).join(', ');
}

describe('tool calls that the layout adaptive should forget', () => {
  it('stay, marked as carried, while the cache has much of what follows them', () => {
    const talk = new ForgettingTalk(forgetAfter(1));
    talk.send({ messages: asked(1) }, 0);
    talk.send({ messages: asked(2) }, MINUTE);
    const sent = talk.send({ messages: asked(3) }, MINUTE);
    const carried = (at: number): string => `u${at}/0, s${at}/0, s${at}/1 (carried), t${at}/0 (carried), r${at}/0`;
    assert.equal(keysOf(sent), `${carried(1)}, ${carried(2)}, u3/0, s3/0, s3/1, t3/0, r3/0, u4/0`);
  });

  it('leave where nothing that was sent follows them', () => {
    const talk = new ForgettingTalk(forgetAfter(0));
    talk.send({ messages: turn(1).slice(0, 1) }, 0);
    assert.equal(keysOf(talk.send({ messages: turn(1).slice(0, 3) }, 1_000)), 'u1/0, s1/0, s1/1, t1/0');
    assert.equal(keysOf(talk.send({ messages: asked(1) }, MINUTE)), 'u1/0, s1/0, r1/0, u2/0');
    assert.equal(keysOf(talk.send({ messages: asked(2).slice(0, -2) }, 1_000)), 'u1/0, s1/0, r1/0, u2/0, s2/0, s2/1, t2/0');
    assert.equal(keysOf(talk.send({ messages: asked(2) }, MINUTE)), 'u1/0, s1/0, r1/0, u2/0, s2/0, r2/0, u3/0');
  });

  it('stay as they were sent, and what follows them', () => {
    const talk = new ForgettingTalk(forgetAfter(1));
    talk.send({ messages: asked(1) }, 0);
    const before = talk.send({ messages: asked(2) }, MINUTE);
    const after = talk.send({ messages: asked(3) }, MINUTE);
    const hashes = ({ prompt }: Sent): string[] => blocksOf(prompt).map(({ hash }) => hash);
    assert.deepEqual(hashes(after).slice(0, hashes(before).length), hashes(before));
  });

  it('leave with a pause that is longer than the cache lives, or when the prompt is laid out anew', () => {
    for (const [idleMs, mustRebuild] of [
      [90 * MINUTE, false],
      [MINUTE, true],
    ] as const) {
      const talk = new ForgettingTalk(forgetAfter(1));
      talk.send({ messages: asked(1) }, 0);
      talk.send({ messages: asked(2) }, MINUTE);
      const { attempt, ...sent } = talk.send({ messages: asked(3), mustRebuild }, idleMs);
      assert.match(keysOf({ attempt, ...sent }), /^u1\/0, s1\/0, r1\/0, u2\/0, s2\/0, r2\/0/, String(mustRebuild));
      assert.deepEqual(column(manifestContentOf(attempt, talk.chat.attempts)?.forgotten ?? null, 'messageId'), ['s1', 's2']);
    }
  });

  it('leave at once for a provider that caches nothing, and where the chat wants that', () => {
    const layoutOptions = { ...PLAIN.layoutOptions, toolsLeave: 'now' } as const;
    for (const change of [{ model: STRICT_MODEL }, { layoutOptions }]) {
      const talk = new ForgettingTalk({ ...forgetAfter(1), ...change });
      talk.send({ messages: asked(1) }, 0);
      talk.send({ messages: asked(2) }, MINUTE);
      const sent = talk.send({ messages: asked(3) }, MINUTE);
      assert.match(keysOf(sent), /^u1\/0, s1\/0, r1\/0, u2\/0, s2\/0, r2\/0, u3\/0, s3\/0, s3\/1, t3\/0, r3\/0, u4\/0$/);
    }
  });

  it('come back where they were when the chat remembers them again', () => {
    const talk = new ForgettingTalk(forgetAfter(0));
    talk.send({ messages: asked(1) }, 0);
    assert.equal(keysOf(talk.send({ messages: asked(1), ...forgetAfter(null) }, MINUTE)), 'u1/0, s1/0, s1/1, t1/0, r1/0, u2/0');
  });

  it('keep the reasoning behind them, which is bound to them, until they leave', () => {
    const thought = (at: number): SentMessage[] =>
      turn(at).map((message) =>
        message.id === `r${String(at)}`
          ? { ...assistant(message.id, reasoning('I know.', `signed-${at}`), LONG), attemptId: `attempt-${String(2 * at - 1)}` }
          : message,
      );
    const talk = new ForgettingTalk({ ...forgetAfter(1), model: BINDING_MODEL });
    const said = [...thought(1), ...thought(2), ...thought(3), user('u4', 'Go on.')];
    const upTo = (id: string): SentMessage[] =>
      said.slice(
        0,
        said.findIndex((message) => message.id === id),
      );
    for (const at of [1, 2, 3]) {
      talk.send({ messages: upTo(`s${at}`) }, MINUTE);
      talk.send({ messages: upTo(`r${at}`) }, 1_000);
    }
    const reasons = ({ prompt }: Sent): number => blocksOf(prompt).filter(({ part }) => part.type === 'reasoning').length;
    const carrying = talk.send({ messages: said }, MINUTE);
    assert.match(keysOf(carrying), /s1\/1 \(carried\)/);
    assert.equal(reasons(carrying), 3);
    const cold = talk.send({ messages: said }, 90 * MINUTE);
    assert.doesNotMatch(keysOf(cold), /carried/);
    assert.ok(reasons(cold) < 3);
  });
});
