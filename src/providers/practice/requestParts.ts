import { createHash } from 'node:crypto';
import { canonicalJson } from '../../engine/json.js';
import type { TokenCounter } from '../../engine/ports.js';
import type { Framing } from '../../engine/run/model.js';
import { partTokens } from '../../engine/tokens/partTokens.js';
import type { CachePart } from '../../engine/cache/providerCache.js';
import type { PracticePart, PracticeRequest } from './wire.js';

/** The place of a part in the request; for messages with their number from 0. */
export interface RequestPart extends CachePart {
  readonly place: 'tools' | 'system' | 'user' | 'assistant' | 'tool';
  readonly message: number | null;
  /** How many of its tokens are framing. */
  readonly framing: number;
  /** What rule or reference it is, as its heading names it; null for all else. */
  readonly item: RequestItem | null;
}

export interface RequestItem {
  readonly kind: 'rule' | 'reference';
  readonly name: string;
}

/** The whole input in tokens, with framing. */
export function totalTokens(parts: readonly CachePart[]): number {
  return parts.reduce((sum, part) => sum + part.tokens, 0);
}

/** The framing of these parts, in tokens: what the panel calls message overhead. */
export function framingTokens(parts: readonly RequestPart[]): number {
  return parts.reduce((sum, part) => sum + part.framing, 0);
}

/** The texts of these parts in tokens, as the panel counts them. */
export function contentTokens(parts: readonly RequestPart[]): number {
  return totalTokens(parts) - framingTokens(parts);
}

interface Located {
  readonly place: RequestPart['place'];
  readonly message: number | null;
  readonly part: PracticePart;
  /** The definitions that it loads. */
  readonly loaded: readonly PracticePart<'toolDefinition'>[];
  /** Framing before the part, in tokens. */
  readonly framing: number;
}

/** The tools of a request that stand only where results load them, by name. */
export function deferredTools({ tools }: PracticeRequest): ReadonlyMap<string, PracticePart<'toolDefinition'>> {
  return new Map(tools.flatMap((tool) => (tool.isDeferred === true ? [[tool.name, tool] as const] : [])));
}

/** The names of the tools that a part loads. */
export function loadedNames(part: PracticePart): readonly string[] {
  return part.type === 'toolResult' ? part.content.flatMap((item) => (item.type === 'toolReference' ? [item.name] : [])) : [];
}

/**
 * The parts of a request in wire order, with their tokens, which add up to the whole input. A part includes framing:
 * that of its tool; as the first part, that of its message or the system prompt; as the very first part, that of the
 * request.
 */
export function requestParts(request: PracticeRequest, framing: Framing, counter: TokenCounter): RequestPart[] {
  let prefix = request.model;
  return locate(request, framing).map(({ place, message, part, loaded, framing: before }, index) => {
    prefix = digest(prefix, place, message, [part, ...loaded]);
    const own = before + loaded.length * framing.perTool + (index === 0 ? framing.perRequest : 0);
    return {
      place,
      message,
      prefix,
      tokens: own + [part, ...loaded].reduce((sum, each) => sum + partTokens(each, counter), 0),
      framing: own,
      mark: part.cache ?? null,
      item: itemOf(place, part),
    };
  });
}

function locate(request: PracticeRequest, framing: Framing): Located[] {
  const { perMessage, perTool } = framing;
  const deferred = deferredTools(request);
  const outside = { message: null, loaded: [] };
  const tools = request.tools.filter(({ name }) => !deferred.has(name));
  return [
    ...tools.map((part): Located => ({ ...outside, place: 'tools', part, framing: perTool })),
    ...request.system.map((part, index): Located => ({ ...outside, place: 'system', part, framing: index === 0 ? perMessage : 0 })),
    ...request.messages.flatMap(({ role, content }, message) =>
      content.map((part, index): Located => {
        const loaded = loadedNames(part).flatMap((name) => deferred.get(name) ?? []);
        return { place: role, message, part, loaded, framing: index === 0 ? perMessage : 0 };
      }),
    ),
  ];
}

/** The heading of a rule or a reference, as requests write it; one that came or changed later stands below a line that says so. */
const ITEM = /^(?:(?:New|Changed) from here on: .*\n\n)?# (Rules|Reference): (.+)/;

/** In the system prompt, or in a message: picked for it, or told with it. */
function itemOf(place: RequestPart['place'], part: PracticePart): RequestItem | null {
  const isPlaced = place === 'system' || place === 'user';
  const found = isPlaced && part.type === 'text' ? ITEM.exec(part.text) : null;
  return found === null ? null : { kind: found[1] === 'Rules' ? 'rule' : 'reference', name: found[2] ?? '' };
}

/** Hashes a part, and what it loads, together with the prefix before it. Breakpoints are left out: they may move without changing the prefix. */
function digest(before: string, place: RequestPart['place'], message: number | null, parts: readonly PracticePart[]): string {
  const contents = parts.map(({ cache: _, ...content }) => content);
  const text = canonicalJson([before, place, message, ...contents]);
  return createHash('sha256').update(text).digest('hex');
}
