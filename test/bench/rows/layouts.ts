import { BreakpointCache, PrefixCache } from '../judge/cacheModel.js';
import { ANTHROPIC, FRESH_PRICE, OPENAI } from '../judge/cacheRules.js';
import { differenceBound } from '../judge/differenceBound.js';
import { sumOf } from '../judge/judge.js';
import { LOUPE } from '../judge/loupePlanner.js';
import { lowerBound, type BoundPrices } from '../judge/lowerBound.js';
import { POLICIES } from '../judge/policies.js';
import type { Contestant } from '../judge/policy.js';
import { seedsOfCommit } from '../judge/seeds.js';
import { geometricMean, standingOf, type Bounded, type Standing } from '../judge/standing.js';
import { generateTrace } from '../judge/traces.js';
import { TRACES } from '../judge/traceSettings.js';
import type { FigureTable, Row, Verdict } from '../row.js';

/** What each cost is measured by. */
const MEASURE: BoundPrices = { read: ANTHROPIC.read, lifetimes: Object.values(ANTHROPIC.lifetimes), pings: false, raises: false };

const AUTOMATIC: BoundPrices = {
  read: OPENAI.read,
  lifetimes: [{ seconds: OPENAI.lifetimeSeconds, write: FRESH_PRICE }],
  pings: false,
  raises: false,
};

/** What a client may do that the measure does not allow, and what it owes even so. */
const BOUNDS: readonly { readonly name: string; readonly boundOf: typeof lowerBound; readonly prices: BoundPrices }[] = [
  { name: 'bound with pings', boundOf: lowerBound, prices: { ...MEASURE, pings: true } },
  { name: 'bound with mixed times to live', boundOf: lowerBound, prices: { ...MEASURE, raises: true } },
  { name: 'bound with mixed times to live and differences', boundOf: differenceBound, prices: { ...MEASURE, raises: true } },
];

/** The kind of chat whose pauses were measured: what a layout saves there, it saves its users. */
const MEASURED = 'measured-chat';

/** A contestant's standings, by the kinds of chats: with breakpoints, and when a cache that works unasked gets the same requests. */
interface Place {
  readonly contestant: Contestant;
  readonly standings: readonly Standing[];
  readonly automatic: readonly Standing[];
}

export const layouts: Row = {
  name: 'layouts',
  job: "what the requests of simulated chats cost with Anthropic's cache, as several clients lay them out and mark them, against a lower bound",
  async measure() {
    const { seeds, origin } = await seedsOfCommit();
    const traces = Object.keys(TRACES).map((name) => ({ name, traces: seeds.map((seed) => generateTrace(name, seed)) }));
    const chats = bounded(traces, MEASURE);
    const automatic = bounded(traces, AUTOMATIC);
    const places = [...POLICIES, LOUPE].map(
      (contestant): Place => ({
        contestant,
        standings: chats.map((each) => standingOf(contestant, each, () => new BreakpointCache(ANTHROPIC))),
        automatic: automatic.map((each) => standingOf(contestant, each, () => new PrefixCache(OPENAI))),
      }),
    );
    const title = `Cost of chats against the lower bound; seeds ${seeds.join(', ')} (${origin})`;
    const figures = { title, columns: columnsOf(chats), rows: [...places.map(figureRow), ...boundRows(chats)] };
    return { samples: [], amount: null, verdicts: verdictsOn(places), figures };
  },
};

function bounded(chats: readonly Omit<Bounded, 'bounds'>[], prices: BoundPrices): Bounded[] {
  return chats.map((each) => ({ ...each, bounds: each.traces.map((trace) => lowerBound(trace, prices)) }));
}

function columnsOf(chats: readonly Bounded[]): string[] {
  const shares = ['read, share', 'written, share', 'not required, share'];
  return [...chats.map(({ name }) => name), 'geometric mean', 'least', 'greatest', ...shares, 'mean with an automatic cache'];
}

function figureRow({ contestant, standings, automatic }: Place): FigureTable['rows'][number] {
  const single = standings.flatMap(({ ratios }) => ratios);
  const { tokens, read, written, extra } = sumOf(standings.map(({ total }) => total));
  const shares = [read / tokens, written / tokens, extra / tokens];
  const range = [meanOf(standings), Math.min(...single), Math.max(...single)];
  return { name: contestant.name, figures: [...standings.map(({ ratio }) => ratio), ...range, ...shares, meanOf(automatic)] };
}

function meanOf(standings: readonly Standing[]): number {
  return geometricMean(standings.map(({ ratio }) => ratio));
}

function boundRows(chats: readonly Bounded[]): FigureTable['rows'] {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return BOUNDS.map(({ name, boundOf, prices }) => {
    const ratios = chats.map(({ traces, bounds }) => sum(traces.map((trace) => boundOf(trace, prices))) / sum(bounds));
    return { name, figures: [...ratios, geometricMean(ratios)] };
  });
}

function verdictsOn(places: readonly Place[]): readonly Verdict[] {
  const others = places.filter(({ contestant }) => contestant !== LOUPE);
  const loupe = places.find(({ contestant }) => contestant === LOUPE)?.standings ?? [];
  const clients = others.filter(({ contestant }) => contestant.isClient);
  return [
    { what: 'cost against the lower bound, geometric mean, times', measured: meanOf(loupe), target: { atMost: 1.1 } },
    ...loupe.map(({ name, ratio }): Verdict => ({ what: `${name}, times`, measured: ratio, target: { atMost: 1.25 } })),
    dearer('the cheapest client', clients, loupe),
    dearer('the cheapest policy', others, loupe),
  ];
}

/** How much more the cheapest of the places costs than Loupe, in chats with measured pauses. */
function dearer(what: string, places: readonly Place[], loupe: readonly Standing[]): Verdict {
  const costIn = (standings: readonly Standing[]): number => standings.find(({ name }) => name === MEASURED)?.total.cost ?? NaN;
  const [cheapest] = places.toSorted((a, b) => costIn(a.standings) - costIn(b.standings));
  const cost = costIn(cheapest?.standings ?? []);
  const name = cheapest?.contestant.name ?? 'none';
  return { what: `${MEASURED}, ${what} (${name}) against Loupe, times`, measured: cost / costIn(loupe), target: { atLeast: 1.4 } };
}
