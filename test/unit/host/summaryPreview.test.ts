import assert from 'node:assert/strict';
import { ledgerTotals } from '../../../src/engine/chat/ledger.js';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import { compacted } from '../../../src/engine/chat/checkpoint.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { failure } from '../../../src/engine/errors.js';
import type { SummaryPreviewView, SummaryPriceView } from '../../../src/protocol/panel/compaction.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { summaryPreviewView } from '../../../src/host/panel/summary/slices.js';
import { column } from '../../support/columns.js';
import { until } from '../../support/host/clocks.js';
import { openPanel, panelOf } from '../../support/host/panel.js';
import { lastUser, messages } from '../../support/host/reading.js';
import { LONG, talk } from '../../support/host/summaryRig.js';
import { useWindows } from '../../support/host/window.js';
import { rejection } from '../../support/rejection.js';

function viewOf(session: ChatSession): SummaryPreviewView {
  const view = summaryPreviewView(session);
  assert.ok(view !== null);
  return view;
}

function draftOf(session: ChatSession): NonNullable<SummaryPreviewView['draft']> {
  const { draft } = viewOf(session);
  assert.ok(draft !== null);
  return draft;
}

describe('a summary that is looked at before it is used', () => {
  const windows = useWindows();

  /** Plans a summary of a chat of so many exchanges. `write` has the model write a text. */
  async function planned(exchanges: number) {
    const rig = await talk(windows, exchanges, {});
    const { preview } = rig.session.compactor;
    await preview.plan(null);
    const write = async (text: string): Promise<void> => {
      rig.house.replies.push([{ text }]);
      await preview.write();
    };
    return { ...rig, preview, write };
  }

  it('says what would go, asks for nothing, and moves by whole exchanges', async () => {
    const { house, session, preview } = await planned(4);
    const { plan, draft, work } = viewOf(session);
    assert.ok(plan !== null && plan.shorter !== null);
    assert.deepEqual([plan.messages, plan.of, plan.longer, draft, work], [8, 8, null, null, null]);
    assert.equal(plan.earlier.messages, 4);
    assert.deepEqual(
      plan.rows.map(({ role, isReplaced }) => [role, isReplaced]),
      ['user', 'assistant', 'user', 'assistant'].map((role) => [role, true]),
    );
    assert.match(plan.rows[0]?.text ?? '', /^Question 3/);
    await preview.plan(plan.shorter);
    const moved = viewOf(session).plan;
    assert.deepEqual([moved?.messages, moved?.longer, moved?.later.messages], [6, plan.upTo, 0]);
    assert.deepEqual(column(moved?.rows, 'isReplaced'), [true, true, true, true, false, false]);
    assert.deepEqual([moved?.tokens === plan.tokens, moved?.price === null], [false, false]);
    assert.equal(house.bodies.length, 4);
    await session.compactor.dismiss();
    assert.equal(summaryPreviewView(session), null);
  });

  it('opens what its list folds, and keeps it open when the line moves and when the text is written', async () => {
    const { window, session, preview, write } = await planned(4);
    const { say } = openPanel(window, { currentChat: session.id });
    const chatId = session.id;
    const folds = (): readonly (number | null)[] => {
      const { plan } = viewOf(session);
      return [plan?.earlier.rows?.length ?? null, plan?.later.rows?.length ?? null];
    };
    assert.deepEqual(folds(), [null, null]);
    await say({ type: 'openSummaryRows', chatId, part: 'earlier', isOpen: true });
    assert.deepEqual(folds(), [4, null]);
    assert.match(viewOf(session).plan?.earlier.rows?.[0]?.text ?? '', /^Question 1/);
    await preview.plan(viewOf(session).plan?.shorter ?? '');
    assert.deepEqual(folds(), [2, null]);
    await write('Short.');
    assert.deepEqual([folds(), draftOf(session).text.startsWith('Short.')], [[2, null], true]);
    await say({ type: 'openSummaryRows', chatId, part: 'earlier', isOpen: false });
    assert.deepEqual([folds(), draftOf(session).text.startsWith('Short.')], [[null, null], true]);
  });

  it('counts the earlier summary, for which the new one stands, too: as the checkpoint does then', async () => {
    const { house, session } = await talk(windows, 3, {});
    house.replies.push([{ text: 'They read tide tables.' }]);
    await session.compactor.summarize(null);
    const earlier = activeCompaction(session.state)?.tokens.after;
    house.replies.push([{ text: `Answer 4. ${LONG}` }]);
    await session.conversation.send('Question 4');
    const { preview } = session.compactor;
    await preview.plan(null);
    const { plan } = viewOf(session);
    assert.deepEqual([plan?.messages, plan?.earlierSummary], [2, earlier]);
    house.replies.push([{ text: 'Short.' }]);
    await preview.write();
    await preview.apply('Short.');
    assert.equal(activeCompaction(session.state)?.tokens.before, plan?.tokens);
  });

  it('follows a pin at once: what is pinned stays', async () => {
    const { window, session } = await talk(windows, 3, {});
    const { say } = openPanel(window, { currentChat: session.id });
    await say({ type: 'planSummary', chatId: session.id, upTo: null });
    const { id: messageId } = lastUser(session.state);
    const before = viewOf(session).plan;
    await say({ type: 'pin', chatId: session.id, messageId });
    const after = viewOf(session).plan;
    assert.deepEqual([before?.messages, after?.messages], [6, 5]);
    const row = after?.rows.find(({ id }) => id === messageId);
    assert.deepEqual([row?.isPinned, row?.isReplaced], [true, false]);
  });

  it('is written when it is asked for, edited, and used as the user has left it; the original run stays paid', async () => {
    const { house, session, preview } = await planned(3);
    house.replies.push([{ text: 'They read `tides.ts`.' }]);
    const unpaid = ledgerTotals(session.state);
    await preview.write();
    assert.notDeepEqual(ledgerTotals(session.state), unpaid);
    const draft = draftOf(session);
    assert.match(draft.written, /^They read `tides\.ts`\./);
    assert.equal(activeCompaction(session.state), null, 'nothing is in use yet');
    await session.conversation.send('Question 4');
    assert.match(house.bodies.at(-1) ?? '', /Answer 1/);
    await preview.typed('Shorter.');
    assert.ok(draftOf(session).tokens < draft.tokens);
    const before = ledgerTotals(session.state);
    await preview.apply('Shorter.');
    assert.equal(summaryPreviewView(session), null);
    assert.equal(compacted(session.state).checkpoint?.text, 'Shorter.');
    assert.deepEqual(ledgerTotals(session.state), before);
    await session.conversation.send('Question 5');
    const body = house.bodies.at(-1) ?? '';
    assert.ok(body.includes('Shorter.') && body.includes('Question 4') && !body.includes('Answer 1'));
    await session.compactor.undo();
    await session.conversation.send('Question 6');
    assert.match(house.bodies.at(-1) ?? '', /Answer 1/);
  });

  it('tells the most that it costs, and once it is written what it has cost and saves', async () => {
    const { house, session } = await talk(windows, 3, {});
    const { preview } = session.compactor;
    const priceOf = (): SummaryPriceView | null => viewOf(session).plan?.price ?? null;
    const spent = (): number => ledgerTotals(session.state).cost ?? 0;
    await preview.plan(null);
    assert.equal(priceOf()?.isMost, true);
    const unpaid = spent();
    house.replies.push([{ text: 'They read tide tables.' }, { bills: [1_000, 20] }]);
    await preview.write();
    const written = priceOf();
    assert.ok(written !== null && spent() > unpaid);
    assert.deepEqual([written.isMost, written.cost.toFixed(9)], [false, (spent() - unpaid).toFixed(9)]);
    await preview.typed('Short.');
    const typed = priceOf();
    assert.deepEqual([typed?.cost, (typed?.saving ?? 0) > written.saving], [written.cost, true]);
  });

  it('shows in the panel as any summary once it is used', async () => {
    const { house, window, session } = await talk(windows, 3, {});
    const { say, webview } = await panelOf(window, session.id);
    await say({ type: 'planSummary', chatId: session.id, upTo: null });
    house.replies.push([{ text: 'Short.' }]);
    await say({ type: 'writeSummary', chatId: session.id });
    await until(() => (webview.state.summaryPreview?.draft ?? null) !== null, 'the draft is shown');
    await say({ type: 'applySummary', chatId: session.id, text: 'Mine.' });
    await until(() => webview.state.summaryPreview === null, 'the pane is closed');
    assert.equal(messages(session.state).filter(({ role }) => role === 'summary').length, 1);
    const shown = webview.state.entries.find(({ kind }) => kind === 'summary');
    assert.deepEqual(shown?.kind === 'summary' && [shown.status, shown.text, shown.requests.length], ['active', 'Mine.', 1]);
  });

  it('has as many messages in the conversation as in the preview, without a pinned one and one that was not sent', async () => {
    const { house, window, session } = await talk(windows, 1, {});
    const { webview } = await panelOf(window, session.id);
    house.replies.push([{ fails: failure('http.notHere', { label: 'House', status: 404, inputLimit: null, refusedMember: null }) }]);
    await session.conversation.send('Where are the tides?');
    house.replies.push([{ text: `Answer 2. ${LONG}` }]);
    await session.conversation.send('Question 2');
    await session.marks.pin(lastUser(session.state).id);
    const { preview } = session.compactor;
    await preview.plan(null);
    assert.deepEqual([viewOf(session).plan?.messages, viewOf(session).plan?.of], [3, 4]);
    house.replies.push([{ text: 'Short.' }]);
    await preview.write();
    await preview.apply('Short.');
    const summary = (): PanelState['entries'][number] | undefined => webview.state.entries.find(({ kind }) => kind === 'summary');
    await until(() => summary() !== undefined, 'the summary');
    const shown = summary();
    assert.deepEqual(shown?.kind === 'summary' && [shown.messages, shown.pins], [3, 1]);
  });

  it('is the same checkpoint with another text when the one in use is edited', async () => {
    const { house, session } = await talk(windows, 3, {});
    house.replies.push([{ text: 'They read tide tables.' }]);
    await session.compactor.summarize(null);
    const before = activeCompaction(session.state);
    await session.compactor.preview.edit(before?.summaryId ?? '');
    assert.equal(viewOf(session).plan, null);
    await session.compactor.preview.apply('They read tables.');
    const after = activeCompaction(session.state);
    assert.deepEqual([after?.id, after?.to, compacted(session.state).checkpoint?.text], [before?.id, before?.to, 'They read tables.']);
    assert.equal((await rejection(session.compactor.preview.edit('other'))).code, 'summary.notInUse');
  });

  it('is refused when it is empty, and closed with a reason when a message that it stands for has changed', async () => {
    const { house, session } = await talk(windows, 3, {});
    const { preview } = session.compactor;
    assert.equal((await rejection(preview.apply('x'))).code, 'summary.notPlanned');
    await preview.plan(null);
    house.replies.push([{ text: 'Short.' }]);
    await preview.write();
    assert.equal((await rejection(preview.apply(' '))).code, 'summary.empty');
    await session.conversation.send('Question 4');
    assert.equal(viewOf(session).draft?.text, draftOf(session).written, 'what comes later leaves it as it is');
    await session.conversation.edit(lastUser(session.state).id, 'Another question 4');
    assert.notEqual(summaryPreviewView(session), null, 'as does what is edited behind it');
    const third = messages(session.state).filter(({ role }) => role === 'user')[2];
    await session.conversation.edit(third?.id ?? '', 'Another question');
    assert.deepEqual([summaryPreviewView(session), session.compactor.status], [null, { kind: 'outdated', madeRoom: false }]);
    assert.equal((await rejection(preview.apply('Short.'))).code, 'summary.notPlanned');
    assert.equal(activeCompaction(session.state), null);
    await session.conversation.send('Question 5');
    assert.equal(session.compactor.status, null);
  });

  it('is closed with a reason when the summary that is edited is undone, and when what it is moved away from changes', async () => {
    const { house, session, preview, write } = await planned(3);
    const upTo = viewOf(session).plan?.shorter ?? '';
    await write('Short.');
    await preview.plan(upTo);
    await session.conversation.edit(lastUser(session.state).id, 'Another question');
    assert.deepEqual([summaryPreviewView(session), session.compactor.status], [null, { kind: 'outdated', madeRoom: false }]);
    house.replies.push([{ text: 'They read tide tables.' }]);
    await session.compactor.summarize(null);
    await preview.edit(activeCompaction(session.state)?.summaryId ?? '');
    await session.compactor.undo();
    await until(() => session.compactor.status?.kind === 'outdated', 'the preview is closed');
    assert.equal(summaryPreviewView(session), null);
  });

  it('is closed with a reason while it is written', async () => {
    const { house, session, preview } = await planned(3);
    house.replies.push(['hang']);
    const { length } = house.bodies;
    const writing = preview.write();
    await until(() => house.bodies.length > length, 'the request is sent');
    await session.conversation.edit(lastUser(session.state).id, 'Another question');
    await writing;
    assert.deepEqual([summaryPreviewView(session), session.compactor.status], [null, { kind: 'outdated', madeRoom: false }]);
  });

  it('shows why it could not be written, and leads back to the plan when it was cancelled', async () => {
    const { house, session, preview, write } = await planned(2);
    await write('');
    assert.deepEqual([viewOf(session).work?.kind, viewOf(session).draft], ['failed', null]);
    house.replies.push(['hang']);
    const writing = preview.write();
    await session.compactor.cancelOnShow();
    await writing;
    assert.deepEqual([viewOf(session).work, viewOf(session).draft, viewOf(session).plan?.messages], [null, null, 4]);
  });

  it('keeps its text, as the user has left it, until another is written', async () => {
    const { house, window, session, preview, write } = await planned(3);
    const { say } = openPanel(window, { currentChat: session.id });
    const chatId = session.id;
    await write('Short.');
    const upTo = viewOf(session).plan?.shorter ?? '';
    // The line moves before the text is counted.
    await Promise.all([say({ type: 'summaryTyped', chatId, text: 'Mine.' }), say({ type: 'planSummary', chatId, upTo })]);
    const moved = viewOf(session);
    assert.deepEqual([moved.draft, moved.hasText, moved.plan?.messages], [null, true, 4]);
    await write('');
    assert.deepEqual([viewOf(session).work?.kind, viewOf(session).hasText], ['failed', true]);
    await say({ type: 'showSummaryText', chatId });
    const back = viewOf(session);
    assert.deepEqual([back.draft?.text, back.hasText, back.plan?.messages, back.work], ['Mine.', false, 6, null]);
    house.replies.push(['hang']);
    const { length } = house.bodies;
    const writing = preview.write();
    await until(() => house.bodies.length > length, 'the request is sent');
    await session.compactor.cancelOnShow();
    await writing;
    assert.equal(viewOf(session).draft?.text, 'Mine.', 'a cancelled one takes its place no more than a failed one');
    await preview.plan(upTo);
    await write('Another.');
    assert.deepEqual([viewOf(session).hasText, viewOf(session).plan?.messages], [false, 4]);
    assert.match(draftOf(session).text, /^Another\./);
  });

  it('keeps its text when it is closed, until its messages change', async () => {
    const { session, preview, write } = await planned(3);
    await write('Short.');
    await preview.typed('Mine.');
    await session.compactor.dismiss();
    assert.equal(summaryPreviewView(session), null);
    await preview.plan(null);
    assert.equal(viewOf(session).hasText, true);
    await preview.showText();
    assert.equal(draftOf(session).text, 'Mine.');
    await session.compactor.dismiss();
    await session.conversation.edit(lastUser(session.state).id, 'Another question');
    assert.equal(session.compactor.status, null, 'nothing is said of a preview that was not open');
    await preview.plan(null);
    assert.equal(viewOf(session).hasText, false);
  });

  it('keeps the edit of the summary in use when it is closed, until it is used', async () => {
    const { house, session } = await talk(windows, 3, {});
    const { preview } = session.compactor;
    house.replies.push([{ text: 'They read tide tables.' }]);
    await session.compactor.summarize(null);
    const summaryId = activeCompaction(session.state)?.summaryId ?? '';
    await preview.edit(summaryId);
    await preview.typed('Mine.');
    await session.compactor.dismiss();
    await preview.edit(summaryId);
    assert.deepEqual([draftOf(session).text, viewOf(session).plan], ['Mine.', null]);
    await preview.apply('Mine and longer.');
    await preview.edit(summaryId);
    assert.equal(draftOf(session).text, 'Mine and longer.');
  });

  it('is closed with a reason when a message that needs room has the conversation summarized', async () => {
    const { house, session } = await talk(windows, 3, { compactionPolicy: 'rolling-window' });
    await session.compactor.preview.plan(null);
    await session.changeConfig({ maxPromptTokens: 1_500 });
    house.replies.push([{ text: 'Short.' }], [{ text: 'Answer 4.' }]);
    await session.conversation.send(`Question 4. ${LONG.repeat(2)}`);
    assert.notEqual(activeCompaction(session.state), null);
    assert.deepEqual([summaryPreviewView(session), session.compactor.status], [null, { kind: 'outdated', madeRoom: true }]);
  });

  it('is cancelled when the pane is closed while it is written, and shows nowhere', async () => {
    const { house, session, preview } = await planned(2);
    house.replies.push(['hang']);
    const writing = preview.write();
    await session.compactor.dismiss();
    await writing;
    assert.deepEqual([summaryPreviewView(session), session.compactor.status], [null, null]);
  });
});
