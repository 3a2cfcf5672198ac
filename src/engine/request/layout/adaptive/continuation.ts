import { sumTokens } from '../../../sumTokens.js';
import type { CachePrices } from './cachePrices.js';
import {
  itemStates,
  type Entry,
  type Item,
  type ItemEntry,
  type SentEntry,
  type ItemState,
  type Unit,
  type UnitCall,
  type UnitEntry,
} from './sequence.js';

export interface ContinuationInput {
  readonly sent: readonly SentEntry[];
  /** Number of tokens at the beginning of `sent` that are still in the provider's cache. */
  readonly alive: number;
  readonly units: readonly Unit[];
  /** The items of the context, the most stable first. */
  readonly items: readonly Item[];
  /** Keys of items that are no longer in the context, but that requests may send until the next rebuild. */
  readonly staying: ReadonlySet<string>;
  /** Whether the provider allows items after a reply with results at the end of the request. */
  readonly takesItemsAtEnd: boolean;
  readonly prices: Pick<CachePrices, 'write' | 'read'>;
  readonly relayout: 'never' | 'whenItPays' | 'now';
  /** Whether excluded and forgotten calls are removed at the next possible rebuild, even if this costs more. */
  readonly forgetsAtOnce: boolean;
  /** Returns the tokens by which tool results grow without an item, because they referred to it. */
  readonly growthWithout: (key: string) => number;
}

/**
 * Number of later requests within which a rebuild must save as much as it costs. Higher numbers cost more in the
 * benchmark: a pause, a summary or another change soon makes a rebuild free, or the removed parts are needed again.
 */
const REPAID_WITHIN = 3;

/**
 * Plans the next sequence. Sent entries stay in place as far as the conversation is unchanged. New items come before
 * the newest user message, or after the results of a tool loop. So the provider can read the previous request from its
 * cache.
 *
 * A rebuild (`relayout`) begins at an entry that the request no longer needs: a copy that a later copy replaces, a copy
 * with many changes, an item outside the context, a reply with an excluded or forgotten call, or an excluded turn. From
 * there on, unneeded entries are removed and unchanged items move up. Loupe rebuilds when later requests save more than
 * the rebuild costs. A rebuild costs nothing if the cache has expired or the conversation has changed at that entry.
 */
export function continuation(continued: ContinuationInput): readonly Entry[] {
  const { sent, units, items } = continued;
  const kept = withoutBrokenTurn(keptEntries(sent, units), units);
  const head = kept.slice(0, relayoutAt(kept, continued));
  const moved = unchangedCopies(
    sent,
    itemStates(head),
    items.filter(({ place }) => place === 'context'),
  );
  const isBroken = head.length < kept.length || head.length === 0;
  return placeEntries([...head, ...moved], { units: unitsAfterHead(head, units), isBroken }, continued);
}

/**
 * Returns the sent entries before the first changed unit. A unit is changed in two cases: its place in the conversation
 * has changed, or it was sent without a tool call that is needed now. Empty units and whole excluded turns can be
 * missing in `sent`. The empty units of sent turns are added: the images of such a reply are in the next user message.
 * The newest user message is never included.
 */
function keptEntries(sent: readonly SentEntry[], units: readonly Unit[]): readonly SentEntry[] {
  const answered = units.at(-1)?.isUser === true ? units.slice(0, -1) : units;
  const turns = excludedTurns(units);
  const sentTurns = new Set(sent.map(({ key }) => turns.get(key)));
  const isInSentTurn = ({ excludedWith }: Unit): boolean => excludedWith === null || sentTurns.has(excludedWith);
  const canLack = (unit: Unit): boolean => unit.mayBeEmpty || !isInSentTurn(unit);
  const kept: SentEntry[] = [];
  let at = 0;
  for (const entry of sent) {
    if (entry.kind === 'unit') {
      const found = placeOf(entry.key, answered, { at, canLack });
      if (found === null || lacksNeededCalls(answered[found], entry)) {
        break;
      }
      const empty = answered.slice(at, found).filter(isInSentTurn);
      kept.push(...empty.map(({ key }) => ({ kind: 'unit', key, parts: new Set<number>(), tokens: 0 }) as const));
      at = found + 1;
    }
    kept.push(entry);
  }
  return kept;
}

function lacksNeededCalls(unit: Unit | undefined, { parts }: UnitEntry): boolean {
  return unit?.excludedWith === null && unit.calls.some(({ part, removal }) => removal === null && !parts.has(part));
}

/** If an excluded turn at the end was sent only in part, removes that part. Turns are removed only as a whole. */
function withoutBrokenTurn(kept: readonly SentEntry[], units: readonly Unit[]): readonly SentEntry[] {
  const turns = excludedTurns(units);
  const last = kept.findLast(({ kind }) => kind === 'unit');
  const turn = turns.get(last?.key ?? '') ?? null;
  const isBroken = turn !== null && unitsFrom(last?.key ?? '', units).some(({ excludedWith }) => excludedWith === turn);
  return isBroken ? kept.slice(0, beginsOf(kept, turns).at(kept.findLastIndex(({ kind }) => kind === 'unit'))) : kept;
}

/** Returns the units after the unit with this key, or all units if no unit has this key. */
function unitsFrom(key: string, units: readonly Unit[]): readonly Unit[] {
  return units.slice(units.findIndex((unit) => unit.key === key) + 1);
}

function unitsAfterHead(head: readonly SentEntry[], units: readonly Unit[]): readonly Unit[] {
  const last = head.findLast(({ kind }) => kind === 'unit');
  return (last === undefined ? units : unitsFrom(last.key, units)).filter(({ excludedWith }) => excludedWith === null);
}

function excludedTurns(units: readonly Unit[]): ReadonlyMap<string, string> {
  return new Map(units.flatMap(({ key, excludedWith }) => (excludedWith === null ? [] : [[key, excludedWith] as const])));
}

/** Maps each entry of an excluded turn to the index where the turn begins, and each other entry to its index. */
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

/** Returns the index of a unit, searching from `at`. Skips only units that may be missing. Null if not found. */
function placeOf(
  key: string,
  units: readonly Unit[],
  { at, canLack }: { readonly at: number; readonly canLack: (unit: Unit) => boolean },
): number | null {
  for (let place = at; ; place += 1) {
    const unit = units[place];
    if (unit?.key === key) {
      return place;
    }
    if (unit === undefined || !canLack(unit)) {
      return null;
    }
  }
}

/** Returns the last copy of each unchanged item that has no entry in the head, the part that stays as sent (`told`). */
function unchangedCopies(entries: readonly SentEntry[], told: ReadonlyMap<string, ItemState>, items: readonly Item[]): ItemEntry[] {
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
 * Places the units and the new entries of items after the head, the entries that stay as sent. With a head, items come
 * before a user message at the end. Otherwise, if the cache ends at the head (`isBroken`), items follow the head, and
 * picks come before the newest user message. Else items come at the end, or later if the provider refuses items there.
 * The workspace message comes after the newest user message.
 */
function placeEntries(
  head: readonly Entry[],
  { units, isBroken }: { readonly units: readonly Unit[]; readonly isBroken: boolean },
  { items, takesItemsAtEnd }: ContinuationInput,
): readonly Entry[] {
  const news = newItemEntries(itemStates(head), items);
  const said = units.map(({ key, calls }): UnitEntry => {
    const staying = calls.filter(({ removal }) => removal === null);
    return { kind: 'unit', key, parts: new Set(staying.map(({ part }) => part)) };
  });
  const places = new Map(items.map(({ key, place }) => [key, place]));
  const newIn = (...wanted: readonly (Item['place'] | undefined)[]): readonly ItemEntry[] =>
    news.filter(({ key }) => wanted.includes(places.get(key)));
  const workspace = newIn('workspace', 'workspaceEnd');
  if (head.length > 0 && units.at(-1)?.isUser === true) {
    return [...head, ...said.slice(0, -1), ...newIn('context', 'pick'), ...said.slice(-1), ...workspace];
  }
  if (isBroken) {
    const after = units.findLastIndex(({ isUser }) => isUser) + 1;
    const newest = Math.max(0, after - 1);
    // A reply without calls ends its turn. The workspace message then belongs to the next turn.
    const end = units.at(-1)?.calls.length === 0 && units.at(-1)?.isUser === false ? said.length : after;
    const placed = [...newIn('context'), ...said.slice(0, newest), ...newIn('pick'), ...said.slice(newest, end), ...workspace];
    return [...head, ...placed, ...said.slice(end)];
  }
  return [...head, ...said, ...(takesItemsAtEnd ? news : [])];
}

/** Returns entries for new and changed items: a change, or a full copy if the changes would be longer than a copy. */
function newItemEntries(told: ReadonlyMap<string, ItemState>, items: readonly Item[]): ItemEntry[] {
  return items.flatMap(({ key, version, tokens, tokensSince, place }): ItemEntry[] => {
    const known = told.get(key);
    if (known?.version === version || (known === undefined && place === 'workspaceEnd')) {
      return [];
    }
    const changed = known === undefined ? null : tokensSince(known.version);
    const isShort = known !== undefined && changed !== null && changed < tokens && known.changes + changed <= known.copy;
    return [isShort ? { kind: 'change', key, version, tokens: changed } : { kind: 'copy', key, version, tokens }];
  });
}

/**
 * Returns the index where a rebuild begins: where it saves most, or for `now` at the first unneeded entry. Never after
 * an entry that must be removed at once, or inside an excluded turn. Without a rebuild, returns the number of entries.
 */
function relayoutAt(kept: readonly SentEntry[], continued: ContinuationInput): number {
  const {
    alive,
    prices: { write, read },
    relayout,
  } = continued;
  const begins = beginsOf(kept, excludedTurns(continued.units));
  const leaving = kept.findIndex(leavesAtOnce(continued));
  const savings = savingsIn(kept, continued);
  let before = sumTokens(kept);
  const readable = Math.min(alive, before);
  let [best, most, saved] = [kept.length, 0, 0];
  for (let at = kept.length - 1; at >= 0 && relayout !== 'never'; at -= 1) {
    before -= kept[at]?.tokens ?? 0;
    const saving = savings[at] ?? 0;
    saved += saving;
    // Unneeded tokens are not written now and not read later. Needed tokens after them are written instead of read.
    const gain = saved * (write + REPAID_WITHIN * read) - Math.max(0, readable - before) * (write - read);
    if (saving > 0 && begins[at] === at && (gain > most || relayout === 'now')) {
      [best, most] = [at, gain];
    }
  }
  return Math.min(best, begins[leaving] ?? best);
}

/** Returns a test for entries that must be removed at once: items, replies with tool calls, and turns. */
function leavesAtOnce({ items, units, staying, relayout, forgetsAtOnce }: ContinuationInput): (entry: SentEntry) => boolean {
  const needed = new Set(items.map(({ key }) => key));
  const goAtOnce = forgetsAtOnce && relayout !== 'never';
  const now = new Set(units.filter(({ isRemovedNow }) => isRemovedNow).map(({ key }) => key));
  const leaving = leavingIn(units);
  return (entry) =>
    entry.kind === 'unit'
      ? now.has(entry.key) || leavingCalls(entry, leaving).some(({ removal }) => removal === 'now' || goAtOnce)
      : !needed.has(entry.key) && !staying.has(entry.key);
}

function leavingIn(units: readonly Unit[]): ReadonlyMap<string, Unit> {
  return new Map(units.filter(({ calls }) => calls.some(({ removal }) => removal !== null)).map((unit) => [unit.key, unit]));
}

function leavingCalls({ key, parts }: UnitEntry, leaving: ReadonlyMap<string, Unit>): readonly UnitCall[] {
  return leaving.get(key)?.calls.filter(({ part, removal }) => removal !== null && parts.has(part)) ?? [];
}

/** Returns the tokens that a unit saves when its excluded and forgotten tool calls are removed. */
function savedBy(entry: UnitEntry & { readonly tokens: number }, leaving: ReadonlyMap<string, Unit>): number {
  const calls = leavingCalls(entry, leaving);
  const unit = leaving.get(entry.key);
  if (unit === undefined || calls.length === 0) {
    return 0;
  }
  // Reasoning is removed only if all calls are removed.
  return unit.calls.every(({ removal }) => removal !== null)
    ? Math.max(0, entry.tokens - unit.remaining)
    : calls.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Returns how many tokens each entry saves in the next request if the prompt is rebuilt. */
function savingsIn(
  kept: readonly SentEntry[],
  { items, units, growthWithout }: Pick<ContinuationInput, 'items' | 'units' | 'growthWithout'>,
): readonly number[] {
  const leaving = leavingIn(units);
  const shrinking = new Map(units.flatMap(({ key, shrinks }) => (shrinks === 0 ? [] : [[key, shrinks] as const])));
  const turns = excludedTurns(units);
  const copies = new Map(items.map(({ key, tokens }) => [key, tokens]));
  const told = itemStates(kept);
  const news = new Map(newItemEntries(told, items).map(({ key, tokens }) => [key, tokens]));
  const replaced = new Set<string>();
  const fromEnd = kept.toReversed().map((entry) => {
    if (entry.kind === 'unit') {
      return turns.has(entry.key) ? entry.tokens : Math.min(entry.tokens, savedBy(entry, leaving) + (shrinking.get(entry.key) ?? 0));
    }
    const { key, tokens } = entry;
    const copy = copies.get(key);
    if (copy === undefined) {
      return savedWithout(entry, growthWithout);
    }
    if (replaced.has(key)) {
      return tokens;
    }
    if (entry.kind === 'change') {
      return 0;
    }
    replaced.add(key);
    // A new copy replaces this copy, its changes and the next change.
    return Math.max(0, tokens + (told.get(key)?.changes ?? 0) + (news.get(key) ?? 0) - copy);
  });
  return fromEnd.toReversed();
}

/** Returns how many tokens an entry of an item outside the context saves when it is removed. */
function savedWithout({ kind, key, tokens }: ItemEntry, growthWithout: ContinuationInput['growthWithout']): number {
  return kind === 'copy' ? Math.max(0, tokens - growthWithout(key)) : tokens;
}
