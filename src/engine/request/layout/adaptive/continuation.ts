import type { CachePrices } from './cachePrices.js';
import {
  tokensOf,
  toldBy,
  type Entry,
  type Item,
  type ItemEntry,
  type SentEntry,
  type Told,
  type Unit,
  type UnitEntry,
} from './sequence.js';

/** What the next sequence is planned from. */
export interface Continued {
  /** The sequence of the last request; empty before the first. */
  readonly sent: readonly SentEntry[];
  /** Tokens of `sent`, from its beginning, that the provider's cache still has. */
  readonly alive: number;
  readonly units: readonly Unit[];
  /** What the context holds, the most stable first. */
  readonly items: readonly Item[];
  /** Keys of items that may stay although the context does not hold them. */
  readonly staying: ReadonlySet<string>;
  /** Whether items may follow the last unit when that is a reply with results. Some providers refuse it. */
  readonly takesItemsAtEnd: boolean;
  readonly prices: Pick<CachePrices, 'write' | 'read'>;
  /** When a relayout is allowed. */
  readonly relayout: 'never' | 'whenItPays' | 'now';
  /** Whether forgotten tool calls leave where a relayout is allowed, whatever that costs. */
  readonly forgetsAtOnce: boolean;
}

/**
 * A relayout must repay itself within so many requests. In the traces of the bench, longer horizons cost more: until then a pause, a
 * summary or the next change makes one free, or what was left out is wanted again.
 */
const REPAID_WITHIN = 3;

/**
 * The next sequence. What was sent stays where it is as far as the conversation has not changed, and what is new stands before the
 * newest message of the user, or after the results of a tool loop. So the next request reads the last one from the cache.
 *
 * A relayout begins at an entry that the request does not need any more: a copy that another one replaces, a copy with many changes,
 * an item that has left the context, a reply whose tool calls are forgotten. From there on all that is not needed goes, and the items that have not changed move up. It
 * happens when that saves later requests more than it costs to write the rest anew, which is nothing when the cache has gone cold or
 * the conversation has changed there.
 */
export function continuation(continued: Continued): readonly Entry[] {
  const { sent, units, items } = continued;
  const kept = keptOf(sent, units);
  const head = kept.slice(0, relayoutAt(kept, continued));
  const said = head.filter(({ kind }) => kind === 'unit').length;
  const moved = stillTrue(
    sent,
    toldBy(head),
    items.filter(({ isPick }) => !isPick),
  );
  const isBroken = head.length < kept.length || head.length === 0;
  return placed([...head, ...moved], { units: units.slice(said), isBroken }, continued);
}

/**
 * The entries that may stay: those before the first unit that the conversation does not have in this place, or has with tool calls that
 * were left out. A newest message of the
 * user that was sent before, in a request that failed, is placed anew: what is new stands before it.
 */
function keptOf(sent: readonly SentEntry[], units: readonly Unit[]): readonly SentEntry[] {
  const answered = units.at(-1)?.isUser === true ? units.slice(0, -1) : units;
  const kept: SentEntry[] = [];
  let at = 0;
  for (const entry of sent) {
    if (entry.kind === 'unit') {
      const found = placeOf(entry.key, answered, at);
      if (found === null || (answered[found]?.calls === 'sent' && !entry.hasCalls)) {
        break;
      }
      for (; at < found; at += 1) {
        kept.push({ kind: 'unit', key: answered[at]?.key ?? '', hasCalls: false, tokens: 0 });
      }
      at += 1;
    }
    kept.push(entry);
  }
  return kept;
}

/** The index of a unit, from `at` on, where only units that may be empty stand before it; else null. */
function placeOf(key: string, units: readonly Unit[], at: number): number | null {
  for (let place = at; ; place += 1) {
    const unit = units[place];
    if (unit?.key === key) {
      return place;
    }
    if (unit?.mayBeEmpty !== true) {
      return null;
    }
  }
}

/** The last copies among the entries of items that have not changed since, and that nothing was told about. */
function stillTrue(entries: readonly SentEntry[], told: ReadonlyMap<string, Told>, items: readonly Item[]): ItemEntry[] {
  const versions = new Map(items.map(({ key, version }) => [key, version]));
  const found = new Map<string, ItemEntry>();
  for (const entry of entries) {
    if (entry.kind === 'copy' && !told.has(entry.key) && versions.get(entry.key) === entry.version) {
      found.set(entry.key, entry);
    }
  }
  return [...found.values()];
}

/**
 * The units behind the head, with the news of the items: before the newest message of the user, or else at the end. Where the provider
 * takes nothing there, they wait for the next message, unless the cache ends at the head anyway (`isBroken`).
 */
function placed(
  head: readonly Entry[],
  { units, isBroken }: { readonly units: readonly Unit[]; readonly isBroken: boolean },
  { items, takesItemsAtEnd }: Continued,
): readonly Entry[] {
  const news = newsAfter(toldBy(head), items);
  const said = units.map(({ key, calls }): UnitEntry => ({ kind: 'unit', key, hasCalls: calls === 'sent' }));
  if (head.length > 0 && units.at(-1)?.isUser === true) {
    return [...head, ...said.slice(0, -1), ...news, ...said.slice(-1)];
  }
  if (isBroken) {
    const picks = new Set(items.filter(({ isPick }) => isPick).map(({ key }) => key));
    const [picked, others] = [news.filter(({ key }) => picks.has(key)), news.filter(({ key }) => !picks.has(key))];
    const newest = Math.max(
      0,
      units.findLastIndex(({ isUser }) => isUser),
    );
    return [...head, ...others, ...said.slice(0, newest), ...picked, ...said.slice(newest)];
  }
  return [...head, ...said, ...(takesItemsAtEnd ? news : [])];
}

/** What a model must be told about the items. All changes of a copy together are no longer than the copy. */
function newsAfter(told: ReadonlyMap<string, Told>, items: readonly Item[]): ItemEntry[] {
  return items.flatMap(({ key, version, tokens, tokensSince }): ItemEntry[] => {
    const known = told.get(key);
    if (known?.version === version) {
      return [];
    }
    const changed = known === undefined ? null : tokensSince(known.version);
    const isShort = known !== undefined && changed !== null && changed < tokens && known.changes + changed <= known.copy;
    return [isShort ? { kind: 'change', key, version, tokens: changed } : { kind: 'copy', key, version, tokens }];
  });
}

/**
 * The index of the entry at which a relayout begins: where it saves most, or the first that is not needed, but not behind an item that
 * may not stay. The count without one.
 */
function relayoutAt(kept: readonly SentEntry[], continued: Continued): number {
  const {
    alive,
    prices: { write, read },
    relayout,
  } = continued;
  const leaving = kept.findIndex(leavesAtOnce(continued));
  const savings = savingsIn(kept, continued);
  let before = tokensOf(kept);
  const readable = Math.min(alive, before);
  let [best, most, saved] = [kept.length, 0, 0];
  for (let at = kept.length - 1; at >= 0 && relayout !== 'never'; at -= 1) {
    before -= kept[at]?.tokens ?? 0;
    const saving = savings[at] ?? 0;
    saved += saving;
    // What is not needed is neither written now nor read later; what is needed behind it is written instead of read.
    const gain = saved * (write + REPAID_WITHIN * read) - Math.max(0, readable - before) * (write - read);
    if (saving > 0 && (gain > most || relayout === 'now')) {
      [best, most] = [at, gain];
    }
  }
  return leaving === -1 ? best : Math.min(best, leaving);
}

/** Whether an entry may not stay as it is: an item, or a reply with its tool calls. */
function leavesAtOnce({ items, units, staying, relayout, forgetsAtOnce }: Continued): (entry: SentEntry) => boolean {
  const needed = new Set(items.map(({ key }) => key));
  const forgotten = forgetsAtOnce && relayout !== 'never' ? forgottenIn(units) : new Map<string, number>();
  return (entry) =>
    entry.kind === 'unit' ? entry.hasCalls && forgotten.has(entry.key) : !needed.has(entry.key) && !staying.has(entry.key);
}

/** The keys of the units whose tool calls are forgotten, with the tokens that remain of them. */
function forgottenIn(units: readonly Unit[]): ReadonlyMap<string, number> {
  return new Map(units.filter(({ calls }) => calls === 'forgotten').map(({ key, remaining }) => [key, remaining]));
}

/** What each entry saves of the tokens of the next request when it is laid out anew. */
function savingsIn(kept: readonly SentEntry[], { items, units }: Pick<Continued, 'items' | 'units'>): readonly number[] {
  const forgotten = forgottenIn(units);
  const copies = new Map(items.map(({ key, tokens }) => [key, tokens]));
  const told = toldBy(kept);
  const news = new Map(newsAfter(told, items).map(({ key, tokens }) => [key, tokens]));
  const replaced = new Set<string>();
  const fromEnd = kept.toReversed().map((entry) => {
    if (entry.kind === 'unit') {
      return entry.hasCalls ? Math.max(0, entry.tokens - (forgotten.get(entry.key) ?? entry.tokens)) : 0;
    }
    const { key, tokens } = entry;
    const copy = copies.get(key);
    if (copy === undefined || replaced.has(key)) {
      return tokens;
    }
    if (entry.kind === 'change') {
      return 0;
    }
    replaced.add(key);
    // One copy stands for this one, its changes, and what would have to be told now.
    return Math.max(0, tokens + (told.get(key)?.changes ?? 0) + (news.get(key) ?? 0) - copy);
  });
  return fromEnd.toReversed();
}
