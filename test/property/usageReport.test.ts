import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AttemptUsage } from '../../src/engine/accounting/attemptUsage.js';
import { PERIOD_UNITS, periodAt } from '../../src/engine/accounting/periods.js';
import { costOf } from '../../src/engine/model/price.js';
import { usageReport } from '../../src/engine/accounting/usageReport.js';
import { attemptsIn, USAGE_PARTS } from '../../src/engine/accounting/usedAttempt.js';
import { NOTHING_USED, type UsageSum } from '../../src/engine/accounting/usageSum.js';
import { usage } from '../support/engine/events.js';
import { PRICES, usedAttempt, WEDNESDAY } from '../support/engine/usedAttempts.js';
import { forAll } from '../support/forAll.js';

const DAY = 86_400_000;
const tokens = fc.nat({ max: 50_000 });

const anyRow = fc
  .record({
    at: fc.integer({ min: WEDNESDAY - 40 * DAY, max: WEDNESDAY + 40 * DAY }),
    purpose: fc.constantFrom('reply', 'title', 'summary', 'topic', 'keepWarm', 'embedding', 'count', 'probe' as const),
    model: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g').map((model) => ({ provider: 'house', model })),
    isDiscarded: fc.boolean(),
    isRetry: fc.boolean(),
    isUnbilled: fc.boolean(),
    figures: fc.option(fc.tuple(tokens, tokens, tokens, tokens)),
    isPriced: fc.boolean(),
  })
  .map(({ figures, isPriced, isRetry, ...row }): AttemptUsage => {
    const used = figures === null ? null : usage(...figures);
    const cost = used === null || !isPriced || row.isUnbilled ? null : costOf(used, PRICES);
    return usedAttempt('x', { ...row, ...(isRetry ? { isRetry } : {}), usage: used, cost });
  });

const anyChats = fc.array(fc.array(anyRow, { maxLength: 12 }), { maxLength: 9 });
const anyOffset = fc.integer({ min: -48, max: 56 }).map((quarters) => quarters * 900_000);

function near(a: number | null, b: number | null): void {
  assert.ok(a === b || (a !== null && b !== null && Math.abs(a - b) < 1e-9), `${String(a)} is not ${String(b)}`);
}

function recount(rows: readonly AttemptUsage[]): Pick<UsageSum, 'requests' | 'input' | 'output' | 'usd'> {
  const known = rows.flatMap(({ usage: used }) => (used === null ? [] : [used]));
  const costs = rows.flatMap(({ cost }) => (cost === null ? [] : [cost.usd]));
  return {
    requests: rows.length,
    input: known.reduce(
      (sum, { promptTokens: a, cacheReadInputTokens: b, cacheCreationInputTokens: c }) => sum + a!.value + b!.value + c!.value,
      0,
    ),
    output: known.reduce((sum, { completionTokens }) => sum + completionTokens!.value, 0),
    usd: costs.length === 0 ? null : costs.reduce((a, b) => a + b, 0),
  };
}

function equalSums(sum: UsageSum, rows: readonly AttemptUsage[]): void {
  const { usd, ...counts } = recount(rows);
  assert.deepEqual({ requests: sum.requests, input: sum.input, output: sum.output }, counts);
  near(sum.usd, usd);
}

describe('the usage report over random chats', () => {
  it('is what a recount of the rows gives, in all, by bar, by part, by model and by chat', () => {
    forAll(anyChats, fc.constantFrom(...PERIOD_UNITS), anyOffset, (all, unit, offset) => {
      const chats = all.map((rows, at) => ({ chatId: `chat ${at}`, rows }));
      const period = periodAt(unit, WEDNESDAY + offset);
      const attempts = attemptsIn(chats, period, (at) => at + offset);
      const filter = { chatId: null, model: null, part: null, bar: null };
      const report = usageReport(attempts, { period, stackBy: 'part', filter }, () => PRICES);
      const isInside = ({ at }: AttemptUsage): boolean => at + offset >= period.from && at + offset < period.to;
      const inside = all.flat().filter(isInside);
      const billed = inside.some(({ isUnbilled }) => !isUnbilled) ? inside.filter(({ isUnbilled }) => !isUnbilled) : inside;
      equalSums(report.total, billed);
      for (const bar of report.bars) {
        const inBar = billed.filter(({ at }) => at + offset >= bar.from && at + offset < bar.to);
        equalSums(bar.sum, inBar);
        near(
          bar.groups.reduce((sum, group) => sum + group.sum.requests, 0),
          inBar.length,
        );
      }
      for (const part of USAGE_PARTS) {
        const ofPart = billed.filter(({ isDiscarded, isRetry, purpose }) => {
          const own = isDiscarded ? 'discarded' : isRetry === true ? 'retry' : purpose === 'topic' ? 'summary' : purpose;
          return own === part;
        });
        const group = report.legend.find(({ key }) => key === part);
        assert.equal(group === undefined, ofPart.length === 0 && ['keepWarm', 'embedding', 'count', 'probe'].includes(part));
        equalSums(group?.sum ?? NOTHING_USED, ofPart);
      }
      for (const { groups } of [report.models, report.chats]) {
        near(
          groups.reduce((sum, group) => sum + group.sum.requests, 0),
          billed.length,
        );
        near(
          groups.reduce((sum, group) => sum + (group.sum.usd ?? 0), 0),
          report.total.usd ?? 0,
        );
      }
      for (const { key, sum } of report.chats.groups.filter((group) => group.key !== null)) {
        const rows = chats.find(({ chatId }) => chatId === key)!.rows.filter(isInside);
        equalSums(
          sum,
          rows.filter((row) => billed.includes(row)),
        );
      }
    });
  });
});
