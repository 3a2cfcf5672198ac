import type { Row } from '../row.js';
import { sampleOf } from '../race.js';
import { exchange, inTalk, prose, type Talk } from '../longTalks.js';
import { DEMANDS, FINDINGS, type Planted } from '../plantedFacts.js';

/** Summaries in a row, each of what stands behind the one before it, and of that one. */
const SUMMARIES = 3;
/** Exchanges before a summary that plant nothing. */
const FILLERS = 10;
const LEAST_KEPT = 0.95;

export const compactionKeeps: Row = {
  name: 'compaction-keeps',
  job: `${String(SUMMARIES)} summaries in a row by a summarizer that says nothing of what was planted, in four languages, on sentences that no pattern was built on`,
  measure: () =>
    inTalk({ compactionPolicy: 'manual' }, async (talk) => {
      const started = performance.now();
      for (let round = 0; round < SUMMARIES; round += 1) {
        await plant(talk, round);
        await talk.session.compactor.summarize(null);
      }
      await exchange(talk, 0, 'And now?');
      const body = JSON.stringify((JSON.parse(talk.house.bodies.at(-1) ?? '') as { readonly messages: unknown }).messages);
      const share = (planted: readonly Planted[]): number =>
        planted.filter(({ kept }) => body.includes(JSON.stringify(kept).slice(1, -1))).length / planted.length;
      const target = { atLeast: LEAST_KEPT };
      return {
        samples: [sampleOf('the whole chat', [performance.now() - started])],
        amount: null,
        verdicts: [
          {
            what: `share of all ${String(DEMANDS.length + FINDINGS.length)} planted facts kept`,
            measured: share([...DEMANDS, ...FINDINGS]),
            target,
          },
          { what: `share of the user's ${String(DEMANDS.length)} demands kept`, measured: share(DEMANDS), target },
          {
            what: `share of ${String(FINDINGS.length)} decisions, paths, errors, figures and names kept`,
            measured: share(FINDINGS),
            target,
          },
        ],
      };
    }),
};

/** Says a part of the planted sentences, each in a message of its own, and some that plant nothing. */
async function plant(talk: Talk, round: number): Promise<void> {
  const planted = [...DEMANDS, ...FINDINGS].filter((_, index) => index % SUMMARIES === round);
  for (const [turn, { said }] of planted.entries()) {
    await exchange(talk, turn, said);
  }
  for (let turn = 0; turn < FILLERS; turn += 1) {
    await exchange(talk, turn, prose(turn + round, 40));
  }
}
