import assert from 'node:assert/strict';
import { geometricMean, judge } from '../bench/judge/judge.js';
import { LOUPE } from '../bench/judge/loupePlanner.js';
import { lowerBound } from '../bench/judge/lowerBound.js';
import { seedsOfCommit, type Seeds } from '../bench/judge/seeds.js';
import { generateTrace } from '../bench/judge/traces.js';
import { TRACES } from '../bench/judge/traceSettings.js';

/**
 * Chats per kind. Of 48 single chats, five of the kind semantic-rules and four of retry-edit-heavy cost more than the
 * limit: a limit for single chats would fail in one commit of five. The mean of eight chats exceeds it about once in
 * three thousand.
 */
const CHATS = 12;
/** Times the lower bound. */
const MOST = 1.15;

describe('the layout adaptive', () => {
  let drawn: Seeds;

  before(async () => {
    drawn = await seedsOfCommit(CHATS);
    if (!drawn.isOfCommit) {
      process.stdout.write(`The seeds of the chats are 1 to ${String(CHATS)}: ${drawn.origin}.\n`);
    }
  });

  for (const kind of Object.keys(TRACES)) {
    it(`costs at most ${String(MOST)} times the lower bound in the mean of ${String(CHATS)} chats of the kind ${kind}`, () => {
      const chats = drawn.seeds.map((seed) => {
        const trace = generateTrace(kind, seed);
        return { seed, cost: judge(trace, LOUPE).cost, bound: lowerBound(trace) };
      });
      const mean = geometricMean(chats.map(({ cost, bound }) => cost / bound));
      const rows = chats.map(({ seed, cost, bound }) => [kind, String(seed), cost.toFixed(0), bound.toFixed(0), (cost / bound).toFixed(3)]);
      const table = [['kind', 'seed', 'cost', 'bound', 'ratio'], ...rows].map((row) =>
        row
          .map((cell) => cell.padEnd(18))
          .join('')
          .trimEnd(),
      );
      assert.ok(mean <= MOST, `${mean.toFixed(3)} times the bound; seeds ${drawn.origin}:\n${table.join('\n')}`);
    }).timeout(60_000);
  }
});
