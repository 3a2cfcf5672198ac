import assert from 'node:assert/strict';
import { MAX_REPLY_LENGTH, MAX_REPLY_PARTS } from '../../src/engine/chat/message/reply.js';
import type { ReplyStreamPart } from '../../src/engine/model/model.js';
import type { AssistantEntry } from '../../src/protocol/panel/entries.js';
import type { PanelState } from '../../src/protocol/panel/state.js';
import { depth } from '../support/depth.mjs';
import { receive, type Received } from '../support/engine/receiving.js';
import { turn, until } from '../support/host/clocks.js';
import { useWindows, type Window } from '../support/host/window.js';

/** Linear work would give 2, quadratic work 4. The rest is noise. */
const MOST_GROWTH = 2.6;

const PIECES = depth({ short: 200_000, deep: 1_000_000 });
/** A piece takes about ten microseconds, and three times as long with other suites. */
const FOR_A_MILLION_MS = 120_000;

const nextPart = (index: number): ReplyStreamPart => ({ type: index % 2 === 0 ? 'text' : 'reasoning', index, text: 'one part ' });
const nextPiece = (): ReplyStreamPart => ({ type: 'text', index: 0, text: 'ab' });

function replyShown({ entries }: PanelState): AssistantEntry {
  const entry = entries.findLast(({ kind }) => kind === 'assistant');
  assert.ok(entry?.kind === 'assistant');
  return entry;
}

function textIn({ parts }: AssistantEntry): string {
  return parts.map((part) => (part.type === 'toolCall' ? part.args : 'text' in part ? part.text : '')).join('');
}

function runOf({ state }: Received): { readonly status: string; readonly error: string | undefined } {
  const run = state.runs.get('r');
  return { status: run?.status ?? 'none', error: run?.error?.message };
}

const CUT_OFF = 'Loupe stopped the reply, because the reply has more than 4 million characters or 65,536 parts.';

describe('a reply without measure', () => {
  it('47. of 40,000 parts costs no more for each part than a short one', async () => {
    const received = await receive(40_000, nextPart);
    assert.deepEqual(runOf(received), { status: 'committed', error: undefined });
    assert.equal(replyShown(received.shown).parts.length, 40_000);
    assert.ok(received.growth < MOST_GROWTH, `the work grew ${String(received.growth)} times`);
  });

  it(`47. of ${String(PIECES)} pieces costs no more for each piece than a short one`, async function () {
    this.timeout(FOR_A_MILLION_MS);
    const received = await receive(PIECES, nextPiece);
    assert.deepEqual(runOf(received), { status: 'committed', error: undefined });
    assert.equal(textIn(replyShown(received.shown)).length, 2 * PIECES);
    assert.ok(received.growth < MOST_GROWTH, `the work grew ${String(received.growth)} times`);
    const pieces = received.written.flatMap((draft) => (draft.type === 'attempt-progress' ? draft.pieces : []));
    assert.ok(pieces.length < 1_000, `${String(pieces.length)} pieces were written`);
  });

  it('47. of 200 MB is stopped at its limit, says so, and keeps what had arrived', async () => {
    const received = await receive(200, () => ({ type: 'text', index: 0, text: 'x'.repeat(1_000_000) }));
    assert.deepEqual(runOf(received), { status: 'rolledBack', error: CUT_OFF });
    assert.equal(textIn(replyShown(received.shown)).length, Math.floor(MAX_REPLY_LENGTH / 1_000_000) * 1_000_000);
  });

  it('47. of too many parts is stopped, and so is one whose next part is numbered out of all measure', async () => {
    const many = await receive(MAX_REPLY_PARTS + 1, nextPart);
    assert.deepEqual(runOf(many), { status: 'rolledBack', error: CUT_OFF });
    assert.equal(replyShown(many.shown).parts.length, MAX_REPLY_PARTS);
    const sparse = await receive(2, (index) => ({ type: 'text', index: index * 1e9, text: 'One' }));
    assert.deepEqual(runOf(sparse), { status: 'rolledBack', error: CUT_OFF });
    assert.equal(textIn(replyShown(sparse.shown)), 'One');
  });
});

/** The model streams without end, some hundred pieces at a time, like a connection. */
function neverEnds({ model }: Window, piece: (index: number) => ReplyStreamPart): { readonly sent: () => number } {
  let sent = 0;
  model.stream = async function* () {
    for (;;) {
      if (sent % CHUNK === 0) {
        await turn();
      }
      yield piece(sent);
      sent += 1;
    }
  };
  return { sent: () => sent };
}

const CHUNK = 500;

describe('Stop in a reply without measure', () => {
  const windows = useWindows();

  for (const [what, piece] of [
    ['parts', nextPart],
    ['pieces', nextPiece],
  ] as const) {
    it(`47. of ${what} ends it at once, and what had arrived stays`, async () => {
      const window = windows.open({});
      const stream = neverEnds(window, piece);
      const session = await window.chats.create();
      const sent = session.conversation.send('Hello');
      await until(() => stream.sent() >= 10_000, '10,000 pieces arrived');
      const before = stream.sent();
      await session.conversation.stop();
      await sent;
      assert.ok(stream.sent() <= before + 1, 'more was taken after Stop');
      const [attempt] = session.state.attempts.values();
      const length = (attempt?.reply ?? []).reduce((sum, part) => sum + (part !== undefined && 'text' in part ? part.text.length : 0), 0);
      assert.ok(length >= 20_000);
      assert.deepEqual([attempt?.end?.outcome, session.state.timeline.length], ['stopped', 3]);
    });
  }
});
