import { createHash } from 'node:crypto';
import { canonicalJson } from '../../engine/json.js';
import type { TokenCounter } from '../../engine/ports.js';
import type { Framing } from '../../engine/run/model.js';
import { partTokens } from '../../engine/tokens/partTokens.js';
import type { CachePart } from './cacheSimulation.js';
import type { PracticePart, PracticeRequest } from './wire.js';

/** Where in the request a part stands: the place's name and, for messages, their number from 0. */
export interface RequestPart extends CachePart {
  readonly place: 'tools' | 'system' | 'user' | 'assistant' | 'tool';
  readonly message: number | null;
}

/** The whole input, framing included. */
export function totalTokens(parts: readonly CachePart[]): number {
  return parts.reduce((sum, part) => sum + part.tokens, 0);
}

interface Located {
  readonly place: RequestPart['place'];
  readonly message: number | null;
  readonly part: PracticePart;
  /** Framing in front of the part. */
  readonly framing: number;
}

/**
 * The parts of a request in wire order, counted. Their tokens add up to the whole input: a part's framing (that
 * of its tool; of its message or the system prompt, for the first part of it; of the request, for the very
 * first) counts with it.
 */
export function requestParts(request: PracticeRequest, framing: Framing, counter: TokenCounter): RequestPart[] {
  let prefix = request.model;
  return locate(request, framing).map(({ place, message, part, framing: before }, index) => {
    prefix = digest(prefix, place, message, part);
    const tokens = before + (index === 0 ? framing.perRequest : 0) + partTokens(part, counter);
    return { place, message, prefix, tokens, mark: part.cache ?? null };
  });
}

function locate(request: PracticeRequest, framing: Framing): Located[] {
  const { perMessage, perTool } = framing;
  return [
    ...request.tools.map((part): Located => ({ place: 'tools', message: null, part, framing: perTool })),
    ...request.system.map((part, index): Located => ({ place: 'system', message: null, part, framing: index === 0 ? perMessage : 0 })),
    ...request.messages.flatMap(({ role, content }, message) =>
      content.map((part, index): Located => ({ place: role, message, part, framing: index === 0 ? perMessage : 0 })),
    ),
  ];
}

/** Chains a part to the prefix before it. The mark is no content: it may move without changing the prefix. */
function digest(before: string, place: RequestPart['place'], message: number | null, part: PracticePart): string {
  const { cache: _, ...content } = part;
  const text = canonicalJson([before, place, message, content]);
  return createHash('sha256').update(text).digest('hex');
}
