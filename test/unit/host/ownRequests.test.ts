import assert from 'node:assert/strict';
import { attemptUsages } from '../../../src/engine/accounting/attemptUsage.js';
import { ledgerTotals, spentTotals } from '../../../src/engine/chat/ledger.js';
import { usagePart } from '../../../src/engine/accounting/usedAttempt.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import type { SummaryEntry } from '../../../src/protocol/panel/compaction.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';
import { columns } from '../../support/columns.js';
import { failureOf } from '../../support/failures.js';
import { conversation, messages } from '../../support/host/reading.js';
import { LONG, talk, type Rig } from '../../support/host/summaryRig.js';
import { useWindows } from '../../support/host/window.js';

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
