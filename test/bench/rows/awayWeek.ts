import { type AwayWeek, awayWeek, type TakenOffer } from '../awayWeek.js';
import { seedsOfCommit } from '../judge/seeds.js';
import type { Row } from '../row.js';

/** Words of each message of the three chats. */
const WORDS = [300, 1_200, 3_000] as const;

export const awayWeekRow: Row = {
  name: 'away-week',
  job: 'what a week of three chats with measured pauses costs if the user takes all offers, and what each offer costs',
  async measure() {
    const { seeds, origin } = await seedsOfCommit(WORDS.length);
    const chats: { readonly left: AwayWeek; readonly taken: AwayWeek }[] = [];
    for (const [at, words] of WORDS.entries()) {
      const seed = seeds[at] ?? at;
      const left = await awayWeek({ seed, words, takesOffers: false });
      chats.push({ left, taken: await awayWeek({ seed, words, takesOffers: true }) });
    }
    const offers = chats.flatMap(({ taken }, at) => taken.taken.map((offer) => ({ ...offer, chat: at + 1 })));
    const sum = (of: (chat: (typeof chats)[number]) => AwayWeek): number => chats.reduce((total, chat) => total + of(chat).billed, 0);
    const weeks = chats.flatMap(({ left, taken }) => [left, taken]);
    return {
      samples: [],
      amount: null,
      verdicts: [
        {
          what: 'cost with offers vs. without, times',
          measured: sum(({ taken }) => taken) / sum(({ left }) => left),
          target: { atMost: 1 },
        },
        {
          what: 'largest difference of the cost of a chat in Loupe from the bill, share',
          measured: Math.max(...weeks.map(({ shown, billed }) => Math.abs(shown / billed - 1))),
          target: { atMost: 0.02 },
        },
        {
          what: 'largest bill of an offer vs. its price, times',
          measured: Math.max(...offers.filter(({ offered }) => offered > 0).map(({ offered, billed }) => billed / offered)),
          target: { atMost: 1.02 },
        },
      ],
      figures: {
        title: `Offers taken in a week, in US dollars; ${origin}`,
        columns: ['minutes away', 'requests', 'price', 'bill', 'next message after the expiry', 'next message'],
        rows: offers.map((offer) => ({ name: nameOf(offer), figures: figuresOf(offer) })),
      },
    };
  },
};

function nameOf({ chat, day, kind }: TakenOffer & { readonly chat: number }): string {
  return `chat ${String(chat)}, day ${String(day)}: ${kind === 'summarize' ? 'summary' : 'keep-warm'}`;
}

function figuresOf({ minutesAway, requests, offered, billed, cold, next }: TakenOffer): readonly number[] {
  return [minutesAway, requests, offered, billed, cold, next];
}
