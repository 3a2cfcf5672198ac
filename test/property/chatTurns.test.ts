import assert from 'node:assert/strict';
import fc from 'fast-check';
import { attemptUsages, type AttemptUsage } from '../../src/engine/accounting/attemptUsage.js';
import { chatTurns, requestsByTurn, type CacheLoss, type TurnUsage } from '../../src/engine/accounting/chatTurns.js';
import { periodAt } from '../../src/engine/accounting/periods.js';
import { usageReport } from '../../src/engine/accounting/usageReport.js';
import { attemptsIn } from '../../src/engine/accounting/usedAttempt.js';
import type { WholeChat } from '../../src/engine/chat/state.js';
import { costOf } from '../../src/engine/model/price.js';
import type { NewEvent } from '../../src/engine/chat/slices/table.js';
import { folded, stamp, usage } from '../support/engine/events.js';
import { loggedDrafts, storyOf } from '../support/engine/randomLog.js';
import { PRICES } from '../support/engine/usedAttempts.js';
import { forAll } from '../support/forAll.js';

const tokens = fc.option(fc.nat({ max: 50_000 }));
const anyEnd = fc.record({ figures: fc.tuple(tokens, tokens, tokens, tokens), isReported: fc.boolean(), isPriced: fc.boolean() });
const anyEffect = fc.record({ usd: fc.option(fc.nat({ max: 900 })), by: fc.constantFrom('expired', 'summary', 'other' as const) });

/** Gives each attempt a usage, in which any figure can be unknown. */
function withUsage(drafts: readonly NewEvent[], ends: readonly (typeof anyEnd extends fc.Arbitrary<infer T> ? T : never)[]): NewEvent[] {
  return drafts.map((draft, at) => {
    const { figures, isReported, isPriced } = ends[at % ends.length]!;
    if (draft.type !== 'attempt-ended' || !isReported) {
      return draft;
    }
    const whole = usage(...(figures.map((figure) => figure ?? 0) as [number, number, number, number]));
    const used = {
      ...whole,
      promptTokens: figures[0] === null ? null : whole.promptTokens,
      cacheReadInputTokens: figures[1] === null ? null : whole.cacheReadInputTokens,
      cacheCreationInputTokens: figures[2] === null ? null : whole.cacheCreationInputTokens,
    };
    return { ...draft, usage: used, cost: isPriced ? costOf(used, PRICES) : null };
  });
}

/** Adds up the rows in the simplest way. */
function recount(rows: readonly AttemptUsage[], losses: ReadonlyMap<string, CacheLoss>): unknown {
  const count = (name: 'promptTokens' | 'cacheReadInputTokens' | 'cacheCreationInputTokens' | 'completionTokens'): unknown => {
    const known = rows.flatMap((row) => row.usage?.[name]?.value ?? []);
    const unknown = rows.filter((row) => (row.usage?.[name] ?? null) === null).reduce((sum, row) => sum + (row.requests ?? 1), 0);
    return { tokens: known.length === 0 ? null : known.reduce((a, b) => a + b), unknown };
  };
  const lost = rows.flatMap(({ id }) => losses.get(id)?.usd ?? []);
  return {
    read: count('cacheReadInputTokens'),
    written: count('cacheCreationInputTokens'),
    fresh: count('promptTokens'),
    out: count('completionTokens'),
    lost: lost.length === 0 ? null : lost.reduce((a, b) => a + b),
  };
}

function figuresOf({ tokens: all, lost }: TurnUsage): unknown {
  return { ...all, lost: lost.usd };
}

describe('the turns of any chat', () => {
  it('have each request once, add up to the usage of the chat, and are each what a recount of their requests gives', () => {
    const lists = fc.tuple(fc.array(anyEnd, { minLength: 1, maxLength: 9 }), fc.array(anyEffect, { minLength: 1, maxLength: 5 }));
    forAll(storyOf('s', true), lists, (story, [ends, effects]) => {
      const state = folded(stamp(withUsage(loggedDrafts(story), ends), 'w')) as WholeChat;
      const rows = attemptUsages(state);
      const losses = new Map(
        rows.map(({ id }, at): [string, CacheLoss] => [id, { attemptId: id, tokens: at + 1, ...effects[at % effects.length]! }]),
      );
      const byTurn = requestsByTurn(state);
      const ids = (all: readonly AttemptUsage[]): string[] => all.map(({ id }) => id).sort();
      assert.deepEqual(ids(byTurn.flatMap((turn) => turn.rows)), ids(rows));
      const { turns, total, saving, unbilled } = chatTurns(byTurn, { losses, savings: new Map() }, () => PRICES);
      const period = periodAt('month', 1_000);
      const attempts = attemptsIn([{ chatId: 'chat', rows }], period, (at) => at);
      const filter = { chatId: 'chat', model: null, part: null, bar: null };
      const report = usageReport(attempts, { period, filter, stackBy: 'part' }, () => PRICES);
      assert.deepEqual([total.sum, saving, unbilled], [report.total, report.saving, report.unbilled]);
      const counted = rows.some(({ isUnbilled }) => !isUnbilled) ? rows.filter(({ isUnbilled }) => !isUnbilled) : rows;
      assert.deepEqual(figuresOf(total), recount(counted, losses));
      for (const [at, turn] of turns.entries()) {
        const own = byTurn[at]!.rows.filter((row) => counted.some(({ id }) => id === row.id));
        assert.deepEqual(figuresOf(turn.usage), recount(own, losses));
      }
      for (const name of ['requests', 'input', 'read', 'output', 'unknown', 'noPrice'] as const) {
        assert.equal(
          turns.reduce((sum, turn) => sum + turn.usage.sum[name], 0),
          total.sum[name],
          name,
        );
      }
      for (const name of ['lost', 'waited', 'summaries'] as const) {
        assert.equal(
          turns.reduce((sum, turn) => sum + turn.usage[name].count, 0),
          total[name].count,
          name,
        );
      }
      const dollars = turns.reduce((sum, turn) => sum + (turn.usage.sum.usd ?? 0), 0);
      assert.ok(Math.abs(dollars - (total.sum.usd ?? 0)) < 1e-9);
    });
  });
});
