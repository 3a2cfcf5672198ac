import assert from 'node:assert/strict';
import type { SentMessage } from '../../../../src/engine/chat/message/message.js';
import { LAYOUTS } from '../../../../src/engine/request/layout/layouts.js';
import { forgottenToolsOf } from '../../../../src/engine/request/rebuild.js';
import type { RequestInput } from '../../../../src/engine/request/request.js';
import { column } from '../../../support/columns.js';
import { assistant, call, reasoning, result, results, text, user } from '../../../support/engine/messages.js';
import { BINDING_MODEL, STRICT_MODEL } from '../../../support/engine/models.js';
import { PLAIN, RecordedChat, type Content, type Sent } from '../../../support/engine/requests.js';
import { situationAfter } from '../../../support/engine/situations.js';
import { forgetAfter } from '../../../support/engine/toolMemories.js';
import { blocksOf } from '../../../support/engine/wireRules.js';

const MINUTE = 60_000;
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

class Talk {
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
function shape({ prompt }: Sent): string {
  const blocks = prompt.messages.flatMap((message) => message.blocks);
  return blocks.map(({ key, form }) => key.replace(/^message:/, '') + (form === 'full' ? '' : ` (${form})`)).join(', ');
}

describe('tool calls that the layout adaptive should forget', () => {
  it('stay, marked as carried, while the cache has much of what follows them', () => {
    const talk = new Talk(forgetAfter(1));
    talk.send({ messages: asked(1) }, 0);
    talk.send({ messages: asked(2) }, MINUTE);
    const sent = talk.send({ messages: asked(3) }, MINUTE);
    const carried = (at: number): string => `u${at}/0, s${at}/0, s${at}/1 (carried), t${at}/0 (carried), r${at}/0`;
    assert.equal(shape(sent), `${carried(1)}, ${carried(2)}, u3/0, s3/0, s3/1, t3/0, r3/0, u4/0`);
  });

  it('leave where nothing that was sent follows them', () => {
    const talk = new Talk(forgetAfter(0));
    talk.send({ messages: turn(1).slice(0, 1) }, 0);
    assert.equal(shape(talk.send({ messages: turn(1).slice(0, 3) }, 1_000)), 'u1/0, s1/0, s1/1, t1/0');
    assert.equal(shape(talk.send({ messages: asked(1) }, MINUTE)), 'u1/0, s1/0, r1/0, u2/0');
    assert.equal(shape(talk.send({ messages: asked(2).slice(0, -2) }, 1_000)), 'u1/0, s1/0, r1/0, u2/0, s2/0, s2/1, t2/0');
    assert.equal(shape(talk.send({ messages: asked(2) }, MINUTE)), 'u1/0, s1/0, r1/0, u2/0, s2/0, r2/0, u3/0');
  });

  it('stay as they were sent, and what follows them', () => {
    const talk = new Talk(forgetAfter(1));
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
      const talk = new Talk(forgetAfter(1));
      talk.send({ messages: asked(1) }, 0);
      talk.send({ messages: asked(2) }, MINUTE);
      const { attempt, ...sent } = talk.send({ messages: asked(3), mustRebuild }, idleMs);
      assert.match(shape({ attempt, ...sent }), /^u1\/0, s1\/0, r1\/0, u2\/0, s2\/0, r2\/0/, String(mustRebuild));
      assert.deepEqual(column(forgottenToolsOf(attempt, talk.chat.attempts), 'messageId'), ['s1', 's2']);
    }
  });

  it('leave at once for a provider that caches nothing, and where the chat wants that', () => {
    const layoutOptions = { ...PLAIN.layoutOptions, toolsLeave: 'now' } as const;
    for (const change of [{ model: STRICT_MODEL }, { layoutOptions }]) {
      const talk = new Talk({ ...forgetAfter(1), ...change });
      talk.send({ messages: asked(1) }, 0);
      talk.send({ messages: asked(2) }, MINUTE);
      const sent = talk.send({ messages: asked(3) }, MINUTE);
      assert.match(shape(sent), /^u1\/0, s1\/0, r1\/0, u2\/0, s2\/0, r2\/0, u3\/0, s3\/0, s3\/1, t3\/0, r3\/0, u4\/0$/);
    }
  });

  it('come back where they were when the chat remembers them again', () => {
    const talk = new Talk(forgetAfter(0));
    talk.send({ messages: asked(1) }, 0);
    assert.equal(shape(talk.send({ messages: asked(1), ...forgetAfter(null) }, MINUTE)), 'u1/0, s1/0, s1/1, t1/0, r1/0, u2/0');
  });

  it('keep the reasoning behind them, which is bound to them, until they leave', () => {
    const thought = (at: number): SentMessage[] =>
      turn(at).map((message) =>
        message.id === `r${String(at)}`
          ? { ...assistant(message.id, reasoning('I know.', `signed-${at}`), LONG), attemptId: `attempt-${String(2 * at - 1)}` }
          : message,
      );
    const talk = new Talk({ ...forgetAfter(1), model: BINDING_MODEL });
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
    assert.match(shape(carrying), /s1\/1 \(carried\)/);
    assert.equal(reasons(carrying), 3);
    const cold = talk.send({ messages: said }, 90 * MINUTE);
    assert.doesNotMatch(shape(cold), /carried/);
    assert.ok(reasons(cold) < 3);
  });
});
