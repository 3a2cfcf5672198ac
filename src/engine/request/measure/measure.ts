import { priceBeforeSending, type UncachedInput } from '../../model/price.js';
import type { Framing, Model } from '../../model/model.js';
import type { Calibration } from '../../tokens/calibration.js';
import type { RequestSize } from '../../record/requestSize.js';
import { deferredIn } from '../onDemandTools.js';
import { promptBlocks, promptBreakpoints, promptEnds, type Prompt } from '../../model/prompt.js';

export interface OtherCounts {
  readonly calibration: Calibration;
  /** The number of input tokens of this prompt by the provider's count. Null if the provider did not count. */
  readonly byProvider: number | null;
}

export interface RequestMeasurement {
  readonly size: RequestSize;
  /** Tokens that the wire format adds, by the model's counter. */
  readonly framingTokens: number;
  /** Cost of the input in US dollars if nothing is read from the cache, with cache writes. Null without prices. */
  readonly inputCost: number | null;
}

/** Measures a prompt as its model bills it. The meter, the budget and the price all use this result. */
export function measure(prompt: Prompt, { capabilities, prices }: Model, counted: OtherCounts): RequestMeasurement {
  const framingTokens = framingOf(prompt, capabilities.framing);
  const content = contentOf(prompt);
  const size = sizeOf(content.tokens + framingTokens, capabilities.counterIsExact, counted);
  return { size, framingTokens, inputCost: priceBeforeSending(uncachedInput(content, size.tokens), prices) };
}

/** Tokens of all blocks, and tokens up to the last breakpoint of each lifetime, which are written to the cache. */
interface ContentTokens {
  readonly tokens: number;
  readonly toFiveMinutes: number;
  readonly toOneHour: number;
}

function contentOf(prompt: Prompt): ContentTokens {
  const ends = promptEnds(prompt);
  const upTo = (isLong: boolean): number => ends[promptBreakpoints(prompt).findLast(({ ttl }) => (ttl === '1h') === isLong)?.at ?? -1] ?? 0;
  return { tokens: ends.at(-1) ?? 0, toFiveMinutes: upTo(false), toOneHour: upTo(true) };
}

/** Splits the tokens of a request into groups of equal price. `tokens` can include corrections and the wire format. */
function uncachedInput(content: ContentTokens, tokens: number): UncachedInput {
  const share = (part: number): number => (content.tokens === 0 ? 0 : Math.round((tokens * part) / content.tokens));
  const oneHour = share(content.toOneHour);
  const written = Math.max(oneHour, share(content.toFiveMinutes));
  return { fresh: tokens - written, fiveMinutes: written - oneHour, oneHour };
}

function sizeOf(counted: number, counterIsExact: boolean, { calibration, byProvider }: OtherCounts): RequestSize {
  if (counterIsExact) {
    return { tokens: counted, counted, basis: 'exact', error: null };
  }
  if (byProvider !== null) {
    return { tokens: byProvider, counted, basis: 'providerCount', error: null };
  }
  return { tokens: Math.round(counted * calibration.factor), counted, basis: 'estimate', error: calibration.error };
}

/** Returns the tokens that the wire format adds. A tool on demand adds tokens each time that a result loads it. */
function framingOf(prompt: Prompt, framing: Framing): number {
  const messages = prompt.messages.length + (prompt.system.length > 0 ? 1 : 0);
  const deferred = deferredIn(prompt.tools).length;
  const tools = prompt.tools.length - deferred + (deferred === 0 ? 0 : referencesIn(prompt));
  return framing.perRequest + messages * framing.perMessage + tools * framing.perTool;
}

function referencesIn(prompt: Prompt): number {
  return promptBlocks(prompt).reduce(
    (sum, { part }) => sum + (part.type === 'toolResult' ? part.content.filter(({ type }) => type === 'toolReference').length : 0),
    0,
  );
}
