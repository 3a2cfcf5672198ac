import type { Capabilities } from '../../engine/run/model.js';
import { fullPrices } from '../../providers/fullPrices.js';
import { checkBaseUrl } from './baseUrl.js';
import { DEFAULT_SILENCE_SECONDS, isReserved, type ModelConfig, type ProviderConfig } from './providerConfig.js';
import { MAX_ENTRIES, modelSchema, providerSchema, type RawModel, type RawProvider } from './providerSchema.js';
import { prune } from './prune.js';

/** The providers that can be used, and what is wrong with the others, a sentence for each place. */
export interface ParsedProviders {
  readonly providers: readonly ProviderConfig[];
  readonly problems: readonly string[];
}

/** Headers that carry keys (RFC 9110, and what the providers' protocols use); keys are never in settings. */
const KEY_HEADER = /^(proxy-)?authorization$|^cookie$|(^|-)api-?key$|(^|-)(auth|access)-?token$/i;
/** A header's name, as RFC 9110 calls it a token. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Reads the setting `loupe.providers`. What is not valid is left out, as little as possible of it, and named with
 * `place`, the name of the setting. No message quotes a value: somebody may have put a key there.
 */
export function parseProviders(value: unknown, place: string): ParsedProviders {
  if (value === undefined) {
    return { providers: [], problems: [] };
  }
  if (!Array.isArray(value)) {
    return { providers: [], problems: [`${place} wants a list of providers.`] };
  }
  const problems: string[] = value.length > MAX_ENTRIES ? [`${place} has too many entries: the first ${MAX_ENTRIES} are read.`] : [];
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
        problems.push(`${at}.id is the same as that of ${first}, so this provider is left out.`);
      }
    }
  }
  return { providers, problems };
}

/** `provider` is null when nothing can be used of it. `warning` is about one that can be used as it is. */
interface ParsedProvider {
  readonly provider: ProviderConfig | null;
  readonly problems: readonly string[];
  readonly warning: string | null;
}

/** Reads one provider. */
export function parseProvider(value: unknown, place: string): ParsedProvider {
  const { value: raw, problems } = prune(providerSchema, value, place);
  if (raw === null) {
    return { provider: null, problems, warning: null };
  }
  if (isReserved(raw.id)) {
    return { provider: null, problems: [...problems, `${place}.id is a name that Loupe uses itself. Choose another one.`], warning: null };
  }
  const url = checkBaseUrl(raw.baseUrl);
  if (!url.ok) {
    return { provider: null, problems: [...problems, `${place}.baseUrl ${url.problem}`], warning: null };
  }
  const more: string[] = [];
  return {
    provider: {
      id: raw.id,
      label: raw.label ?? raw.id,
      protocol: raw.protocol,
      baseUrl: url.baseUrl,
      headers: checkHeaders(raw.headers ?? {}, `${place}.headers`, more),
      silenceSeconds: raw.silenceSeconds ?? DEFAULT_SILENCE_SECONDS,
      models: parseModels(raw.models ?? [], `${place}.models`, more),
    },
    problems: [...problems, ...more],
    warning: url.warning === null ? null : `${place}.baseUrl ${url.warning}`,
  };
}

/** Those that can be sent; what is wrong with the others is added to `problems`. */
function checkHeaders(headers: NonNullable<RawProvider['headers']>, place: string, problems: string[]): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(([name]) => {
    if (KEY_HEADER.test(name)) {
      problems.push(`${place}.${name} is not sent: it carries a key, and keys belong into "Loupe: Set API Key".`);
      return false;
    }
    if (!HEADER_NAME.test(name)) {
      problems.push(`${place} has a name that is no name of a header.`);
      return false;
    }
    return true;
  });
  return Object.fromEntries(kept);
}

/** The same for models. */
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
        problems.push(`${at}.id is the same as that of ${first.at}, so this model is left out.`);
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
    prices: fullPrices(raw.prices ?? {}),
    capabilities: capabilitiesOf(raw.capabilities ?? {}),
    extraBody: raw.extraBody ?? {},
  };
}

/** Only what is there: an absent capability is the protocol's own. */
function capabilitiesOf(raw: NonNullable<RawModel['capabilities']>): Partial<Capabilities> {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined));
}
