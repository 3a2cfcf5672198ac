import assert from 'node:assert/strict';
import type { AttemptUsage } from '../../../src/engine/accounting/attemptUsage.js';
import { attemptUsages } from '../../../src/engine/accounting/attemptUsage.js';
import { periodAt } from '../../../src/engine/accounting/periods.js';
import { costOf } from '../../../src/engine/model/price.js';
import { CSV_HEAD, csvLine, exportedAttempt } from '../../../src/engine/accounting/usageExport.js';
import { usageReport, type UsageFilter, type UsageReport } from '../../../src/engine/accounting/usageReport.js';
import { attemptsNamed, sortedAttempts } from '../../../src/engine/accounting/usageTable.js';
import { attemptPrice, attemptsIn, usagePart, type UsedAttempt } from '../../../src/engine/accounting/usedAttempt.js';
import type { Usage } from '../../../src/engine/model/usage.js';
import { columns } from '../../support/columns.js';
import { attemptEnded, attemptStarted, created, logged, runStarted, stateOf, usage } from '../../support/engine/events.js';
import { user } from '../../support/engine/messages.js';
import { PRICES, usedAttempt, WEDNESDAY } from '../../support/engine/usedAttempts.js';

const DAY = 86_400_000;
const WEEK = periodAt('week', WEDNESDAY);
const NO_FILTER: UsageFilter = { chatId: null, model: null, part: null, bar: null };
const SMALL = { provider: 'house', model: 'small' };
const priced = ({ model }: { readonly model: string }): typeof PRICES | null => (model === 'free' ? null : PRICES);

function used(chats: Readonly<Record<string, readonly AttemptUsage[]>>): UsedAttempt[] {
  return attemptsIn(
    Object.entries(chats).map(([chatId, rows]) => ({ chatId, rows })),
    WEEK,
    (at) => at,
  );
}

function report(chats: Readonly<Record<string, readonly AttemptUsage[]>>, filter: Partial<UsageFilter>): UsageReport {
  return usageReport(used(chats), { period: WEEK, stackBy: 'part', filter: { ...NO_FILTER, ...filter } }, priced);
}

describe('the usage report', () => {
  it('takes each attempt once: discarded wins over retry, retry over the purpose, and a topic is a summary', () => {
    const rows: readonly (readonly [Partial<AttemptUsage>, string])[] = [
      [{}, 'reply'],
      [{ purpose: 'title' }, 'title'],
      [{ purpose: 'topic' }, 'summary'],
      [{ purpose: 'summary' }, 'summary'],
      [{ purpose: 'summary', isRetry: true }, 'retry'],
      [{ isRetry: true, isDiscarded: true }, 'discarded'],
    ];
    for (const [row, part] of rows) {
      assert.equal(usagePart(usedAttempt('a', row)), part);
    }
    const { legend, total } = report({ chat: rows.map(([row], at) => usedAttempt(`a${at}`, row)) }, {});
    assert.deepEqual(
      legend.map(({ key, sum }) => [key, sum.requests]),
      [
        ['reply', 1],
        ['title', 1],
        ['summary', 2],
        ['retry', 1],
        ['discarded', 1],
      ],
    );
    assert.equal(total.requests, 6);
  });

  it('knows an attempt that repeats a failed one from the next step of a tool loop', () => {
    const plan = { at: 1, number: 1, most: 4 };
    const state = stateOf(
      created(),
      logged('r', user('u', 'Hello')),
      runStarted('r', 'u'),
      attemptStarted('r', 'failed'),
      { ...attemptEnded('r', 'failed', 'failed'), retry: plan },
      attemptStarted('r', 'repeat'),
      attemptEnded('r', 'repeat', 'complete'),
      attemptStarted('r', 'next-step'),
      attemptEnded('r', 'next-step', 'complete'),
    );
    assert.ok(state.extent === 'whole');
    assert.deepEqual(columns(attemptUsages(state), 'id', 'isRetry'), [
      ['failed', undefined],
      ['repeat', true],
      ['next-step', undefined],
    ]);
  });

  it('counts by local days: the time zone comes in from outside', () => {
    const late = usedAttempt('late', { at: Date.UTC(2026, 10, 22, 23, 30) });
    const inZone = (hours: number): number => attemptsIn([{ chatId: 'chat', rows: [late] }], WEEK, (at) => at + hours * 3_600_000).length;
    assert.deepEqual([inZone(0), inZone(1), inZone(-12)], [1, 0, 1]);
  });

  it('tells what the cache saved at the prices of the time, and of how many it does not know that', () => {
    const { saving, total } = report({ chat: [usedAttempt('a', {}), usedAttempt('b', { cost: { usd: 1, atLeast: false } })] }, {});
    // 20,000 tokens read for 0.3 instead of 3, 2,000 written for 3.75 instead of 3.
    assert.ok(Math.abs((saving.usd ?? 0) - (20_000 * 2.7 - 2_000 * 0.75) / 1e6) < 1e-12);
    assert.equal(saving.unknown, 1);
    assert.ok(Math.abs((total.usd ?? 0) - 1 - (costOf(usage(1_000, 20_000, 2_000, 500), PRICES)?.usd ?? 0)) < 1e-9);
    const written = report({ chat: [usedAttempt('a', { usage: usage(0, 0, 10_000, 0) })] }, {});
    assert.ok((written.saving.usd ?? 0) < 0, 'a cache that is written and never read costs more');
  });

  it('tells an unknown price from none, and does not count what nobody billed', () => {
    const free = { provider: 'house', model: 'free' };
    const partly: Usage = { ...usage(10, 0, 0, 10), cacheReadInputTokens: null };
    const rows = [
      usedAttempt('known', {}),
      usedAttempt('unknown', { usage: null }),
      usedAttempt('part', { usage: partly, cost: null }),
      usedAttempt('free', { model: free, cost: null }),
      usedAttempt('free-part', { model: free, usage: partly, cost: null }),
      usedAttempt('practice', { isUnbilled: true, cost: null }),
    ];
    const prices = rows.slice(1).map((row) => attemptPrice(row, priced));
    assert.deepEqual(prices, ['unknown', 'unknown', 'noPrice', 'noPrice', 'unbilled']);
    const { total, unbilled } = report({ chat: rows }, {});
    assert.deepEqual([total.requests, total.unknown, total.noPrice, unbilled], [5, 2, 2, 1]);
    const alone = report({ chat: rows.slice(-1) }, {});
    assert.deepEqual([alone.total.requests, alone.total.input, alone.measure, alone.unbilled], [1, 23_000, 'tokens', 0]);
  });

  it('counts in the total and the chart what is filtered by chat and model, and in each list all its lines', () => {
    const chats = {
      one: [usedAttempt('a', {}), usedAttempt('b', { model: SMALL, isDiscarded: true })],
      other: [usedAttempt('c', { at: WEDNESDAY + DAY })],
    };
    const counts = (filter: Partial<UsageFilter>): readonly unknown[] => {
      const { total, models, chats: byChat } = report(chats, filter);
      return [total.requests, models.groups.map(({ sum }) => sum.requests), byChat.groups.map(({ key }) => key)];
    };
    assert.deepEqual(counts({}), [3, [2, 1], ['one', 'other']]);
    assert.deepEqual(counts({ chatId: 'one' }), [2, [1, 1], ['one', 'other']]);
    assert.deepEqual(counts({ model: 'house/small' }), [1, [2, 1], ['one']]);
    assert.deepEqual(counts({ part: 'discarded' }), [3, [1], ['one']]);
    assert.deepEqual(counts({ bar: WEEK.from + 3 * DAY }), [3, [1], ['other']]);
  });

  it('gives five lines at most, the last one for all others', () => {
    const chats = Object.fromEntries(
      Array.from({ length: 21 }, (_, at) => [`c${at}`, [usedAttempt(`a${at}`, { usage: usage(1_000 * (at + 1), 0, 0, 0) })]]),
    );
    const { groups, others } = report(chats, {}).chats;
    assert.deepEqual(
      groups.map(({ key, sum }) => [key, sum.requests]),
      [
        ['c20', 1],
        ['c19', 1],
        ['c18', 1],
        ['c17', 1],
        [null, 17],
      ],
    );
    assert.equal(others, 17);
  });
});

describe('the table of requests', () => {
  const ports = { pricesOf: priced, namesOf: ({ chatId, model, part }: UsedAttempt) => ({ purpose: part, chat: chatId, model }) };
  const attempts = used({
    Tides: [usedAttempt('a', { at: WEDNESDAY + 1, usage: usage(5, 0, 0, 1) }), usedAttempt('b', { usage: null })],
    gauges: [usedAttempt('c', { at: WEDNESDAY + 2, usage: usage(7, 0, 0, 1), isDiscarded: true })],
  });

  it('is sorted by any column, and what is unknown stands last either way', () => {
    const order = (column: 'when' | 'chat' | 'in' | 'price', isDescending: boolean): string =>
      sortedAttempts(attempts, { column, isDescending }, ports)
        .map(({ row }) => row.id)
        .join('');
    assert.deepEqual([order('when', true), order('when', false)], ['cab', 'bac']);
    assert.deepEqual([order('in', true), order('in', false)], ['cab', 'acb']);
    assert.deepEqual([order('price', true), order('chat', false)], ['cab', 'cab']);
  });

  it('finds all words in the names of a request, in any case', () => {
    const found = (text: string): string =>
      attemptsNamed(attempts, text, ports)
        .map(({ row }) => row.id)
        .join('');
    assert.deepEqual([found('tides'), found(' DISCARDED  gau'), found('large'), found('nothing')], ['ab', 'c', 'abc', '']);
  });
});

describe('the export of requests', () => {
  const [attempt] = used({
    chat: [
      usedAttempt('a', {
        usage: { ...usage(1, 2, 5, 4), cacheCreation: { fiveMinutes: 2, oneHour: 3 }, completionTokens: { value: 4, source: 'estimated' } },
        cost: null,
      }),
    ],
  });
  const words = { when: '2026-11-18T12:00:00.000Z', chat: '=HYPERLINK("a")', held: null };

  it('has raw ids, each figure with its source, and the writes by their time to live', () => {
    assert.ok(attempt !== undefined);
    const {
      written_5m_tokens: short,
      written_1h_tokens: long,
      output_tokens_source: source,
      usd,
      attempt_id: id,
    } = exportedAttempt(attempt, words);
    assert.deepEqual([short, long, source, usd, id], [2, 3, 'estimated', null, 'a']);
  });

  it('has costs without the errors of binary arithmetic', () => {
    const [costly] = used({ chat: [usedAttempt('a', { cost: { usd: 0.013331850000000001, atLeast: false } })] });
    assert.equal(exportedAttempt(costly ?? assert.fail(), words)['usd'], 0.01333185);
  });

  it('is CSV with a cell for each column, empty where unknown, and no title is a formula', () => {
    assert.ok(attempt !== undefined);
    const line = csvLine(attempt, words);
    assert.ok(line.includes(`,"'=HYPERLINK(""a"")",`), line);
    assert.equal(csvLine(attempt, { ...words, chat: 'x' }).split(',').length, CSV_HEAD.split(',').length);
    assert.ok(line.includes(',,,false,'), line);
  });

  it('says what the request held, and nothing where that is not known', () => {
    assert.ok(attempt !== undefined);
    const tokens = { system: 1, rules: 2, references: 3, skills: 4, files: 5, repository: 16, tools: 6, conversation: 7, editor: 15 };
    const held = { tokens, items: { rule: 8, reference: 9, skill: 10, tool: 11, file: 12, page: 14, repository: 17 }, notSelected: 13 };
    const contextOf = (known: typeof held | null): Record<string, unknown> =>
      Object.fromEntries(
        Object.entries(exportedAttempt(attempt, { ...words, held: known })).filter(([name]) => name.startsWith('context_')),
      );
    assert.deepEqual(contextOf(held), {
      context_system_tokens: 1,
      context_rules_tokens: 2,
      context_references_tokens: 3,
      context_skills_tokens: 4,
      context_files_tokens: 5,
      context_repository_tokens: 16,
      context_tools_tokens: 6,
      context_conversation_tokens: 7,
      context_editor_tokens: 15,
      context_rules: 8,
      context_references: 9,
      context_skills: 10,
      context_tools: 11,
      context_files: 12,
      context_pages: 14,
      context_repository_parts: 17,
      context_not_selected: 13,
    });
    assert.ok(Object.values(contextOf(null)).every((value) => value === null));
  });
});
