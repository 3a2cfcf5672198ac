import { createHash } from 'node:crypto';
import type { CachePart } from '../../engine/model/providerCache.js';
import { canonicalJson } from '../../engine/json.js';
import type { TokenCounter } from '../../engine/ports.js';
import type { Framing } from '../../engine/model/model.js';
import { partTokens } from '../../engine/tokens/partTokens.js';
import { PRACTICE_IMAGE } from './models.js';
import type { PracticePart, PracticeRequest } from './wire.js';

/** Returns the tools on demand by name. The prompt contains such a tool only where a tool result loads it. */
export function deferredTools({ tools }: PracticeRequest): ReadonlyMap<string, PracticePart<'toolDefinition'>> {
  return new Map(tools.flatMap((tool) => (tool.isDeferred === true ? [[tool.name, tool] as const] : [])));
}

interface PlacedParts {
  readonly place: string;
  /** A part of the request, followed by the tool definitions that the part loads. */
  readonly parts: readonly [PracticePart, ...PracticePart<'toolDefinition'>[]];
  /** Tokens of the framing: around a tool, or around the message that starts with these parts. */
  readonly framing: number;
}

/** Returns the parts of a request in the order of the wire format. The tokens of all parts are the whole input. */
export function requestParts(request: PracticeRequest, framing: Framing, counter: TokenCounter): CachePart[] {
  let prefix = request.model;
  return locate(request, framing).map(({ place, parts, framing: around }, index) => {
    prefix = digest(prefix, place, parts);
    const counted = parts.reduce((sum, part) => sum + partTokens(part, counter, () => PRACTICE_IMAGE.tokens), 0);
    return { prefix, tokens: counted + around + (index === 0 ? framing.perRequest : 0), breakpoint: parts[0].cache ?? null };
  });
}

function locate(request: PracticeRequest, { perMessage, perTool }: Framing): PlacedParts[] {
  const deferred = deferredTools(request);
  const loadedBy = (part: PracticePart): PracticePart<'toolDefinition'>[] =>
    part.type === 'toolResult'
      ? part.content.flatMap((item) => (item.type === 'toolReference' ? (deferred.get(item.name) ?? []) : []))
      : [];
  return [
    ...request.tools
      .filter(({ name }) => !deferred.has(name))
      .map((part): PlacedParts => ({ place: 'tools', parts: [part], framing: perTool })),
    ...request.system.map((part, at): PlacedParts => ({ place: 'system', parts: [part], framing: at === 0 ? perMessage : 0 })),
    ...request.messages.flatMap(({ role, content }, message) =>
      content.map((part, at): PlacedParts => {
        const loaded = loadedBy(part);
        return {
          place: `${role} ${String(message)}`,
          parts: [part, ...loaded],
          framing: (at === 0 ? perMessage : 0) + loaded.length * perTool,
        };
      }),
    ),
  ];
}

/** Hashes parts together with all earlier parts. Breakpoints are left out, because they can move in an equal prompt. */
function digest(before: string, place: string, parts: readonly PracticePart[]): string {
  const contents = parts.map(({ cache: _, ...content }) => content);
  return createHash('sha256')
    .update(canonicalJson([before, place, ...contents]))
    .digest('hex');
}
