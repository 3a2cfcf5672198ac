import { isUnbilled } from '../../../engine/chat/billedUsage.js';
import { type Prices, costOf, givesCost, longPromptRates, tierPrices, unpricedTier } from '../../../engine/model/price.js';
import { type Usage, figureValue, inputTokens } from '../../../engine/model/usage.js';
import { type AttemptState, isReplyEstimated } from '../../../engine/chat/slices/attempts.js';
import { CONTENT_CAUSES, type Cause } from '../../../engine/diagnosis/cause.js';
import { GOOD_FORECAST } from '../../../engine/diagnosis/forecastAccuracy.js';
import { sizeOfInput } from '../../../engine/request/pastRequest.js';
import type { Model, ProviderDiagnosis } from '../../../engine/model/model.js';
import { correctionOf } from '../../../engine/record/requestSize.js';
import { NOTABLE_CORRECTION, age, markedPrice, minutes, offBy, price, tokens } from '../../../protocol/numbers.js';
import type { Verdict } from '../../../protocol/inspector/inspector.js';
import type { ForecastView } from '../../../protocol/forecast.js';
import { boundOf, replyInWords, requestPriceWords } from '../../../protocol/requestPrice.js';
import { assertNever } from '../../../engine/assertNever.js';
import { capitalized } from '../../../engine/capitalized.js';
import { uncachedInWords, wayInWords } from '../../../protocol/uncached.js';
import type { DiagnosedAttempt } from '../../../engine/diagnosis/diagnoses.js';
import type { PriceView } from '../forecast/requestPrice.js';
import { miscount, oddFigures, servedOtherwise } from './oddUsage.js';
import { reasonOf, share } from './verdictReasons.js';

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
    const details = oddFigures(attempt).join(' ');
    return { tone: 'plain', ...unreported(attempt), providerSays: null, details, offersPrices: false, brokenAt: null };
  }
  const details = detailsOf(attempt, usage, { costHadHeld: costHadHeld(diagnosed), prices }).join(' ');
  const verdict = { cost: costInWords(attempt), details, offersPrices: false, ...(diagnosed === null ? DAMAGED : explained(diagnosed)) };
  return isUnpriced(attempt, model) ? unpriced(verdict, model.label) : verdict;
}

function costHadHeld(diagnosed: DiagnosedAttempt | null): number | null {
  return diagnosed?.diagnosis.costHadHeld ?? null;
}

function isUnpriced({ end }: AttemptState, model: Model | null): model is Model {
  return model !== null && model.prices === null && end?.cost === null;
}

/** Returns the verdict on a request to a model without prices. What the cache did is only a detail then. */
function unpriced(verdict: Verdict, label: string): Verdict {
  const details = [capitalized(verdict.reason), ...(verdict.details === '' ? [] : [verdict.details])].join(' ');
  return { ...verdict, reason: `${label} has no prices.`, details, offersPrices: true };
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

/** Returns why an attempt read nothing, or only little, from the cache. Null if it read enough, or if unknown. */
export function uncachedSentence({ end }: AttemptState, diagnosed: DiagnosedAttempt | null): string | null {
  if (diagnosed === null || end?.usage?.cacheReadInputTokens?.source !== 'reported') {
    return null;
  }
  const { diagnosis, request } = diagnosed;
  const read = diagnosis.read ?? 0;
  return read > 0 && read >= diagnosis.again ? null : capitalized(reasonOf(diagnosis, request, sizeOfInput(request.attempt)));
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

interface ExpectedRequest extends Pick<PriceView, 'inputCost' | 'reply' | 'uncached' | 'mayBeCached' | 'isPretended'> {
  readonly model: Pick<Model, 'label'>;
  readonly isPartial: boolean;
  /** Whether the request will contain tools of servers that have not started yet. */
  readonly hasUnknownTools: boolean;
  /** Whether Loupe estimates the tokens. */
  readonly isEstimate: boolean;
  readonly forecast: Pick<ForecastView, 'parts' | 'expiresAt' | 'costAfter'> | null;
}

/** The verdict on the next request during a reply. */
export const AWAITS_REPLY: Verdict = {
  tone: 'plain',
  cost: 'Price unknown',
  reason: 'the model is writing a reply, which will be in this request.',
  providerSays: null,
  details: '',
  offersPrices: false,
  brokenAt: null,
};

/** Returns the expected cost of the next request. `now` is in epoch milliseconds. */
export function verdictOfNext(request: ExpectedRequest, now: number): Verdict {
  const { forecast, inputCost, isPartial, model, uncached, reply, isPretended } = request;
  const common = { providerSays: null, offersPrices: false, brokenAt: null } as const;
  if (isPartial) {
    const reason = 'the request is too long to send, so Loupe counted only the latest messages.';
    return { ...common, tone: 'plain', cost: 'Price unknown', reason, details: '' };
  }
  const tone = uncached === null && (forecast?.parts.read ?? 0) > 0 ? 'good' : 'plain';
  const verdict = { ...common, tone, ...expectation(request, now) } as const;
  if (inputCost === null) {
    return unpriced({ ...verdict, cost: 'Price unknown' }, model.label);
  }
  const { figure, covers } = requestPriceWords({ inputCost, replyCost: reply?.median ?? null, bound: boundOf(request) });
  return { ...verdict, cost: `${isPretended ? 'Would' : 'Will'} cost ${figure} ${covers}` };
}

function expectation(request: ExpectedRequest, now: number): Pick<Verdict, 'reason' | 'details'> {
  const { forecast, uncached } = request;
  const later = partsOfCost(request);
  if (uncached !== null) {
    const { reason, way } = uncached;
    const words = `${uncachedInWords(reason, (at) => ago(at, now))}.`;
    const little = forecast === null || forecast.parts.read === 0 ? '' : `Only ${tokens(forecast.parts.read)} tokens come from the cache.`;
    return { reason: words, details: [little, ...(way === null ? [] : [wayInWords(way)]), later].filter((each) => each !== '').join(' ') };
  }
  if (request.hasUnknownTools && forecast?.parts.read === 0) {
    return { reason: 'tools of servers that start with it come first, so nothing is read from the cache.', details: later };
  }
  if (forecast === null || forecast.expiresAt === null) {
    return { reason: 'nothing of it is in the cache.', details: later };
  }
  const { parts, expiresAt } = forecast;
  return {
    reason: `${share(parts.read, parts.read + parts.written + parts.fresh)} comes from the cache, if you send within ${minutes(expiresAt - now)}.`,
    details: later,
  };
}

/** Returns the price of the input, now and after the cache has expired, and of the reply. Empty without prices. */
function partsOfCost({ forecast, inputCost, reply }: ExpectedRequest): string {
  if (inputCost === null) {
    return '';
  }
  const { expiresAt = null, costAfter = null } = forecast ?? {};
  const later = expiresAt === null || costAfter === null ? '' : ` before the cache expires, ${price(costAfter)} later`;
  return `Input ${price(inputCost)}${later}.${reply === null ? '' : ` Reply: ${replyInWords(reply)}.`}`;
}

function ago(at: number, now: number): string {
  const passed = age(at, now);
  return passed === 'now' ? 'just now' : `${passed} ago`;
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
  const isEstimate = isReplyEstimated(end) && end?.usage?.charged === undefined;
  const words = cost.atLeast ? `at least ${price(cost.usd)}` : isEstimate ? markedPrice('≈', price(cost.usd)) : price(cost.usd);
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
  const held = costHadHeld === null ? [] : [`Cost if the cache had kept everything: ${price(costHadHeld)}.`];
  return [
    ...held,
    ...forecastInWords(attempt, usage, prices),
    ...correction(attempt),
    ...miscount(attempt, usage),
    ...servedOtherwise(attempt, usage),
    ...oddFigures(attempt),
    ...answererInWords(attempt),
    ...priceNotes(usage, prices),
    isReplyEstimated(attempt.end) ? 'Loupe counted the tokens of the reply.' : 'Figures from the provider.',
  ];
}

/** Explains why the provider did not bill the usual prices of the model. Empty for usual prices. */
function priceNotes(usage: Usage, prices: Prices | null): readonly string[] {
  const { serviceTier } = usage;
  const tier = serviceTier === undefined ? [] : [tierInWords(serviceTier, usage, prices)];
  const input = inputTokens(usage);
  const ofTier = prices === null ? null : (tierPrices(usage, prices) ?? prices);
  const long = ofTier === null || input === null ? null : longPromptRates(ofTier, input);
  return [...tier, ...(long === null ? [] : [`Billed at the price of requests above ${tokens(long.above)} tokens.`])];
}

function tierInWords(tier: string, usage: Usage, prices: Prices | null): string {
  const isUnpriced = prices !== null && unpricedTier(usage, prices) !== null && usage.charged === undefined;
  return `Processed in the service tier “${tier}”${isUnpriced ? ', which has no price in the settings' : ''}.`;
}

/** Returns which model answered, if the provider used another model than the requested model. */
function answererInWords({ end }: AttemptState): readonly string[] {
  const { answeredBy, cost } = end ?? {};
  return answeredBy === undefined
    ? []
    : [`Reply by the model ${answeredBy}${cost === null ? ', which has no price in the settings' : ''}.`];
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
  const exact =
    whole === null ? `${tokens(forecast.read)} tokens read, ${offBy(worst)} off` : `${price(whole.usd)}, ${deviation(whole.off)}`;
  const told = `Forecast: ${exact}.`;
  return Math.max(Math.abs(whole?.off ?? 0), worst) <= GOOD_FORECAST
    ? [told]
    : [
        told,
        `Forecast of the cache: ${tokens(forecast.read)} tokens read, ${tokens(forecast.written)} written. Reported: ${tokens(read)} and ${tokens(written)}.`,
      ];
}

/** Returns how far a forecast was from the real cost: `5.5 % too high`. */
function deviation(off: number): string {
  const words = offBy(off);
  return words === offBy(0) ? 'exact' : `${words} too ${off > 0 ? 'high' : 'low'}`;
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
  return Math.abs(by) < NOTABLE_CORRECTION ? [] : [`Loupe corrected its count by ${by < 0 ? '−' : '+'}${offBy(by)}.`];
}
