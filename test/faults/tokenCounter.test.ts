import assert from 'node:assert/strict';
import { TokenCounters, loadCounter } from '../../src/host/models/tokens/counters.js';
import type { LoupeError } from '../../src/engine/errors.js';
import { conversation, lastAttempt } from '../support/host/reading.js';
import { useWindows } from '../support/host/window.js';

describe('a token counter that cannot be loaded', () => {
  const windows = useWindows();

  it('is replaced by an estimate, and sending goes on; the cause is logged once', async () => {
    const errors: LoupeError[] = [];
    const counters = new TokenCounters(
      (id) => loadCounter(id, `${windows.folder}/no-such-folder`),
      (error) => {
        errors.push(error);
      },
    );
    const session = await windows.open({ counters }).chats.create();
    const { size } = await session.next.preview({ text: 'Hello', editing: null });
    assert.deepEqual([size.basis, size.tokens, size.error], ['estimate', size.counted, null]);
    await session.conversation.send('/long 3');
    assert.deepEqual(conversation(session.state).at(-1), 'assistant: Practice text that.');
    const { manifest, end } = lastAttempt(session.state);
    assert.deepEqual([manifest.counter, manifest.size.basis, end?.outcome], ['characters/4', 'estimate', 'complete']);
    assert.equal(errors.length, 1);
    assert.match(errors[0]?.message ?? '', /no-such-folder/);
    const reopened = await windows.open({ writerId: 'other', counters }).chats.open(session.id);
    const { note } = (await reopened.records.request(lastAttempt(reopened.state).id)).rebuilt;
    assert.equal(note, null);
  });
});
