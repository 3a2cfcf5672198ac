import { sumTokens } from '../../../sumTokens.js';
import type { CachePrices } from './cachePrices.js';
import {
  toldBy,
  type Entry,
  type Item,
  type ItemEntry,
  type SentEntry,
  type Told,
  type Unit,
  type UnitCall,
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
  /** Whether tool calls that should leave do so where a relayout is allowed, whatever that costs. */
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
 * an item that has left the context, a reply with a tool call that leaves, a turn that the user has left out. From there on all that
 * is not needed goes, and the items that have not changed move up. It
 * happens when that saves later requests more than it costs to write the rest anew, which is nothing when the cache has gone cold or
 * the conversation has changed there.
 */
export function continuation(continued: Continued): readonly Entry[] {
  const { sent, units, items } = continued;
  const kept = withoutBrokenTurn(keptOf(sent, units), units);
  const head = kept.slice(0, relayoutAt(kept, continued));
  const moved = stillTrue(
    sent,
    toldBy(head),
    items.filter(({ isPick }) => !isPick),
  );
  const isBroken = head.length < kept.length || head.length === 0;
  return placed([...head, ...moved], { units: unitsBehind(head, units), isBroken }, continued);
}

/**
 * The entries that may stay: those before the first unit that the conversation does not have in this place, or has with a tool call that
 * was left out. A turn that the user has left out may be missing. A newest message of the
 * user that was sent before, in a request that failed, is placed anew: what is new stands before it.
 */
function keptOf(sent: readonly SentEntry[], units: readonly Unit[]): readonly SentEntry[] {
  const answered = units.at(-1)?.isUser === true ? units.slice(0, -1) : units;
  const kept: SentEntry[] = [];
  let at = 0;
  for (const entry of sent) {
    if (entry.kind === 'unit') {
      const found = placeOf(entry.key, answered, at);
      if (found === null || hasCallsAgain(answered[found], entry)) {
        break;
      }
      kept.push(
        ...answered.slice(at, found).flatMap(({ key, leftOutWith }): SentEntry[] =>
          // Nothing of an empty unit was sent.
          leftOutWith === null ? [{ kind: 'unit', key, parts: new Set(), tokens: 0 }] : [],
        ),
      );
      at = found;
      at += 1;
    }
    kept.push(entry);
  }
  return kept;
}

/** Whether a unit that stays was sent without a tool call that it should have. */
function hasCallsAgain(unit: Unit | undefined, { parts }: UnitEntry): boolean {
  return unit?.leftOutWith === null && unit.calls.some(({ part, leaves }) => leaves === null && !parts.has(part));
}

/** The entries without a turn at their end that the user has left out, and of which more was said than was sent: a turn leaves whole. */
function withoutBrokenTurn(kept: readonly SentEntry[], units: readonly Unit[]): readonly SentEntry[] {
  const turns = leftOutTurns(units);
  const last = kept.findLast(({ kind }) => kind === 'unit');
  const turn = turns.get(last?.key ?? '') ?? null;
  const isBroken = turn !== null && unitsFrom(last?.key ?? '', units).some(({ leftOutWith }) => leftOutWith === turn);
  return isBroken ? kept.slice(0, beginsOf(kept, turns).at(kept.findLastIndex(({ kind }) => kind === 'unit'))) : kept;
}

/** The units behind the one with a key; all for a key that no unit has. */
function unitsFrom(key: string, units: readonly Unit[]): readonly Unit[] {
  return units.slice(units.findIndex((unit) => unit.key === key) + 1);
}

/** The units that stay behind the head. */
function unitsBehind(head: readonly SentEntry[], units: readonly Unit[]): readonly Unit[] {
  const last = head.findLast(({ kind }) => kind === 'unit');
  return (last === undefined ? units : unitsFrom(last.key, units)).filter(({ leftOutWith }) => leftOutWith === null);
}

/** The turns that the user has left out, by the keys of their units. */
function leftOutTurns(units: readonly Unit[]): ReadonlyMap<string, string> {
  return new Map(units.flatMap(({ key, leftOutWith }) => (leftOutWith === null ? [] : [[key, leftOutWith] as const])));
}

/** For each entry the index of the first entry of the left-out turn that it stands in, with what was told within it; its own for any other. */
function beginsOf(entries: readonly SentEntry[], turns: ReadonlyMap<string, string>): readonly number[] {
  const begins = entries.map((_entry, at) => at);
  let [open, begin, last]: [string | null, number, number] = [null, 0, 0];
  for (const [at, entry] of entries.entries()) {
    if (entry.kind !== 'unit') {
      continue;
    }
    const turn = turns.get(entry.key) ?? null;
    if (turn !== null && turn === open) {
      begins.fill(begin, last, at + 1);
    } else {
      begin = at;
    }
    [open, last] = [turn, at];
  }
  return begins;
}

/** The index of a unit, from `at` on, where only units that may be empty or are left out stand before it; else null. */
function placeOf(key: string, units: readonly Unit[], at: number): number | null {
  for (let place = at; ; place += 1) {
    const unit = units[place];
    if (unit?.key === key) {
      return place;
    }
    if (unit === undefined || (!unit.mayBeEmpty && unit.leftOutWith === null)) {
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
  const said = units.map(({ key, calls }): UnitEntry => {
    const staying = calls.filter(({ leaves }) => leaves === null);
    return { kind: 'unit', key, parts: new Set(staying.map(({ part }) => part)) };
  });
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
 * may not stay. The count without one. It never begins within a turn that the user has left out: that leaves whole.
 */
function relayoutAt(kept: readonly SentEntry[], continued: Continued): number {
  const {
    alive,
    prices: { write, read },
    relayout,
  } = continued;
  const begins = beginsOf(kept, leftOutTurns(continued.units));
  const leaving = kept.findIndex(leavesAtOnce(continued));
  const savings = savingsIn(kept, continued);
  let before = sumTokens(kept);
  const readable = Math.min(alive, before);
  let [best, most, saved] = [kept.length, 0, 0];
  for (let at = kept.length - 1; at >= 0 && relayout !== 'never'; at -= 1) {
    before -= kept[at]?.tokens ?? 0;
    const saving = savings[at] ?? 0;
    saved += saving;
    // What is not needed is neither written now nor read later; what is needed behind it is written instead of read.
    const gain = saved * (write + REPAID_WITHIN * read) - Math.max(0, readable - before) * (write - read);
    if (saving > 0 && begins[at] === at && (gain > most || relayout === 'now')) {
      [best, most] = [at, gain];
    }
  }
  return Math.min(best, begins[leaving] ?? best);
}

/** Whether an entry may not stay as it is: an item, a reply with a tool call, or a turn. */
function leavesAtOnce({ items, units, staying, relayout, forgetsAtOnce }: Continued): (entry: SentEntry) => boolean {
  const needed = new Set(items.map(({ key }) => key));
  const goAtOnce = forgetsAtOnce && relayout !== 'never';
  const now = new Set(units.filter(({ leavesNow }) => leavesNow).map(({ key }) => key));
  const leaving = leavingIn(units);
  return (entry) =>
    entry.kind === 'unit'
      ? now.has(entry.key) || leavingCalls(entry, leaving).some(({ leaves }) => leaves === 'now' || goAtOnce)
      : !needed.has(entry.key) && !staying.has(entry.key);
}

/** The units that a tool call should leave, by their keys. */
function leavingIn(units: readonly Unit[]): ReadonlyMap<string, Unit> {
  return new Map(units.filter(({ calls }) => calls.some(({ leaves }) => leaves !== null)).map((unit) => [unit.key, unit]));
}

/** The tool calls that a unit was sent with, and that should leave. */
function leavingCalls({ key, parts }: UnitEntry, leaving: ReadonlyMap<string, Unit>): readonly UnitCall[] {
  return leaving.get(key)?.calls.filter(({ part, leaves }) => leaves !== null && parts.has(part)) ?? [];
}

/** What a unit saves of its tokens without the tool calls that should leave. */
function savedBy(entry: UnitEntry & { readonly tokens: number }, leaving: ReadonlyMap<string, Unit>): number {
  const calls = leavingCalls(entry, leaving);
  const unit = leaving.get(entry.key);
  if (unit === undefined || calls.length === 0) {
    return 0;
  }
  // With the last call goes the reasoning that led to them all.
  return unit.calls.every(({ leaves }) => leaves !== null)
    ? Math.max(0, entry.tokens - unit.remaining)
    : calls.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** What each entry saves of the tokens of the next request when it is laid out anew. */
function savingsIn(kept: readonly SentEntry[], { items, units }: Pick<Continued, 'items' | 'units'>): readonly number[] {
  const leaving = leavingIn(units);
  const turns = leftOutTurns(units);
  const copies = new Map(items.map(({ key, tokens }) => [key, tokens]));
  const told = toldBy(kept);
  const news = new Map(newsAfter(told, items).map(({ key, tokens }) => [key, tokens]));
  const replaced = new Set<string>();
  const fromEnd = kept.toReversed().map((entry) => {
    if (entry.kind === 'unit') {
      return turns.has(entry.key) ? entry.tokens : savedBy(entry, leaving);
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
