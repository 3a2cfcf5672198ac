import { geometricMean, ratioOf } from '../judge/judge.js';
import { LOUPE } from '../judge/loupePlanner.js';
import { RIVALS } from '../judge/rivals.js';
import { seedsOfCommit } from '../judge/seeds.js';
import { generateTrace } from '../judge/traces.js';
import { TRACES } from '../judge/traceSettings.js';
import type { Row, Verdict } from '../row.js';

/** A kind of chat with measured pauses. */
const MEASURED = 'measured-chat';
/** Per kind. */
const CHATS = 3;

export const layouts: Row = {
  name: 'layouts',
  job: "what the requests of simulated chats cost with Anthropic's cache, as several clients lay them out and mark them, against a lower bound",
  async measure() {
    const { seeds, origin } = await seedsOfCommit(CHATS);
    const kinds = Object.keys(TRACES);
    const places = [...RIVALS, LOUPE].map((contestant) => {
      const ratios = kinds.map((kind) =>
        ratioOf(
          contestant,
          seeds.map((seed) => generateTrace(kind, seed)),
        ),
      );
      return { name: contestant.name, ratios, measured: ratios[kinds.indexOf(MEASURED)] ?? NaN };
    });
    const loupe = places.at(-1) ?? { ratios: [], measured: NaN };
    const cheapest = Math.min(...places.slice(0, -1).map(({ measured }) => measured));
    const verdicts: Verdict[] = [
      { what: 'cost against the lower bound, geometric mean, times', measured: geometricMean(loupe.ratios), target: { atMost: 1.1 } },
      ...kinds.map((kind, at): Verdict => ({ what: `${kind}, times`, measured: loupe.ratios[at] ?? NaN, target: { atMost: 1.25 } })),
      { what: `${MEASURED}, the cheapest client against Loupe, times`, measured: cheapest / loupe.measured, target: { atLeast: 1.4 } },
    ];
    const figures = {
      title: `Cost of chats against the lower bound; seeds ${seeds.join(', ')} (${origin})`,
      columns: [...kinds, 'geometric mean'],
      rows: places.map(({ name, ratios }) => ({ name, figures: [...ratios, geometricMean(ratios)] })),
    };
    return { samples: [], amount: null, verdicts, figures };
  },
};
