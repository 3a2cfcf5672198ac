import { isUnbilled } from '../../../engine/chat/billedUsage.js';
import { type Prices, costOf, givesCost, longPromptRates, tierPrices, unpricedTier } from '../../../engine/model/price.js';
import { type Usage, figureValue, inputTokens } from '../../../engine/model/usage.js';
import type { Forecast } from '../../../engine/cache/forecast.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import { CONTENT_CAUSES, type Cause } from '../../../engine/diagnosis/cause.js';
import { GOOD_FORECAST } from '../../../engine/diagnosis/forecastAccuracy.js';
import { sizeOfInput } from '../../../engine/request/pastRequest.js';
import type { Model, ProviderDiagnosis } from '../../../engine/model/model.js';
import { correctionOf } from '../../../engine/record/requestSize.js';
import { NOTABLE_CORRECTION, minutes, offBy, price, tokens } from '../../../protocol/numbers.js';
import type { Verdict } from '../../../protocol/inspector/inspector.js';
import { assertNever } from '../../../engine/assertNever.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import type { DiagnosedAttempt } from '../../../engine/diagnosis/diagnoses.js';
import { miscount, oddFigures, servedOtherwise } from './oddUsage.js';
import { reasonOf, share } from './verdictReasons.js';

const BETWEEN = ' · ';

const DIFFERENCES = {
  // A provider treats a model with another speed as another model.
  model: 'the model or its speed differs',
  tools: 'the tools differ',
  system: 'the system prompt differs',
  messages: 'an earlier message differs',
} as const;

const NO_COMPARISON = {
  pending: 'When the reply began, the provider had not yet compared this request with the previous request.',
  notFound: 'The provider cannot compare this request: it has no record of the previous request.',
  unavailable: 'The provider cannot tell what differs from the previous request.',
} as const;

/** Explains the cost of an attempt. `diagnosed` is null for a damaged record, `model` for an unknown model. */
export function verdictOf(attempt: AttemptState, diagnosed: DiagnosedAttempt | null, model: Model | null): Verdict {
  const prices = model?.prices ?? null;
  const usage = attempt.end?.usage ?? null;
  if (usage === null || usage.promptTokens?.source === 'estimated') {
    return { tone: 'plain', ...unreported(attempt), providerSays: null, details: oddFigures(attempt).join(BETWEEN), brokenAt: null };
  }
  const details = detailsOf(attempt, usage, { costHadHeld: diagnosed?.diagnosis.costHadHeld ?? null, prices }).join(BETWEEN);
  return { cost: costInWords(attempt), details, ...(diagnosed === null ? DAMAGED : explained(diagnosed)) };
}

type Explanation = Pick<Verdict, 'tone' | 'reason' | 'providerSays' | 'brokenAt'>;

const DAMAGED: Explanation = {
  tone: 'plain',
  reason: 'the record of the request is damaged, so the reason is unknown.',
  providerSays: null,
  brokenAt: null,
};

function explained({ request, diagnosis }: DiagnosedAttempt): Explanation {
  const { cause, difference, again } = diagnosis;
  const told = request.attempt.end?.providerDiagnosis;
  return {
    tone: toneOf(cause),
    reason: reasonOf(diagnosis, request, sizeOfInput(request.attempt)),
    providerSays: again === 0 || told === undefined ? null : providerSays(told),
    brokenAt: CONTENT_CAUSES.has(cause.kind) ? (difference?.at ?? null) : null,
  };
}

/** Returns the provider's explanation of lost cache content, as a sentence below Loupe's explanation. */
export function providerSays(diagnosis: ProviderDiagnosis): string {
  switch (diagnosis.kind) {
    case 'same':
      return 'The provider says that nothing differs from the previous request, but its cache no longer had the content.';
    case 'differs': {
      const after = diagnosis.tokens === null ? '' : ` Tokens after the difference: about ${tokens(diagnosis.tokens)}.`;
      return `The provider says that ${DIFFERENCES[diagnosis.what]} from the previous request.${after}`;
    }
    case 'untold':
      return NO_COMPARISON[diagnosis.why];
    case 'other':
      return `The provider says: ${diagnosis.word}.`;
    default:
      return assertNever(diagnosis);
  }
}

type ExpectedRequest = Pick<ComposedRequest, 'forecast' | 'inputCost' | 'isPartial'> & { readonly model: Pick<Model, 'prices'> };

/** Returns the expected cost of the next request. `now` is in epoch milliseconds. */
export function verdictOfNext({ forecast, inputCost, isPartial, model }: ExpectedRequest, now: number): Verdict {
  const usd = isPartial ? null : (forecast?.costNow ?? inputCost);
  const will = model.prices?.isPretended === true ? 'Would' : 'Will';
  const cost = usd === null ? 'Price unknown' : `${will} cost ${price(usd)}`;
  const tone = (forecast?.parts.read ?? 0) > 0 ? 'good' : 'plain';
  return { tone, cost, ...expectation(forecast, now), providerSays: null, brokenAt: null };
}

function expectation(forecast: Forecast | null, now: number): Pick<Verdict, 'reason' | 'details'> {
  if (forecast === null) {
    return { reason: 'Loupe does not know how the provider caches.', details: '' };
  }
  const { parts, costNow, costAfter, expiresAt } = forecast;
  if (expiresAt === null) {
    return { reason: 'the cache contains nothing of this request.', details: '' };
  }
  return {
    reason: `${share(parts.read, parts.read + parts.written + parts.fresh)} comes from the cache, if you send within ${minutes(expiresAt - now)}.`,
    details: costNow === null || costAfter === null ? '' : `${price(costNow)} within this time, ${price(costAfter)} later`,
  };
}

function unreported(attempt: AttemptState): Pick<Verdict, 'cost' | 'reason'> {
  if (attempt.end === null) {
    return { cost: 'Cost unknown', reason: 'the reply is not complete yet.' };
  }
  if (attempt.isPretended !== true && isUnbilled(attempt)) {
    return { cost: 'Cost nothing', reason: 'the provider refused the request before billing anything.' };
  }
  return { cost: 'Cost unknown', reason: 'the provider reported no usage. Loupe counted the tokens.' };
}

function costInWords({ end, isPretended }: AttemptState): string {
  const cost = end?.cost ?? null;
  if (cost === null) {
    return 'Price unknown';
  }
  const words = `${cost.atLeast ? 'at least ' : ''}${price(cost.usd)}`;
  return isPretended === true ? `Would cost ${words} with a paid model` : `Cost ${words}`;
}

function toneOf({ kind }: Cause): Verdict['tone'] {
  switch (kind) {
    case 'held':
      return 'good';
    case 'expired':
      return 'expired';
    case 'first':
    case 'alone':
    case 'notAsked':
    case 'noCache':
    case 'belowMinimum':
    case 'compacted':
    case 'laidOutAnew':
      // No warning, because a summary or a new layout costs more now to reduce later costs.
      return 'plain';
    default:
      return 'miss';
  }
}

interface DetailPrices {
  readonly costHadHeld: number | null;
  readonly prices: Prices | null;
}

function detailsOf(attempt: AttemptState, usage: Usage, { costHadHeld, prices }: DetailPrices): readonly string[] {
  const held = costHadHeld === null ? [] : [`${price(costHadHeld)} if the cache had kept everything`];
  return [
    ...held,
    ...forecastInWords(attempt, usage, prices),
    ...correction(attempt),
    ...miscount(attempt, usage),
    ...servedOtherwise(attempt, usage),
    ...oddFigures(attempt),
    ...answererInWords(attempt),
    ...priceNotes(usage, prices),
    'usage as reported by the provider',
  ];
}

/** Explains why the provider did not bill the usual prices of the model. Empty for usual prices. */
function priceNotes(usage: Usage, prices: Prices | null): readonly string[] {
  const { serviceTier } = usage;
  const tier = serviceTier === undefined ? [] : [tierInWords(serviceTier, usage, prices)];
  const input = inputTokens(usage);
  const ofTier = prices === null ? null : (tierPrices(usage, prices) ?? prices);
  const long = ofTier === null || input === null ? null : longPromptRates(ofTier, input);
  return [...tier, ...(long === null ? [] : [`billed at the price of requests above ${tokens(long.above)} tokens`])];
}

function tierInWords(tier: string, usage: Usage, prices: Prices | null): string {
  const isUnpriced = prices !== null && unpricedTier(usage, prices) !== null && usage.charged === undefined;
  return `processed in the service tier “${tier}”${isUnpriced ? ', which has no price in the settings' : ''}`;
}

/** Returns which model answered, if the provider used another model than the requested model. */
function answererInWords({ end }: AttemptState): readonly string[] {
  const { answeredBy, cost } = end ?? {};
  return answeredBy === undefined ? [] : [`reply by the model ${answeredBy}${cost === null ? ', which has no price in the settings' : ''}`];
}

/** Compares the forecast from before sending with the usage that the provider reported. */
function forecastInWords({ manifest: { forecast }, end }: AttemptState, usage: Usage, prices: Prices | null): readonly string[] {
  const input = inputTokens(usage);
  if (forecast === undefined || input === null) {
    return [];
  }
  const whole = wholeForecast(forecast.cost, { usage, cost: end?.cost?.usd ?? null, prices });
  const [read, written] = [figureValue(usage.cacheReadInputTokens) ?? 0, figureValue(usage.cacheCreationInputTokens) ?? 0];
  const worst = Math.max(Math.abs(forecast.read - read), Math.abs(forecast.written - written)) / input;
  const off = whole === null ? worst : whole.off;
  const told = `forecast ${whole === null ? `${tokens(forecast.read)} tokens read` : price(whole.usd)}, off by ${offBy(off)}`;
  return Math.max(off, worst) <= GOOD_FORECAST
    ? [told]
    : [
        told,
        `forecast: ${tokens(forecast.read)} tokens read and ${tokens(forecast.written)} written; reported: ${tokens(read)} and ${tokens(written)}`,
      ];
}

/** Returns the cost of the forecast input plus the real reply. Null if today's prices do not give the logged cost. */
function wholeForecast(
  forecast: number | null,
  { usage, cost, prices }: { readonly usage: Usage; readonly cost: number | null; readonly prices: Prices | null },
): { readonly usd: number /** A share of the cost. */; readonly off: number } | null {
  if (forecast === null || cost === null || !givesCost(prices, usage, cost)) {
    return null;
  }
  const input = costOf({ ...usage, completionTokens: { value: 0, source: 'reported' } }, prices)?.usd ?? 0;
  const usd = forecast + cost - input;
  return { usd, off: cost === 0 ? 0 : (usd - cost) / cost };
}

/** Returns by how much Loupe corrected the counts of the request, based on earlier reports of the provider. */
function correction({ manifest: { size } }: AttemptState): readonly string[] {
  const by = correctionOf(size);
  return Math.abs(by) < NOTABLE_CORRECTION ? [] : [`Loupe corrected its count by ${by < 0 ? '−' : '+'}${offBy(by)}`];
}
