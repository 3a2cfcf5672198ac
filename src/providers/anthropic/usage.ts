import type { Figure, IterationUsage, Usage } from '../../engine/model/usage.js';
import { type JsonObject, isObject } from '../../engine/json.js';
import { cacheCreation, reported, serviceTier } from '../usageMembers.js';
import { count, itemsOf, member, wordsMember } from '../json.js';

export interface UsageFacts {
  /** Whether the reply has ended. Until then, the number of output tokens is only a start value. */
  readonly isComplete: boolean;
  /** Whether requests to the model can have cache breakpoints. The provider bills cache writes at breakpoints. */
  readonly takesBreakpoints: boolean;
}

type NormalizedFigures = Omit<IterationUsage, 'model'>;

/**
 * Normalizes the API's usage object to figures that do not overlap: `input_tokens` exclude cache reads and cache
 * writes. A missing or invalid figure (negative, fractional, not a number) is unknown, because the API does not
 * document that a missing figure means zero. Exception: an automatic cache that reports reads has written 0.
 *
 * One request can run several model calls (`iterations`: compaction, an advisor, a fallback). All calls are billed, but
 * the top-level figures cover only some (https://platform.claude.com/docs/en/build-with-claude/compaction).
 */
export function normalizedUsage(raw: JsonObject, facts: UsageFacts): Usage {
  const iterations = itemsOf(member(raw, 'iterations'))
    .filter(isObject)
    .map((each) => ({ ...figuresOf(each, facts), ...answeredBy(each) }));
  const [first, ...others] = iterations;
  const isOne = first === undefined || (others.length === 0 && !('model' in first));
  const told = isOne ? {} : { iterations };
  return {
    ...(first === undefined ? figuresOf(raw, facts) : others.reduce<NormalizedFigures>(sumOf, withoutModel(first))),
    ...serviceTier(member(raw, 'service_tier'), member(raw, 'speed'), member(raw, 'inference_geo')),
    ...told,
    ...(hasSearched(raw) ? { isMoreBilled: true } : {}),
  };
}

function withoutModel({
  promptTokens,
  cacheReadInputTokens,
  cacheCreationInputTokens,
  cacheCreation,
  completionTokens,
}: NormalizedFigures): NormalizedFigures {
  return { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, cacheCreation, completionTokens };
}

function figuresOf(raw: JsonObject, { isComplete, takesBreakpoints }: UsageFacts): NormalizedFigures {
  const read = figure(raw, 'cache_read_input_tokens');
  const isWrittenSaid = (member(raw, 'cache_creation_input_tokens') ?? null) !== null;
  return {
    promptTokens: figure(raw, 'input_tokens'),
    cacheReadInputTokens: read,
    cacheCreationInputTokens:
      !isWrittenSaid && read !== null && !takesBreakpoints ? reported(0) : figure(raw, 'cache_creation_input_tokens'),
    cacheCreation: cacheCreation(member(raw, 'cache_creation'), count(member(raw, 'cache_creation_input_tokens'))),
    completionTokens: isComplete ? figure(raw, 'output_tokens') : null,
  };
}

/** Kinds of iterations that the requested model performs, not another model. */
const OWN_KINDS: ReadonlySet<unknown> = new Set(['message', 'compaction']);

function answeredBy(iteration: JsonObject): Pick<IterationUsage, 'model'> {
  const model = wordsMember(iteration, 'model');
  return model === null || OWN_KINDS.has(member(iteration, 'type')) ? {} : { model };
}

function sumOf(a: NormalizedFigures, b: NormalizedFigures): NormalizedFigures {
  const plus = (x: Figure | null, y: Figure | null): Figure | null => (x === null || y === null ? null : reported(x.value + y.value));
  const written = a.cacheCreation === null || b.cacheCreation === null ? null : ([a.cacheCreation, b.cacheCreation] as const);
  return {
    promptTokens: plus(a.promptTokens, b.promptTokens),
    cacheReadInputTokens: plus(a.cacheReadInputTokens, b.cacheReadInputTokens),
    cacheCreationInputTokens: plus(a.cacheCreationInputTokens, b.cacheCreationInputTokens),
    cacheCreation:
      written === null
        ? null
        : {
            fiveMinutes: written[0].fiveMinutes + written[1].fiveMinutes,
            oneHour: written[0].oneHour + written[1].oneHour,
          },
    completionTokens: plus(a.completionTokens, b.completionTokens),
  };
}

function figure(raw: JsonObject, name: string): Figure | null {
  return reported(count(member(raw, name)));
}

/** Whether the provider searched the web for the reply. Each search is billed. */
function hasSearched(raw: JsonObject): boolean {
  return (count(member(member(raw, 'server_tool_use'), 'web_search_requests')) ?? 0) > 0;
}
