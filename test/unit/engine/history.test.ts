import assert from 'node:assert/strict';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import type { ChatState } from '../../../src/engine/chat/state.js';
import { transcript } from '../../../src/engine/chat/transcript.js';
import { compacted } from '../../../src/engine/chat/checkpoint.js';
import { errorRecord, logged, runStarted, stateOf } from '../../support/engine/events.js';
import { assistant, user } from '../../support/engine/messages.js';

/* Changes a history only through its functions: append, read, and replace by a summary or a step back. */

const ASKED: NewEvent[] = [logged('r1', user('u1', 'Q')), runStarted('r1', 'u1')];
const ANSWERED: NewEvent[] = [...ASKED, logged('r1', assistant('a1', 'A'))];
const COMMITTED: NewEvent[] = [...ANSWERED, { type: 'run-committed', runId: 'r1' }];
const MORE: NewEvent[] = [
  logged('r2', user('u2', 'Q')),
  runStarted('r2', 'u2'),
  logged('r2', assistant('a2', 'A')),
  { type: 'run-committed', runId: 'r2' },
];
const SUMMARIZED: NewEvent[] = [
  logged(null, { role: 'summary', id: 's', text: 'In short.' }),
  {
    type: 'compacted',
    runId: null,
    compaction: {
      ...{ id: 'c', from: 'u1', to: 'a1', summaryId: 's', policy: 'manual', case: 'summarize' },
      ...{ tokens: { before: 9, after: 3 }, lines: [] },
    },
  },
];

/** The summary and the message ids of the next request. */
function sent(state: ChatState): readonly (string | undefined)[] {
  const { checkpoint, rest } = compacted(state);
  return [checkpoint?.text, ...transcript({ ...state, timeline: rest }).messages.map(({ id }) => id)];
}

describe('the history of a chat', () => {
  it('is empty in a new chat', () => {
    assert.deepEqual(sent(stateOf()), [undefined]);
  });

  it('grows by each message that is logged, in order', () => {
    assert.deepEqual(sent(stateOf(...ASKED)), [undefined, 'u1']);
    assert.deepEqual(sent(stateOf(...ANSWERED)), [undefined, 'u1', 'a1']);
    assert.deepEqual(sent(stateOf(...COMMITTED, ...MORE)), [undefined, 'u1', 'a1', 'u2', 'a2']);
  });

  it('holds an exchange whole or not at all', () => {
    const rolledBack: NewEvent = { type: 'run-rolled-back', runId: 'r1', error: errorRecord('Broke.') };
    assert.deepEqual(sent(stateOf(...ANSWERED, rolledBack, ...MORE)), [undefined, 'u2', 'a2']);
    assert.deepEqual(sent(stateOf(...ASKED, rolledBack)), [undefined]);
    assert.deepEqual(sent(stateOf(...ASKED, { type: 'run-interrupted', runId: 'r1' })), [undefined]);
  });

  it('is given as a list of its own: what is done to that changes nothing of the chat', () => {
    const state = stateOf(...COMMITTED);
    const messages = transcript(state).messages as SentMessage[];
    messages.length = 0;
    messages.push(user('forged', 'X'));
    assert.deepEqual(sent(state), [undefined, 'u1', 'a1']);
  });

  it('is replaced by a summary up to its last message, and comes back when that is undone', () => {
    assert.deepEqual(sent(stateOf(...COMMITTED, ...MORE, ...SUMMARIZED)), ['In short.', 'u2', 'a2']);
    const undone: NewEvent = { type: 'compaction-undone', compactionId: 'c' };
    assert.deepEqual(sent(stateOf(...COMMITTED, ...MORE, ...SUMMARIZED, undone)), [undefined, 'u1', 'a1', 'u2', 'a2']);
  });

  it('is emptied by a step back to before the first message, and comes back when that is undone', () => {
    const emptied: NewEvent = { type: 'rewound', rewindId: 'w', to: null, reason: 'edited' };
    assert.deepEqual(sent(stateOf(...COMMITTED, ...SUMMARIZED, emptied)), [undefined]);
    const restored: NewEvent = { type: 'restored', rewindId: 'w', undoId: 'w2' };
    assert.deepEqual(sent(stateOf(...COMMITTED, emptied, restored)), [undefined, 'u1', 'a1']);
  });
});
