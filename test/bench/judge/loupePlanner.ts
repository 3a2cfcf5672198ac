import { continuation } from '../../../src/engine/request/layout/adaptive/continuation.js';
import { adaptiveBreakpoints, outlivedShare } from '../../../src/engine/request/layout/adaptive/breakpoints.js';
import type { Entry, Item as Planned, SentEntry, Unit } from '../../../src/engine/request/layout/adaptive/sequence.js';
import type { Wish } from '../../../src/engine/request/placeBreakpoints.js';
import { ANTHROPIC } from './cacheRules.js';
import { blockOf, changeHash, isContext, type Block, type ChatRequest, type Item, type Kind } from './content.js';
import type { Contestant, Policy } from './judge.js';

/** Tokens of a difference besides the change: path and fence. */
const DIFFERENCE_FRAME = 20;
/** Kinds of context by stability, most stable first. Chosen rules come after all of them. */
const STABLE: readonly Kind[] = ['reference', 'rule', 'repoMap', 'file'];

/** Loupe's adaptive layout as a client of the judge. */
export const LOUPE: Contestant = { name: 'Loupe', create: () => new LoupePolicy() };

interface Said extends Unit {
  readonly messages: Item[];
}

interface Sent {
  readonly entries: readonly SentEntry[];
  readonly blocks: readonly Block[];
  readonly units: readonly Said[];
  readonly at: number;
}

const NOTHING: Sent = { entries: [], blocks: [], units: [], at: -Infinity };

export class LoupePolicy implements Policy {
  readonly #sent: Sent[] = [];
  /** In ms. */
  readonly #pauses: number[] = [];
  readonly #items = new Map<string, Item>();
  /** When a keep-warm request last read the last request from the cache, in seconds. */
  #keptWarmAt = -Infinity;

  keptWarm(at: number): void {
    this.#keptWarmAt = at;
  }

  plan(request: ChatRequest): readonly Block[] {
    const { at, kind, items } = request;
    if (kind === 'title') {
      return items.map(blockOf);
    }
    const units = unitsOf(items.filter((item) => item.kind === 'message'));
    const isTurn = kind === 'chat' && units.at(-1)?.isUser === true;
    this.#notice(request, isTurn);
    const last = this.#lastOfBranch(units);
    const alive = aliveBlocks(last, at - Math.max((this.#sent.at(-1) ?? NOTHING).at, this.#keptWarmAt));
    const fixed = items.filter((item) => item.kind === 'tool' || item.kind === 'system').map(blockOf);
    const entries = continuation({
      sent: last.entries,
      alive: Math.max(0, tokensOf(last.blocks.slice(0, alive)) - tokensOf(fixed)),
      units,
      items: items.filter(isContext).sort(byStability).map(plannedItem),
      // Content that the user removes once may stay.
      staying: new Set(this.#items.keys()),
      takesItemsAtEnd: true,
      prices: { write: ANTHROPIC.lifetimes['5m'].write, read: ANTHROPIC.read },
      relayout: isTurn ? 'whenItPays' : 'never',
      forgetsAtOnce: false,
      growthWithout: () => 0,
    });
    const said = new Map(units.map((unit) => [unit.key, unit.messages.map(blockOf)]));
    const blocks = [...fixed, ...this.#blocksOf(entries, said)];
    const marked = withBreakpoints(blocks, this.#wishes({ blocks, fixed: fixed.length, last, alive }, kind));
    if (kind === 'chat') {
      const sent = entries.map((entry) => (entry.kind === 'unit' ? { ...entry, tokens: tokensOf(said.get(entry.key) ?? []) } : entry));
      this.#sent.push({ entries: sent, blocks: marked, units, at });
    }
    return marked;
  }

  #notice({ at, items }: ChatRequest, isTurn: boolean): void {
    const last = this.#sent.at(-1);
    if (isTurn && last !== undefined) {
      this.#pauses.push((at - last.at) * 1_000);
    }
    for (const item of items.filter(isContext)) {
      this.#items.set(item.id, item);
    }
  }

  /** The last request whose conversation continues. After a summary: the latest request. */
  #lastOfBranch(units: readonly Said[]): Sent {
    const isBefore = (sent: Sent): boolean => sent.units.every(({ key }, at) => units[at]?.key === key);
    return this.#sent.findLast(isBefore) ?? this.#sent.at(-1) ?? NOTHING;
  }

  #blocksOf(entries: readonly Entry[], said: ReadonlyMap<string, readonly Block[]>): Block[] {
    const told = new Map<string, string>();
    return entries.flatMap((entry) => {
      if (entry.kind === 'unit') {
        return said.get(entry.key) ?? [];
      }
      const item = this.#items.get(entry.key);
      const before = told.get(entry.key);
      told.set(entry.key, entry.version);
      if (item === undefined) {
        throw new RangeError(`The plan has an entry of ${entry.key}, which the context has never held.`);
      }
      return entry.kind === 'copy'
        ? [{ ...blockOf(item), hash: entry.version, tokens: entry.tokens }]
        : changesOf(item, before ?? '', entry.version);
    });
  }

  #wishes({ blocks, fixed, last, alive }: Laid, kind: ChatRequest['kind']): readonly Wish[] {
    const sent = sentMarks(last.blocks, blocks, alive);
    if (kind === 'summary') {
      return sent;
    }
    const { '5m': short, '1h': long } = ANTHROPIC.lifetimes;
    let end = 0;
    return adaptiveBreakpoints({
      tokens: blocks.map(({ tokens }) => (end += tokens)),
      systemEnd: fixed - 1,
      turnStart: blocks.findLastIndex(({ speech }) => speech === 'user') - 1,
      sent,
      outlived: outlivedShare(this.#pauses),
      prices: { write: short.write, read: ANTHROPIC.read, writeLong: long.write },
    });
  }
}

/** The blocks of a request, and the input for its breakpoints. */
interface Laid {
  readonly blocks: readonly Block[];
  readonly fixed: number;
  readonly last: Sent;
  /** The number of blocks of the last request that the cache probably still has. */
  readonly alive: number;
}

/** Units are user messages, and replies with the results of their calls. */
function unitsOf(messages: readonly Item[]): readonly Said[] {
  const units: Said[] = [];
  for (const message of messages) {
    const before = units.at(-1)?.messages.at(-1)?.speech;
    const isReply = message.speech !== 'user' && message.speech !== 'final';
    const goesOn = before === 'text' || before === 'toolCall' || (before === 'toolResult' && message.speech === 'toolResult');
    if (isReply && goesOn) {
      units.at(-1)?.messages.push(message);
    } else {
      units.push({
        key: message.id,
        isUser: message.speech === 'user',
        mayBeEmpty: false,
        calls: [],
        remaining: 0,
        shrinks: 0,
        excludedWith: null,
        isRemovedNow: false,
        messages: [message],
      });
    }
  }
  return units;
}

function byStability(a: Item, b: Item): number {
  const rank = ({ kind, isChosen }: Item): number => (isChosen ? STABLE.length : STABLE.indexOf(kind));
  return rank(a) - rank(b);
}

function plannedItem({ id, hash, tokens, versions }: Item): Planned {
  const since = (version: string): number | null => {
    const known = versions.findIndex((each) => each.hash === version);
    return known === -1 ? null : versions.slice(known + 1).reduce((sum, { delta }) => sum + delta + DIFFERENCE_FRAME, 0);
  };
  return { key: id, version: hash, tokens, tokensSince: since, place: 'context' };
}

function changesOf(item: Item, before: string, version: string): Block[] {
  const place = (hash: string): number => item.versions.findIndex((each) => each.hash === hash);
  return item.versions.slice(place(before) + 1, place(version) + 1).map(({ hash, delta }) => ({
    ...blockOf(item),
    hash: changeHash(hash),
    tokens: delta + DIFFERENCE_FRAME,
    changesTo: hash,
  }));
}

/** Returns how many blocks of a request the cache probably still has, `idle` seconds after the last one. */
function aliveBlocks({ blocks }: Sent, idle: number): number {
  return blocks.findLastIndex(({ breakpoint }) => breakpoint !== null && idle <= ANTHROPIC.lifetimes[breakpoint].seconds) + 1;
}

/** Returns the breakpoints of the last request whose prefix is unchanged. */
function sentMarks(before: readonly Block[], blocks: readonly Block[], alive: number): readonly (Wish & { readonly isAlive: boolean })[] {
  const changed = before.findIndex(({ hash }, at) => blocks[at]?.hash !== hash);
  const same = before.slice(0, changed === -1 ? before.length : changed);
  return same.flatMap(({ breakpoint }, at) => (breakpoint === null ? [] : [{ at, isLong: breakpoint === '1h', isAlive: at < alive }]));
}

/** Sets the breakpoints that the provider takes, as `mark` of the engine does. */
function withBreakpoints(blocks: readonly Block[], wishes: readonly Wish[]): Block[] {
  const places = new Map<number, boolean>();
  for (const { at, isLong } of wishes) {
    const isCached = tokensOf(blocks.slice(0, at + 1)) >= ANTHROPIC.minimumTokens;
    if (isCached && (places.has(at) || places.size < ANTHROPIC.mostBreakpoints)) {
      places.set(at, isLong || places.get(at) === true);
    }
  }
  const lastLong = Math.max(-1, ...[...places].filter(([, isLong]) => isLong).map(([at]) => at));
  return blocks.map((block, at) => (places.has(at) ? { ...block, breakpoint: at <= lastLong ? '1h' : '5m' } : block));
}

function tokensOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { tokens }) => sum + tokens, 0);
}
