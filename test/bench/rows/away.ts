import { waitingCosts, type WaitingCosts } from '../judge/away.js';
import { seedsOfCommit } from '../judge/seeds.js';
import { LONG_TRACES, TRACES } from '../judge/traceSettings.js';
import type { Row, Verdict } from '../row.js';

/** Per kind. In 48 chats of a kind, a few that end soon after a summary can outweigh what the others save. */
const CHATS = 160;
/** Per kind of long chats, which take seconds each. */
const LONG_CHATS = 16;

export const away: Row = {
  name: 'away',
  job: 'what simulated chats cost if the user takes what Loupe offers before the cache expires, against the same chats without offers',
  async measure() {
    const { seeds, origin } = await seedsOfCommit(CHATS);
    const measured = Object.keys({ ...TRACES, ...LONG_TRACES }).map((kind) => {
      return { kind, ...ofKind(kind, kind in LONG_TRACES ? seeds.slice(0, LONG_CHATS) : seeds) };
    });
    const verdicts = measured.map(({ kind, ratio }): Verdict => {
      return { what: `${kind}, times`, measured: ratio, target: { atMost: kind in LONG_TRACES ? 0.9 : 1 } };
    });
    const figures = {
      title: `Cost with offers / without; most in one chat; times the cost without expiry, without and with offers; keep-warm requests and summaries per chat; ${origin}`,
      columns: ['cost', 'most', 'without', 'with', 'keep-warm', 'summaries'],
      rows: measured.map(({ kind, ...figure }) => ({ name: kind, figures: Object.values(figure) })),
    };
    return { samples: [], amount: null, verdicts, figures };
  },
};

interface OfKind {
  readonly ratio: number;
  readonly most: number;
  readonly without: number;
  readonly with: number;
  readonly keepWarms: number;
  readonly summaries: number;
}

function ofKind(kind: string, seeds: readonly number[]): OfKind {
  const chats = seeds.map((seed) => ({ left: waitingCosts(kind, seed, 'leave'), answered: waitingCosts(kind, seed, 'asPriced') }));
  const sum = (of: (chat: { readonly left: WaitingCosts; readonly answered: WaitingCosts }) => number): number =>
    chats.reduce((total, chat) => total + of(chat), 0);
  const lasting = sum(({ left }) => left.lasting);
  return {
    ratio: sum(({ answered }) => answered.whole) / sum(({ left }) => left.whole),
    most: Math.max(...chats.map(({ left, answered }) => answered.whole / left.whole)),
    without: sum(({ left }) => left.whole) / lasting,
    with: sum(({ answered }) => answered.whole) / lasting,
    keepWarms: sum(({ answered }) => answered.keepWarms) / chats.length,
    summaries: sum(({ answered }) => answered.summaries) / chats.length,
  };
}
