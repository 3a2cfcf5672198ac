import assert from 'node:assert/strict';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import { messageIdOf } from '../../../src/host/panel/conversation/turns.js';
import { attemptEnded, attemptStarted, logged, runStarted, stateOf } from '../../support/engine/events.js';
import { user } from '../../support/engine/messages.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';

const EXCHANGE = [
  logged('r', user('u', 'Hello')),
  runStarted('r', 'u'),
  attemptStarted('r', 'a'),
  attemptEnded('r', 'a', 'complete'),
  logged('r', { role: 'assistant', id: 'm', parts: [], attemptId: 'a', cacheControlIndex: null, stopped: false }),
  { type: 'run-committed', runId: 'r' },
] as const;

describe('the entry of a pinned message', () => {
  const pins = (...messageIds: string[]): unknown => {
    const state = stateOf(...EXCHANGE, ...messageIds.map((messageId) => ({ type: 'pinned', messageId }) as const));
    const { entries } = new EntryViews(() => ANY_MODEL).derive(state, 10);
    return entries.flatMap((entry) => ('isPinned' in entry ? [[entry.id, entry.isPinned]] : []));
  };

  it('says so, of the user and of a reply', () => {
    assert.deepEqual(pins(), [
      ['u', false],
      ['a', false],
    ]);
    assert.deepEqual(pins('u'), [
      ['u', true],
      ['a', false],
    ]);
    assert.deepEqual(pins('m'), [
      ['u', false],
      ['a', true],
    ]);
  });
});

describe('the message of an entry', () => {
  it('is that of the attempt for a reply, and is known by its own id, too', () => {
    const state = stateOf(...EXCHANGE);
    assert.equal(messageIdOf(state, 'a'), 'm');
    assert.equal(messageIdOf(state, 'm'), 'm');
    assert.equal(messageIdOf(state, 'u'), 'u');
    assert.equal(messageIdOf(state, 'not loaded'), 'not loaded');
  });
});
