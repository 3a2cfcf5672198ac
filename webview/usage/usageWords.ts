import type {
  UsageCount,
  UsageFigures,
  UsageGroup,
  UsageMeasure,
  UsagePart,
  UsagePrice,
  UsageQuery,
  UsageSum,
} from '../../src/protocol/usage/usage.js';
import { columnPrice, counted, markedPrice, percent, price, roughPrice, shortTokens, tokens } from '../shared/numbers.js';
import { periodInSentence } from './periodWords.js';

/** A piece of a sentence. `weight` marks important figures. */
export interface VerdictPiece {
  readonly text: string;
  readonly weight: 'plain' | 'strong' | 'saved';
}

/** Describes in one line the cost of the period and the saving by the cache. */
export function verdict({ total, allChats, saving, period, measure }: UsageFigures): readonly VerdictPiece[] {
  const when = periodInSentence(period);
  if (total.requests === 0) {
    return [plain(`No requests ${when}.`)];
  }
  if (measure === 'usd' && allChats !== null && allChats.usd !== null) {
    return [plain('This chat '), strong(priceOfSum(total)), plain(` of ${priceOfSum(allChats)} ${when}.`), ...saved(total, saving.usd)];
  }
  return measure === 'usd' ? [...spent(total, when), ...saved(total, saving.usd)] : usedTokens(total, when);
}

export function spent({ usd, unknown, isEstimated }: UsageSum, when: string): readonly VerdictPiece[] {
  const least = unknown > 0 ? [plain('At least ')] : [];
  const written = price(usd ?? 0);
  return [...least, strong(isEstimated && unknown === 0 ? markedPrice('≈', written) : written), plain(` ${when}.`)];
}

export function saved(total: UsageSum, usd: number | null): readonly VerdictPiece[] {
  const share = percent(total.read, total.input);
  if (usd === null || usd === 0) {
    return readShare(total);
  }
  return usd < 0
    ? [plain(' The cache cost '), strong(price(-usd)), plain(' more than it saved.')]
    : [plain(' The cache saved '), { text: price(usd), weight: 'saved' }, plain(`: ${share} of the input was read from it.`)];
}

export function usedTokens(total: UsageSum, when: string): readonly VerdictPiece[] {
  const { input, output, isEstimated, unknown, noPrice, requests } = total;
  if (input + output === 0) {
    return [strong(counted(requests, 'request')), plain(` ${when}. ${requests === 1 ? 'Its' : 'Their'} usage is unknown.`)];
  }
  const mark = isEstimated && unknown === 0 ? '≈ ' : '';
  const least = unknown > 0 ? [plain('At least ')] : [];
  const figures = [...least, strong(`${mark}${counted(input, 'token')}`), plain(' in and '), strong(`${mark}${tokens(output)}`)];
  const nobody = unknown + noPrice === 0 ? ' These tokens were not billed.' : '';
  return [...figures, plain(` out ${when}.${nobody}`), ...readShare(total)];
}

function readShare({ read, input }: UsageSum): readonly VerdictPiece[] {
  return read === 0 ? [] : [plain(` ${percent(read, input)} of the input was read from the cache.`)];
}

function plain(text: string): VerdictPiece {
  return { text, weight: 'plain' };
}

function strong(text: string): VerdictPiece {
  return { text, weight: 'strong' };
}

/** Explains how Loupe computed the saving. Empty when the saving is unknown. */
export function savingHelp({ saving }: UsageFigures): string {
  if (saving.usd === null) {
    return '';
  }
  const left =
    saving.unknown === 0
      ? ''
      : ` ${counted(saving.unknown, 'request')} with other prices than today ${saving.unknown === 1 ? 'is' : 'are'} not included.`;
  return `The price of all input without a cache, minus the price that you paid.${left}`;
}

/** Formats a sum by `measure`: its tokens, or its price or why the price is missing. */
export function sumInWords(sum: UsageSum, measure: UsageMeasure): string {
  const { input, output } = sum;
  return measure === 'tokens' ? `${tokensMark(sum)}${counted(input + output, 'token')}` : priceOfSum(sum);
}

export function shortSum(sum: UsageSum, measure: UsageMeasure): string {
  const { input, output } = sum;
  return measure === 'tokens' ? `${tokensMark(sum)}${shortTokens(input + output)}` : priceOfSum(sum);
}

function tokensMark({ unknown, isEstimated }: UsageSum): string {
  return unknown > 0 ? '≥ ' : isEstimated ? '≈ ' : '';
}

export function priceOfSum({ usd, unknown, noPrice, isEstimated }: UsageSum): string {
  if (usd === null) {
    return noPrice > 0 ? 'no price' : unknown > 0 ? 'unknown' : 'not billed';
  }
  const written = price(usd);
  return unknown > 0 ? markedPrice('≥', written) : isEstimated ? markedPrice('≈', written) : written;
}

/** Formats a sum like `sumInWords`, but short enough for a bar. */
export function sumOnBar({ usd, input, output }: UsageSum, measure: UsageMeasure): string {
  if (measure === 'tokens') {
    return input + output === 0 ? '' : shortTokens(input + output);
  }
  return usd === null ? '' : roughPrice(usd);
}

const PARTS: Readonly<Record<UsagePart, string>> = {
  reply: 'Replies',
  title: 'Titles',
  summary: 'Summaries',
  keepWarm: 'Keep warm',
  embedding: 'Embeddings',
  count: 'Token counts',
  probe: 'Test messages',
  retry: 'Retries',
  discarded: 'Discarded',
};

export const DELETED_CHAT = 'a deleted chat';

export function partName(part: UsagePart): string {
  return PARTS[part];
}

export function groupName({ key }: UsageGroup, stackBy: UsageQuery['stackBy'], names: UsageFigures['modelNames']): string {
  if (key === null) {
    return 'Other models';
  }
  return stackBy === 'part' ? PARTS[key as UsagePart] : (names[key] ?? key);
}

export function countInWords(count: UsageCount): string {
  return count === null ? 'unknown' : `${count.isEstimated ? '≈ ' : ''}${tokens(count.value)}`;
}

const NO_PRICE = { unbilled: 'not billed', noPrice: 'no price', unknown: 'unknown' } as const;

export function priceInWords(cost: UsagePrice): string {
  if (typeof cost === 'string') {
    return NO_PRICE[cost];
  }
  const written = columnPrice(cost.usd, cost.isAtLeast);
  return cost.isEstimated && !cost.isAtLeast ? markedPrice('≈', written) : written;
}

/** Counts requests without a price: `23 requests of qwen3-coder have no price.` Null if all have prices. */
export function withoutPrice({ models, modelNames }: UsageFigures): string | null {
  const groups = models.groups.filter(({ sum }) => sum.noPrice > 0);
  const count = groups.reduce((sum, each) => sum + each.sum.noPrice, 0);
  if (count === 0) {
    return null;
  }
  const key = groups.length === 1 ? (groups[0]?.key ?? null) : null;
  const of = key === null ? '' : ` of ${modelNames[key] ?? key}`;
  return `${counted(count, 'request')}${of} ${count === 1 ? 'has' : 'have'} no price.`;
}

/** Explains below the table where the figures of the table come from. */
export function sourceNote({ unbilled, total }: Pick<UsageFigures, 'unbilled' | 'total'>): string {
  const estimates = total.isEstimated ? ' ≈ marks figures that Loupe counted.' : '';
  return `The providers reported the tokens.${estimates}${unbilled === 0 ? '' : ' Not counted: practice models and refused requests.'}`;
}
