import { blockParts } from '../../engine/cache/forecast.js';
import { type Cost, PER_MILLION, type Prices, type Rates, ratesOfUsage } from '../../engine/model/price.js';
import { usedParts } from '../../engine/model/inputParts.js';
import { tokenEnds } from '../../engine/model/prompt.js';
import { scaledEnds } from '../../engine/request/requestParts.js';
import { differingPlace } from '../../engine/diagnosis/firstDifference.js';
import { type AttemptState, isReplyEstimated } from '../../engine/chat/slices/attempts.js';
import { contentHash } from '../../engine/model/block.js';
import type { CacheParts } from '../../protocol/forecast.js';
import { type InspectedBlock, type InspectedRequest, NEXT_REQUEST, type RequestName } from '../../protocol/inspector/inspector.js';
import { type ComposedRequest, shownTokens } from '../../engine/next/compose.js';
import { allNotSelected } from '../request/excluded/notSelectedItems.js';
import { overBudget, droppedSentences, adaptationSentences } from '../request/sizeTexts.js';
import { alignedEnds } from './alignedEnds.js';
import { heldItems, namedBlock } from './blockNames.js';
import type { HeldBlock, HeldRequest } from './heldRequest.js';
import { sumTokens } from '../../engine/sumTokens.js';
import { type Usage, figureValue, inputTokens } from '../../engine/model/usage.js';
import { forecastRates } from '../request/forecast/forecastView.js';

export interface PreviousRequest extends RequestName {
  readonly blocks: readonly Pick<HeldBlock, 'key' | 'hash' | 'copyHash'>[];
}

export interface SentFacts {
  readonly attempt: AttemptState;
  /** The number of the request in the chat, from 1. */
  readonly number: number;
  /** The model's current prices. Null for a model without prices and for a model that Loupe no longer lists. */
  readonly prices: Prices | null;
  /** The model's name. For a model that Loupe no longer lists, the model's key. */
  readonly label: string;
}

type DescribedRequest = Omit<InspectedRequest, 'observation'>;

export function inspectedSent(
  { attempt, number, prices, label }: SentFacts,
  held: HeldRequest,
  before: PreviousRequest | null,
): DescribedRequest {
  const { id, purpose, startedAt, manifest } = attempt;
  const notes = [...endNotes(attempt), ...adaptationSentences(manifest.adaptations, label), ...droppedSentences(held.records)];
  const figures = usedFigures(attempt, prices);
  const { parts, input } = figures;
  const cache = parts === null ? null : cacheOfBlocks(held, scaledEnds(tokenEnds(held.blocks, [], 0), input), parts);
  return inspected(
    { id, number, purpose, at: startedAt, model: label, notes, awaitsReply: false, isReplyEstimated: isReplyEstimated(attempt.end) },
    figures,
    { held, before, cache },
  );
}

export function inspectedNext(
  composed: ComposedRequest,
  held: HeldRequest,
  { before, awaitsReply }: { readonly before: PreviousRequest | null; readonly awaitsReply: boolean },
): DescribedRequest {
  const { model, forecast, adaptations, records } = composed;
  const problem = overBudget(composed);
  const notes = [...(problem === null ? [] : [problem]), ...droppedSentences(records), ...adaptationSentences(adaptations, model.label)];
  const purpose = awaitsReply ? 'after this reply' : 'not sent yet';
  const named = { id: NEXT_REQUEST, number: null, purpose, at: null, model: model.label, notes, awaitsReply, isReplyEstimated: false };
  const figures = expectedFigures(composed, awaitsReply);
  const cache = figures.parts === null || forecast === null ? null : cacheOfBlocks(held, forecast.ends, figures.parts);
  return inspected(named, figures, { held, before, cache });
}

/** Returns the cache use of each block. `ends`: the estimated ends of the blocks, as in `Forecast`. */
function cacheOfBlocks({ blocks }: HeldRequest, ends: readonly number[], parts: CacheParts): readonly CacheParts[] {
  const breakpoints = blocks.flatMap(({ breakpoint }, at) => (breakpoint === null ? [] : [at]));
  return blockParts({ ends: alignedEnds(ends, breakpoints, parts), parts });
}

/** Returns notes about the end of the request, such as an error. */
function endNotes({ end }: AttemptState): string[] {
  if (end === null) {
    return ['The reply is still arriving.'];
  }
  return end.error === null ? [] : [end.error.message];
}

interface DescribedContent {
  readonly held: HeldRequest;
  readonly before: PreviousRequest | null;
  /** The cache read, cache write and uncached tokens of each block. Null when unknown. */
  readonly cache: readonly CacheParts[] | null;
}

function inspected(
  named: Pick<InspectedRequest, 'id' | 'number' | 'purpose' | 'at' | 'model' | 'notes' | 'awaitsReply' | 'isReplyEstimated'>,
  { rates, counted, ...figures }: RequestFigures,
  { held, before, cache }: DescribedContent,
): DescribedRequest {
  const { blocks, records } = held;
  const items = heldItems(records);
  const known = new Map(before?.blocks.map((block) => [block.key, contentHash(block)]));
  const asked = askedAt(blocks);
  const rows = blocks.map((block, at): InspectedBlock => {
    const parts = cache?.[at] ?? null;
    const { why, ...name } = namedBlock(block, items, at === asked);
    const content = known.get(block.key);
    const isChanged = content !== undefined && content !== contentHash(block);
    return {
      ...name,
      why: isChanged ? `${why}, changed` : why,
      tier: block.tier,
      breakpoint: block.breakpoint,
      tokens: block.tokens,
      cache: parts,
      price: priceOfParts(parts, rates),
      problem: block.problem,
    };
  });
  return {
    ...named,
    ...figures,
    blocks: rows,
    framing: Math.max(0, counted - sumTokens(blocks)),
    difference: figures.input - Math.max(counted, sumTokens(blocks)),
    before: before === null ? null : { id: before.id, number: before.number },
    differsAt: before === null ? null : differsAt(before.blocks, blocks),
    notSelected: allNotSelected(records),
    earlier: blocks.flatMap(({ form }, at) => (form === 'carried' ? [at] : [])),
  };
}

/** Returns the index of the message that the request asks. -1 if a reply ends the request: it asks nothing new. */
function askedAt(blocks: readonly Pick<HeldBlock, 'role' | 'key'>[]): number {
  const isMessage = ({ key }: Pick<HeldBlock, 'key'>): boolean => key.startsWith('message:');
  return blocks.findLast(isMessage)?.role === 'assistant' ? -1 : blocks.findLastIndex((block) => block.role === 'user' && isMessage(block));
}

/** Returns the index of the first different block. Null when one request is the start of the other. */
export function differsAt(before: readonly Pick<HeldBlock, 'hash'>[], blocks: readonly Pick<HeldBlock, 'hash'>[]): number | null {
  const at = differingPlace(before, blocks);
  return at === before.length || at >= blocks.length ? null : at;
}

interface RequestFigures extends Pick<InspectedRequest, 'input' | 'source' | 'parts' | 'inputPrice' | 'reply' | 'replyPrice'> {
  /** US dollars per input token, for cache reads, cache writes and uncached input. Null when unknown. */
  readonly rates: CacheParts | null;
  /** Tokens of all blocks and of the framing, as Loupe counts them. */
  readonly counted: number;
}

/** Returns the usage that the provider reported for a request. `prices`: current prices of the model. */
function usedFigures({ manifest, end }: AttemptState, prices: Prices | null): RequestFigures {
  const { tokens, counted } = manifest.size;
  const usage = end?.usage ?? null;
  const parts = usage === null ? null : usedParts(usage);
  const reply = usage === null ? null : figureValue(usage.completionTokens);
  if (usage === null || parts === null) {
    return { counted, input: tokens, source: 'counted', parts: null, rates: null, inputPrice: null, reply, replyPrice: null };
  }
  const rates = chargedRates(usage, end?.cost ?? null, prices);
  return {
    counted,
    input: parts.read + parts.written + parts.fresh,
    source: usage.promptTokens?.source === 'estimated' ? 'counted' : 'reported',
    parts,
    rates,
    inputPrice: priceOfParts(parts, rates),
    reply,
    replyPrice: priceOfReply(reply, rates),
  };
}

function priceOfReply(reply: number | null, rates: TokenRates | null): number | null {
  return reply === null || rates === null ? null : reply * rates.output;
}

/** Returns the expected figures of the next request. While it awaits a reply, its price and cache use are unknown. */
function expectedFigures(composed: ComposedRequest, awaitsReply: boolean): RequestFigures {
  const { size, model, forecast, inputCost, isPartial } = composed;
  const common = {
    input: shownTokens(composed),
    counted: size.counted,
    reply: null,
    replyPrice: null,
  };
  if (forecast === null || isPartial || awaitsReply) {
    return { ...common, source: 'counted', parts: null, rates: null, inputPrice: isPartial || awaitsReply ? null : inputCost };
  }
  const rates = forecastRates(forecast, model.prices);
  return { ...common, source: 'forecast', parts: forecast.parts, rates, inputPrice: forecast.costNow };
}

interface TokenRates extends CacheParts {
  readonly output: number;
}

/**
 * Returns the billed prices per token of a request. Null without prices or a known cost. If the prices have changed
 * since the request, scales the current prices until all parts add up to the billed cost.
 */
function chargedRates(usage: Usage, cost: Cost | null, prices: Prices | null): TokenRates | null {
  const input = inputTokens(usage);
  const output = figureValue(usage.completionTokens);
  if (prices === null || cost === null || input === null || output === null) {
    return null;
  }
  const read = figureValue(usage.cacheReadInputTokens) ?? 0;
  const written = figureValue(usage.cacheCreationInputTokens) ?? 0;
  const rates = todaysRates(usage, ratesOfUsage(usage, prices));
  const today = read * rates.read + written * rates.written + (input - read - written) * rates.fresh + output * rates.output;
  const factor = today === 0 ? 1 : cost.usd / today;
  return {
    read: rates.read * factor,
    written: rates.written * factor,
    fresh: rates.fresh * factor,
    output: rates.output * factor,
  };
}

function todaysRates({ cacheCreation }: Usage, prices: Rates): TokenRates {
  const { fiveMinutes, oneHour } = cacheCreation ?? { fiveMinutes: 1, oneHour: 0 };
  const written = fiveMinutes + oneHour;
  const perWritten = written === 0 ? prices.cacheWrite5m : (fiveMinutes * prices.cacheWrite5m + oneHour * prices.cacheWrite1h) / written;
  return {
    read: prices.cacheRead / PER_MILLION,
    written: perWritten / PER_MILLION,
    fresh: prices.input / PER_MILLION,
    output: prices.output / PER_MILLION,
  };
}

function priceOfParts(parts: CacheParts | null, rates: CacheParts | null): number | null {
  return parts === null || rates === null ? null : parts.read * rates.read + parts.written * rates.written + parts.fresh * rates.fresh;
}
