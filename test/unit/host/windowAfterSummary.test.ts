import assert from 'node:assert/strict';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import type { SummaryEntry } from '../../../src/protocol/panel/entries.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';
import { longTalk, PAGE, summarize, type LongTalk } from '../../support/host/longTalk.js';
import { openPanel, type TestPanel } from '../../support/host/panel.js';
import { messages } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';

/** Contains the rule of the first message, so that no line is added. */
const WHOLE = 'Question 1. You must never change the tide tables. Question 2. Question 3.';

describe('the context window after a summary', () => {
  const windows = useWindows();

  async function chat(): Promise<LongTalk & { readonly api: TestPanel['api']; readonly contextWindow: () => Promise<number | null> }> {
    const talk = await longTalk(windows, 3, {});
    const { api } = openPanel(talk.window, { currentChat: talk.session.id });
    return { ...talk, api, contextWindow: async () => (await api.getUsage(talk.session.id)).contextWindow };
  }

  function outputOf({ session }: LongTalk): number {
    const attempt = [...session.state.attempts.values()].findLast(({ purpose }) => purpose === 'summary');
    return attempt?.end?.usage?.completionTokens?.value ?? 0;
  }

  it('is what the summary came as, until the next reply, and as before when it is undone', async () => {
    const talk = await chat();
    const before = await talk.contextWindow();
    await summarize(talk, null, WHOLE);
    assert.ok(outputOf(talk) > 0);
    assert.equal(await talk.contextWindow(), outputOf(talk));
    await talk.session.compactor.undo();
    assert.equal(await talk.contextWindow(), before);
    await summarize(talk, null, WHOLE);
    await talk.session.conversation.send('And now?');
    const after = await talk.contextWindow();
    assert.ok(after !== null && before !== null && after > outputOf(talk) && after < before);
  });

  it('has the messages behind the summary and the pinned ones besides', async () => {
    const talk = await chat();
    const [first, , , reply, ...rest] = messages(talk.session.state).filter(({ role }) => role !== 'system-summary');
    await talk.session.marks.pin(first?.id ?? '');
    await summarize(talk, reply?.id ?? null, WHOLE);
    const { blocks } = await talk.api.previewNextRequest(talk.session.id);
    const staying = blocks.filter(({ key }) => [first, ...rest].some((message) => key.startsWith(`message:${message?.id ?? ''}/`)));
    assert.equal(staying.length, 3);
    assert.equal(await talk.contextWindow(), outputOf(talk) + staying.reduce((sum, { tokens }) => sum + tokens, 0));
  });

  it('has the text of the summary where lines were added to it, and where the user has edited it', async () => {
    const talk = await chat();
    await summarize(talk, null, 'In short.');
    const { after } = [...talk.session.state.compactions.values()].at(-1)?.tokens ?? { after: 0 };
    assert.ok(after > outputOf(talk));
    assert.equal(await talk.contextWindow(), after);
    const [active] = [...talk.session.state.compactions.values()];
    await talk.session.compactor.preview.edit(active?.summaryId ?? '');
    await talk.session.compactor.preview.apply(`In short. ${PAGE}`);
    const edited = [...talk.session.state.compactions.values()].at(-1)?.tokens.after ?? 0;
    assert.ok(edited > after);
    assert.equal(await talk.contextWindow(), edited);
  });

  it('is told on the summary, and stays there when replies have come since', async () => {
    const talk = await chat();
    const told = (): SummaryEntry['window'] | undefined =>
      new EntryViews(() => ANY_MODEL).derive(talk.session.state, 50).entries.find((entry) => entry.kind === 'summary')?.window;
    const reply = messages(talk.session.state).filter(({ role }) => role !== 'system-summary')[3];
    await summarize(talk, reply?.id ?? null, WHOLE);
    const window = told();
    assert.ok(window?.kept !== undefined && window.kept !== null && window.kept > 0);
    assert.deepEqual([window.summary, window.summary + window.kept], [outputOf(talk), await talk.contextWindow()]);
    await talk.session.conversation.send('And now?');
    assert.deepEqual(told(), window);
    await talk.session.compactor.undo();
    assert.equal(told(), null);
  });

  it('is told without any model: it stays when that of the chat is gone', async () => {
    const talk = await chat();
    await summarize(talk, null, WHOLE);
    await talk.session.changeConfig({ model: { provider: 'gone', model: 'gone' } });
    assert.equal(await talk.contextWindow(), outputOf(talk));
  });

  it('is the same after a reload', async () => {
    const talk = await chat();
    await summarize(talk, null, WHOLE);
    const other = openPanel(windows.open({ writerId: 'other', sources: [talk.house.source], models: [PRACTICE_STANDARD] }), {
      currentChat: talk.session.id,
    });
    assert.equal((await other.api.getUsage(talk.session.id)).contextWindow, await talk.contextWindow());
  });
});
