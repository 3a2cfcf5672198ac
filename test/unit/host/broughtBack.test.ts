import assert from 'node:assert/strict';
import type { SummaryEntry } from '../../../src/protocol/panel/entries.js';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { column, columns } from '../../support/columns.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { messages, wholeState, conversation } from '../../support/host/reading.js';
import { LOST_PATH, talk, talkWithLoss, type Rig, LONG } from '../../support/host/summaryRig.js';
import { useWindows } from '../../support/host/window.js';
import { attemptUsages } from '../../../src/engine/accounting/attemptUsage.js';
import { ledgerTotals, spentTotals } from '../../../src/engine/chat/ledger.js';
import { usagePart } from '../../../src/engine/accounting/usedAttempt.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';
import { failureOf } from '../../support/failures.js';

describe('a fact that a summary lost', () => {
  const windows = useWindows();

  /** A chat whose summary lost the paths of its first answer. */
  async function summarized(): Promise<Rig & { readonly test: TestPanel; readonly lost: string }> {
    const rig = await talkWithLoss(windows);
    const { window, session } = rig;
    const test = await panelOf(window, session.id);
    await session.conversation.send('Thanks');
    const lost = entry(test).kept.find(({ label }) => label === 'File paths')?.lost[0];
    assert.equal(lost, LOST_PATH);
    return { ...rig, test, lost };
  }

  function entry({ snapshot }: TestPanel): SummaryEntry {
    const found = snapshot().entries.find((each) => each.kind === 'summary');
    assert.ok(found);
    return found;
  }

  const bringBack = async (test: TestPanel, session: ChatSession, fact: string): Promise<void> =>
    test.say({ type: 'bringBackFact', chatId: session.id, summaryId: entry(test).id, fact });

  it('is brought back: the next request holds it, the list has it as kept, and the summary stays where it stands', async () => {
    const { house, window, session, test, lost } = await summarized();
    const before = { entry: entry(test), ids: test.webview.state.entries.map(({ id }) => id) };
    await bringBack(test, session, lost);
    const after = entry(test);
    assert.deepEqual(column(test.webview.state.entries, 'id'), before.ids);
    const paths = after.kept.find(({ label }) => label === 'File paths');
    assert.deepEqual(paths, { label: 'File paths', kept: 1, all: 1, lost: [] });
    assert.deepEqual([after.lines, after.tokens.before], [before.entry.lines + 1, before.entry.tokens.before]);
    assert.ok(after.tokens.after > before.entry.tokens.after);
    await session.conversation.send('And now?');
    assert.match(house.bodies.at(-1) ?? '', /- src\/tides\/old\.ts/);
    assert.equal(window.errors.length, 0);
  });

  it('is brought back once, and nothing else is', async () => {
    const { session, test, lost } = await summarized();
    await bringBack(test, session, lost);
    const once = entry(test);
    await bringBack(test, session, lost);
    await bringBack(test, session, 'Delete all of it.');
    assert.deepEqual(entry(test), once);
  });

  it('stays where the user goes back to before it was brought back, and in another window', async () => {
    const { house, session, test, lost } = await summarized();
    await bringBack(test, session, lost);
    const last = messages(session.state).findLast(({ role }) => role === 'user');
    await session.conversation.edit(last?.id ?? '', 'Thank you');
    assert.match(house.bodies.at(-1) ?? '', /- src\/tides\/old\.ts/);
    const other = windows.open({ writerId: 'other', sources: [house.source] });
    assert.deepEqual(wholeState((await other.chats.open(session.id)).state), wholeState(session.state));
  });

  it('leaves with the summary that is undone; the request before it is still the one that was sent', async () => {
    const { house, session, test, lost } = await summarized();
    const sent = house.bodies.at(-1);
    const attempt = [...session.state.attempts.keys()].at(-1) ?? '';
    await bringBack(test, session, lost);
    const { rebuilt } = await session.records.request(attempt);
    assert.deepEqual([rebuilt.body, rebuilt.note], [sent, null]);
    await session.compactor.undo();
    assert.equal(activeCompaction(session.state), null);
    await session.conversation.send('And now?');
    assert.match(house.bodies.at(-1) ?? '', /Where are the tides\?/);
    assert.doesNotMatch(house.bodies.at(-1) ?? '', /Previous Conversation Summary/);
  });

  it('is a line that the next summary must keep, too', async () => {
    const { house, session, test, lost } = await summarized();
    await bringBack(test, session, lost);
    house.replies.push([{ text: 'All of it in short.' }]);
    await session.compactor.summarize(null);
    await session.conversation.send('And now?');
    assert.match(house.bodies.at(-1) ?? '', /All of it in short\.[^"]*- src\/tides\/old\.ts/);
  });
});

describe('the request of a summary', () => {
  const windows = useWindows();

  it('is reached from its checkpoint, byte for byte', async () => {
    const { house, window, session } = await talk(windows, 2, {});
    const test = await panelOf(window, session.id);
    house.replies.push([{ text: 'Short.' }]);
    await session.compactor.summarize(null);
    const entry = test.snapshot().entries.find((each) => each.kind === 'summary');
    const { attempt, rebuilt } = await session.records.request(entry?.requests[0]?.attemptId ?? '');
    assert.deepEqual([attempt.purpose, rebuilt.body, rebuilt.note], ['summary', house.bodies.at(-1), null]);
  });

  it('is reached from one that failed', async () => {
    const { house, window, session } = await talk(windows, 2, {});
    const test = await panelOf(window, session.id);
    house.replies.push([{ text: '' }]);
    await test.say({ type: 'summarize', chatId: session.id, upTo: null });
    const { compaction } = test.snapshot();
    assert.ok(compaction?.kind === 'failed');
    assert.equal((await session.records.request(compaction.attemptId ?? '')).rebuilt.body, house.bodies.at(-1));
  });
});

/** A topic search gets 1,000 characters of a message. */
const SHOWN_WHOLE = LONG.slice(0, 900);
const SMALL = { maxPromptTokens: 4_000, verbatimTokens: 500 } as const;

function checkpoint({ state }: ChatSession): SummaryEntry {
  const entry = new EntryViews(() => ANY_MODEL).derive(state, 50).entries.find(({ kind }) => kind === 'summary');
  assert.ok(entry?.kind === 'summary');
  return entry;
}

function summariesInUsage({ state }: ChatSession): readonly unknown[] {
  assert.ok(state.extent === 'whole');
  const { cost, attempts } = spentTotals(attemptUsages(state).filter((row) => usagePart(row) === 'summary'));
  return [cost, attempts];
}

describe('the requests behind a checkpoint', () => {
  const windows = useWindows();

  /** Sends until the chat is summarized. `answer` is the model's answer about topics. */
  async function shortened(answer: (count: number) => string): Promise<Rig> {
    const rig = await talk(windows, 0, SMALL);
    const { house, session } = rig;
    for (let number = 1; session.state.compactions.size === 0 && number <= 20; number += 1) {
      const count = conversation(session.state).length + 2;
      house.replies.push(
        [{ text: `Answer ${String(number)}. ${SHOWN_WHOLE}` }],
        [{ text: answer(count) }, { bills: [9_000, 40] }],
        [{ text: 'In short.' }, { bills: [9_500, 60] }],
      );
      await session.conversation.send(`Question ${String(number)}`);
      await session.compactor.settled();
      house.replies.length = 0;
    }
    assert.equal(session.state.compactions.size, 1);
    return rig;
  }

  it('are the topic search and the summary, with the price of both, as in Usage and in the sum of the chat', async () => {
    const { session, window, house } = await shortened(() => 'no topic');
    const { requests, paidRequests, cost, isAtLeast, form } = checkpoint(session);
    assert.deepEqual(columns(requests, 'purpose', 'inputTokens', 'outputTokens'), [
      ['topic', 9_000, 40],
      ['summary', 9_500, 60],
    ]);
    assert.deepEqual([form, paidRequests, isAtLeast], ['written', 2, false]);
    assert.deepEqual(summariesInUsage(session), [cost, 2]);
    const replies = [...session.state.attempts.values()].flatMap(({ purpose, end }) => (purpose === 'reply' ? (end?.cost?.usd ?? 0) : []));
    const all = ledgerTotals(session.state).cost ?? 0;
    assert.ok(Math.abs(all - (cost ?? 0) - replies.reduce((sum, each) => sum + each, 0)) < 1e-9);
    const other = windows.open({ writerId: 'other', sources: [house.source] });
    assert.deepEqual(checkpoint(await other.chats.open(session.id)), checkpoint(session));
    assert.equal(window.errors.length, 0);
  });

  it('is the topic search alone where the text of the summary came with it', async () => {
    const { session } = await shortened((count) =>
      JSON.stringify({ boundary_index: count - 4, boundary_reason: 'x', confidence: 0.2, summary: 'They read tide tables.' }),
    );
    const { text, requests, cost, paidRequests } = checkpoint(session);
    assert.match(text, /They read tide tables\./);
    assert.deepEqual([requests.map(({ purpose, model }) => [purpose, model]), paidRequests], [[['topic', ANY_MODEL.label]], 1]);
    assert.ok(cost !== null && cost > 0);
    assert.deepEqual(summariesInUsage(session), [cost, 1]);
  });

  it('is the topic search where the beginning was left out for another topic', async () => {
    const { session } = await shortened((count) =>
      JSON.stringify({ boundary_index: count - 2, boundary_reason: 'x', confidence: 0.9, summary: '' }),
    );
    const { form, requests, cost } = checkpoint(session);
    assert.deepEqual([form, requests.map(({ purpose }) => purpose)], ['leftOut', ['topic']]);
    assert.deepEqual(summariesInUsage(session), [cost, 1]);
  });

  it('do not count one that was turned down, and have its price once the repeat is known', async () => {
    const { house, session } = await talk(windows, 3, {});
    house.replies.push([{ fails: failureOf('overloaded', 'The model is busy.') }], [{ text: 'In short.' }, { bills: [9_500, 60] }]);
    await session.compactor.summarize(null);
    const { requests, paidRequests, cost, isAtLeast } = checkpoint(session);
    assert.deepEqual([requests.length, paidRequests, isAtLeast], [2, 1, false]);
    assert.ok(cost !== null && cost > 0);
  });

  it('stay with the chat that made them: a fork has none', async () => {
    const { session, window } = await shortened(() => 'no topic');
    const last = messages(session.state).findLast(({ role }) => role === 'assistant');
    const fork = await window.chats.fork(session, last?.id ?? '');
    const { requests, cost } = checkpoint(fork);
    assert.deepEqual([requests, cost, [...fork.state.compactions.values()][0]?.runs], [[], null, undefined]);
  });
});
