import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import type { Catalog, CatalogItem } from '../../../src/engine/context/catalogItem.js';
import { itemKey } from '../../../src/engine/record/item.js';
import { LexicalIndex, type RankedTexts } from '../../../src/engine/context/rank/lexical.js';
import { MESSAGE_BACKGROUND } from '../../../src/engine/context/rank/words.js';
import { select } from '../../../src/engine/context/select.js';
import { contextRecords } from '../../../src/engine/next/resolved.js';
import { medianOf, race } from '../race.js';
import { rankedByMeaning } from '../ranking/meaning.js';
import { labelledSet, messagesWithoutTopic } from '../ranking/labelledSet.js';
import { byWords, LIMITS, pickedFor, pickedShares, type Rank, recall, TOP } from '../ranking/quality.js';
import { realTexts } from '../texts.js';
import type { Row } from '../row.js';
import { NO_REPOSITORY } from '../../../src/engine/repository/repositoryTexts.js';

const ITEMS = 1_000;
const TEXT = 1_500;
const ROUNDS = 9;
/** A single message takes microseconds. */
const MESSAGES = 100;
const LOUPE = 'Loupe';
const MINISEARCH = 'minisearch';
const RESOLVING = 'one item of them changed: index, selection and record';
const SHOWN = 20;

/** How well rules, skills and tools are found by words and by meaning, and the speed by words among a thousand. */
export const ranking: Row = {
  name: 'ranking',
  job: `rank ${ITEMS.toLocaleString('en')} items of ${String(TEXT)} characters for a message`,
  async measure() {
    const { items, messages } = labelledSet();
    const [tried, asked] = [messages.filter(({ set }) => set === 'test'), messages.map(({ text }) => text)];
    const many = manyItems();
    const [own, other] = [byWords(many, SHOWN), miniSearch(many)];
    let next = 0;
    const each = (rank: (message: string) => unknown, count: number): number => {
      const started = performance.now();
      for (let run = 0; run < count; run += 1) {
        rank(asked[(next += 1) % asked.length] ?? '');
      }
      return (performance.now() - started) / count;
    };
    const resolve = resolver(many);
    const samples = await race(
      [
        { name: LOUPE, run: () => each(own, MESSAGES) },
        { name: MINISEARCH, run: () => each(other, MESSAGES) },
        { name: RESOLVING, run: () => each(resolve, MESSAGES) },
      ],
      { rounds: ROUNDS },
    );
    const at = (name: string): number => medianOf(samples, name);
    const [found, foundByOther] = [recall(byWords(items, items.length), tried), recall(miniSearch(items), tried)];
    const none = messagesWithoutTopic();
    const falsePicks = none.filter((text) => pickedFor(byWords(items, items.length), text).length > 0);
    const { name, meaning, fused } = await rankedByMeaning(items, asked);
    const figuresOf = (rank: Rank): number[] => {
      const { wanted, rightlyNone } = pickedShares(rank, tried);
      return [recall(rank, tried), wanted, rightlyNone].map((share) => share * 100);
    };
    return {
      samples,
      amount: null,
      verdicts: [
        { what: `${MINISEARCH} against Loupe, times`, measured: at(MINISEARCH) / at(LOUPE), target: { atLeast: 20 } },
        { what: `recall@${String(TOP)} against ${MINISEARCH}, times`, measured: found / foundByOther, target: { atLeast: 1 } },
        { what: `picks for ${String(none.length)} messages without a topic`, measured: falsePicks.length, target: { atMost: 0 } },
        { what: 'one item changed, ms', measured: at(RESOLVING), target: { atMost: 2 } },
      ],
      figures: {
        title: `${String(tried.length)} messages that nothing was fitted to, ${String(items.length)} rules, skills and tools, in %`,
        columns: [`recall@${String(TOP)}`, 'something wanted is picked', 'nothing is picked where nothing is wanted'],
        rows: [
          { name: `${LOUPE}, words`, figures: figuresOf(byWords(items, items.length)) },
          { name: MINISEARCH, figures: [foundByOther * 100] },
          { name: `meaning alone, ${name}`, figures: figuresOf(meaning) },
          { name: `${LOUPE}, words and meaning, ${name}`, figures: figuresOf(fused(byWords(items, items.length))) },
        ],
      },
    };
  },
};

/** With the weights that its documentation suggests for titles, and the same stems. */
function miniSearch(items: readonly RankedTexts[]): Rank {
  const index = new MiniSearch<RankedTexts>({
    idField: 'key',
    fields: ['name', 'description', 'headings', 'body'],
    processTerm: (word) => stemmer(word.toLowerCase()),
    searchOptions: { boost: { name: 3, description: 2, headings: 1.5 } },
  });
  index.addAll(items);
  return (message) =>
    index
      .search(message)
      .slice(0, SHOWN)
      .map(({ id, score }) => ({ key: String(id), score }));
}

/** Items with texts from real code and prose, all different. */
function manyItems(): readonly RankedTexts[] {
  const text = realTexts().join('\n');
  const step = Math.floor((text.length - TEXT) / ITEMS);
  return Array.from({ length: ITEMS }, (_, at) => {
    const body = text.slice(at * step, at * step + TEXT);
    const words = body.match(/[A-Za-z]{4,}/g) ?? [];
    const key = itemKey({ type: 'rule', name: `Rule ${String(at)}` });
    return {
      key,
      name: words.slice(0, 2).join(' '),
      description: words.slice(2, 14).join(' '),
      headings: words.slice(14, 20).join(' '),
      body,
    };
  });
}

/** Changes an item, picks for a message, and records the selection with the reasons for the rest. */
function resolver(items: readonly RankedTexts[]): (message: string) => unknown {
  const index = new LexicalIndex(stemmer, MESSAGE_BACKGROUND);
  const catalog: Catalog = new Map(items.map((item) => [item.key, catalogItem(item)]));
  for (const item of items) {
    index.put(item);
  }
  let next = 0;
  return (message) => {
    const item = items[(next += 1) % items.length] ?? { key: '', name: '', description: '', headings: '', body: '' };
    index.put({ ...item, body: `${item.body} ${String(next)}` });
    const chat = { context: new Map(), removed: new Map(), declined: new Set<string>() };
    const selection = select({
      catalog,
      chat,
      scores: index.rank(message, SHOWN),
      isForFile: () => false,
      limits: LIMITS,
      takesTools: true,
      loadsTools: true,
    });
    return contextRecords(
      { resolved: [], selection, repository: { texts: NO_REPOSITORY, missing: new Map(), links: new Map() } },
      { cuts: new Map(), offersTools: true },
    );
  };
}

function catalogItem({ key, description, body }: RankedTexts): CatalogItem {
  const name = key.slice('rule:'.length);
  const base = {
    type: 'rule',
    serverName: null,
    name,
    source: `${name}.md`,
    description,
    include: 'agent',
    applies: null,
    offBy: null,
    priority: 0,
  } as const;
  return { ...base, text: body, problem: null, remarks: [], copies: [] };
}
