import assert from 'node:assert/strict';
import { failure } from '../../../src/engine/errors.js';
import type { RunNoteEntry } from '../../../src/protocol/panel/entries.js';
import { longTalk, messagesIn, type LongTalk } from '../../support/host/longTalk.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { useWindows } from '../../support/host/window.js';
import { messageOf, RUN_ACTIONS } from '../../../webview/chat/notes/runNoteEntry.js';

const TOO_LONG = failure('http.tooLong', { label: 'House', status: 400, inputLimit: null, refusedMember: null });

describe('a request that the provider finds too long', () => {
  const windows = useWindows();

  async function refused(exchanges: number): Promise<LongTalk & { readonly test: TestPanel; readonly note: RunNoteEntry }> {
    const talk = await longTalk(windows, exchanges, {});
    const test = await panelOf(talk.window, talk.session.id);
    talk.house.replies.push([{ fails: TOO_LONG }]);
    await talk.session.conversation.send('And now?');
    const note = test.snapshot().entries.at(-1);
    assert.ok(note?.kind === 'runNote');
    return { ...talk, test, note };
  }

  it('offers to summarize the conversation, and shows what that would replace: not the message itself', async () => {
    const { house, session, test, note } = await refused(3);
    const labels = note.actions.map((action) => RUN_ACTIONS[action]);
    assert.deepEqual(labels, ['Summarize…', 'Choose another model', 'Retry']);
    await test.say(messageOf('summarize', note, session.id));
    const outline = session.compactor.preview.shownPlan?.outline;
    assert.deepEqual([outline?.messages, outline?.of], [6, 6]);
    house.replies.push([{ text: 'They read tide tables.' }]);
    await test.say({ type: 'writeSummary', chatId: session.id });
    await test.say({ type: 'applySummary', chatId: session.id, text: 'They read tide tables.' });
    await test.say(messageOf('retry', note, session.id));
    const body = messagesIn(house.bodies.at(-1));
    assert.ok(body.includes('They read tide tables.') && !body.includes('Answer 1'));
  });

  it('offers no summary where there is nothing that one would shorten', async () => {
    assert.deepEqual((await refused(0)).note.actions, ['selectModel', 'retry']);
  });

  it('offers no summary of what is summarized already', async () => {
    const { house, session, test } = await refused(3);
    house.replies.push([{ text: 'They read tide tables.' }], [{ fails: TOO_LONG }]);
    await session.compactor.summarize(null);
    await session.conversation.send('And then?');
    const note = test.snapshot().entries.at(-1);
    assert.ok(note?.kind === 'runNote');
    assert.deepEqual(note.actions, ['selectModel', 'retry']);
  });
});
