import type { Capabilities } from '../../../engine/model/model.js';
import type { LongPromptRates, Prices, PricesByLength } from '../../../engine/model/price.js';
import { fullRates } from '../../../providers/fullRates.js';
import { checkBaseUrl } from './baseUrl.js';
import { DEFAULT_SILENCE_SECONDS, isReserved, type ModelConfig, type ProviderConfig } from './providerConfig.js';
import { MAX_ENTRIES, modelSchema, providerSchema, type RawModel, type RawProvider } from './providerSchema.js';
import { prune } from './prune.js';

/** The usable providers, and one sentence for each problem in the settings. */
export interface ParsedProviders {
  readonly providers: readonly ProviderConfig[];
  readonly problems: readonly string[];
}

/** Headers that carry keys (RFC 9110 and the providers' protocols). Settings must not hold keys. */
const KEY_HEADER = /^(proxy-)?authorization$|^cookie$|(^|-)api-?key$|(^|-)(auth|access)-?token$/i;
/** A valid header name: a token of RFC 9110. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Reads the setting `loupe.providers`. Keeps as much of an invalid entry as possible, and names each invalid part.
 * `place` is the name of the setting. Messages never quote a value, because it may be a key.
 */
export function parseProviders(value: unknown, place: string): ParsedProviders {
  if (value === undefined) {
    return { providers: [], problems: [] };
  }
  if (!Array.isArray(value)) {
    return { providers: [], problems: [`${place} is invalid; expected a list of providers.`] };
  }
  const problems: string[] = value.length > MAX_ENTRIES ? [`${place} has too many entries. Only the first ${MAX_ENTRIES} are used.`] : [];
  const providers: ProviderConfig[] = [];
  const places = new Map<string, string>();
  for (const [index, entry] of value.slice(0, MAX_ENTRIES).entries()) {
    const at = `${place}[${index}]`;
    const parsed = parseProvider(entry, at);
    problems.push(...(parsed.warning === null ? [] : [parsed.warning]), ...parsed.problems);
    if (parsed.provider !== null) {
      const first = places.get(parsed.provider.id);
      if (first === undefined) {
        places.set(parsed.provider.id, at);
        providers.push(parsed.provider);
      } else {
        problems.push(`${at}.id is already used by ${first}. This provider is ignored.`);
      }
    }
  }
  return { providers, problems };
}

/** `provider` is null when the entry is unusable. `warning` concerns a usable provider. */
interface ParsedProvider {
  readonly provider: ProviderConfig | null;
  readonly problems: readonly string[];
  readonly warning: string | null;
}

export function parseProvider(value: unknown, place: string): ParsedProvider {
  const { value: raw, problems } = prune(providerSchema, value, place);
  if (raw === null) {
    return { provider: null, problems, warning: null };
  }
  if (isReserved(raw.id)) {
    return { provider: null, problems: [...problems, `${place}.id is reserved by Loupe. Choose another ID.`], warning: null };
  }
  const url = checkBaseUrl(raw.baseUrl);
  if (!url.ok) {
    return { provider: null, problems: [...problems, `${place}.baseUrl is invalid. ${url.problem}`], warning: null };
  }
  const more: string[] = [];
  return {
    provider: {
      id: raw.id,
      label: raw.label ?? raw.id,
      protocol: raw.protocol,
      baseUrl: url.baseUrl,
      headers: checkHeaders(raw.headers ?? {}, `${place}.headers`, more),
      keyHeader: raw.keyHeader ?? null,
      silenceSeconds: raw.silenceSeconds ?? DEFAULT_SILENCE_SECONDS,
      // Drafts stay on this computer unless the user opts in.
      countsTokens: raw.countsTokens ?? false,
      models: parseModels(raw.models ?? [], `${place}.models`, more),
    },
    problems: [...problems, ...more],
    warning: url.warning === null ? null : `Check ${place}.baseUrl. ${url.warning}`,
  };
}

function checkHeaders(headers: NonNullable<RawProvider['headers']>, place: string, problems: string[]): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(([name]) => {
    if (KEY_HEADER.test(name)) {
      problems.push(`${place}.${name} is not sent, because it contains a key. Enter keys with "Loupe: Set API Key".`);
      return false;
    }
    if (!HEADER_NAME.test(name)) {
      problems.push(`${place} contains an invalid header name.`);
      return false;
    }
    return true;
  });
  return Object.fromEntries(kept);
}

function parseModels(values: readonly unknown[], place: string, problems: string[]): ModelConfig[] {
  const models = new Map<string, { readonly at: string; readonly model: ModelConfig }>();
  for (const [index, value] of values.entries()) {
    const at = `${place}[${index}]`;
    const parsed = prune(modelSchema, value, at);
    problems.push(...parsed.problems);
    if (parsed.value !== null) {
      const first = models.get(parsed.value.id);
      if (first === undefined) {
        models.set(parsed.value.id, { at, model: modelConfig(parsed.value) });
      } else {
        problems.push(`${at}.id is already used by ${first.at}. This model is ignored.`);
      }
    }
  }
  return [...models.values()].map(({ model }) => model);
}

function modelConfig(raw: RawModel): ModelConfig {
  return {
    id: raw.id,
    label: raw.label ?? raw.id,
    maxInputTokens: raw.maxInputTokens ?? null,
    maxOutputTokens: raw.maxOutputTokens ?? null,
    prices: pricesOf(raw.prices ?? {}),
    capabilities: capabilitiesOf(raw.capabilities ?? {}),
    extraBody: raw.extraBody ?? {},
  };
}

type RawPrices = NonNullable<RawModel['prices']>;

function pricesOf({ serviceTiers, ...usual }: Partial<RawPrices>): Prices | null {
  const prices = pricesByLength(usual);
  const tiers = Object.entries(serviceTiers ?? {}).flatMap(([name, raw]): [string, PricesByLength][] => {
    const ofTier = pricesByLength(raw);
    return ofTier === null ? [] : [[name, ofTier]];
  });
  return prices === null || tiers.length === 0 ? prices : { ...prices, serviceTiers: Object.fromEntries(tiers) };
}

function pricesByLength({ longPrompts, ...usual }: Partial<Omit<RawPrices, 'serviceTiers'>>): PricesByLength | null {
  const rates = fullRates(usual);
  const long = (longPrompts ?? []).flatMap(({ above, ...each }): LongPromptRates[] => {
    const ofLength = fullRates(each);
    return ofLength === null ? [] : [{ above, ...ofLength }];
  });
  return rates === null || long.length === 0 ? rates : { ...rates, longPrompts: long.toSorted((a, b) => a.above - b.above) };
}

/** Returns only the capabilities in the setting. The protocol supplies the others. */
function capabilitiesOf(raw: NonNullable<RawModel['capabilities']>): Partial<Capabilities> {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined));
}
