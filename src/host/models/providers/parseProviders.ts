import type { Capabilities } from '../../../engine/model/model.js';
import type { LongPromptRates, Prices, PricesByLength } from '../../../engine/model/price.js';
import { fullRates } from '../../../providers/fullRates.js';
import { checkBaseUrl } from './baseUrl.js';
import { DEFAULT_SILENCE_SECONDS, type ModelConfig, type ProviderConfig, isReserved } from './providerConfig.js';
import { MAX_ENTRIES, type RawModel, type RawProvider, modelSchema, providerSchema } from './providerSchema.js';
import * as z from 'zod/mini';

/** The providers that Loupe can use, and a sentence for each problem in the settings. */
export interface ParsedProviders {
  readonly providers: readonly ProviderConfig[];
  readonly problems: readonly string[];
}

/** Matches names of headers with keys (RFC 9110 and the providers' protocols). Settings must not contain keys. */
const KEY_HEADER = /^(proxy-)?authorization$|^cookie$|(^|-)api-?key$|(^|-)(auth|access)-?token$/i;
/** Matches a valid header name: a token of RFC 9110. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Reads the setting `loupe.providers`. Keeps the valid parts of an entry, and reports each invalid part. `place`: the
 * name of the setting. Messages never quote a value, because a value can be a key.
 */
export function parseProviders(value: unknown, place: string): ParsedProviders {
  if (value === undefined) {
    return { providers: [], problems: [] };
  }
  if (!Array.isArray(value)) {
    return { providers: [], problems: [`${place} is invalid; expected a list of providers.`] };
  }
  const problems: string[] = value.length > MAX_ENTRIES ? [`${place} has too many entries. Loupe uses only the first ${MAX_ENTRIES}.`] : [];
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
        problems.push(`${at}.id is already used by ${first}. Loupe ignores this provider. Choose another ID.`);
      }
    }
  }
  return { providers, problems };
}

/** A parsed entry. `provider` is null for an unusable entry. `warning` is about a usable provider. */
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
      // Off by default: drafts leave this computer only with the user's permission.
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
      problems.push(`Loupe does not send ${place}.${name}, because this header contains a key. Enter keys with "Loupe: Set API Key".`);
      return false;
    }
    if (!HEADER_NAME.test(name)) {
      problems.push(`${place} contains an invalid header name. Loupe does not send this header.`);
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
        problems.push(`${at}.id is already used by ${first.at}. Loupe ignores this model. Choose another ID.`);
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

/** Returns only the capabilities in the setting. The protocol's defaults supply the rest. */
function capabilitiesOf(raw: NonNullable<RawModel['capabilities']>): Partial<Capabilities> {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined));
}

/** The valid part of a value, and a sentence for each problem. Null when no part is valid. */
interface PruneResult<T> {
  readonly value: T | null;
  readonly problems: readonly string[];
}
type MemberPath = readonly (string | number)[];

interface Fault {
  readonly at: MemberPath;
  /** The path to remove: the invalid member, or the list item with this member. */
  readonly cut: MemberPath;
  readonly text: string;
}

/**
 * Returns the parts of `value` that match `schema`, so that one wrong price does not remove a whole model. Removes an
 * invalid member. If the member is required, removes its object. Removes an invalid list item as a whole. `place`: name
 * of the value in messages.
 */
function prune<S extends z.ZodMiniType>(schema: S, value: unknown, place: string): PruneResult<z.infer<S>> {
  const problems: string[] = [];
  const cut = new Set<string>();
  let rest = value;
  for (;;) {
    const result = z.safeParse(schema, rest);
    if (result.success) {
      return { value: result.data, problems };
    }
    const before = new Set(cut);
    const found = new Map(result.error.issues.flatMap(faults).map((fault) => [nameOf(place, fault.cut), fault]));
    // A member that is still reported after its removal is required. Removes its whole object then.
    const isNeeded = (name: string): boolean => before.has(name);
    problems.push(...[...found].filter(([name]) => !isNeeded(name)).map(([, { at, text }]) => `${nameOf(place, at)} ${text}`));
    // Removes the last list item first, because a removal changes later indexes.
    for (const [name, { cut: path }] of [...found].reverse()) {
      const gone = isNeeded(name) ? path.slice(0, -1) : path;
      if (gone.length === 0) {
        return { value: null, problems };
      }
      rest = without(rest, gone);
      cut.add(nameOf(place, gone));
    }
  }
}

/** Returns the name of a value: `loupe.providers[0].prices.longPrompts[1]`. */
function nameOf(place: string, path: MemberPath): string {
  return path.reduce<string>((name, key) => (typeof key === 'number' ? `${name}[${String(key)}]` : `${name}.${key}`), place);
}

function faults(issue: z.core.$ZodIssue): Fault[] {
  const at = issue.path as MemberPath;
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => faultAt([...at, key], 'is unknown.')) : [faultAt(at, issue.message)];
}

function faultAt(at: MemberPath, text: string): Fault {
  const item = at.findIndex((key) => typeof key === 'number');
  return { at, cut: item === -1 ? at : at.slice(0, item + 1), text };
}

function without(value: unknown, path: MemberPath): unknown {
  const [key, ...rest] = path;
  if (Array.isArray(value) && typeof key === 'number') {
    return value.toSpliced(key, 1);
  }
  if (key === undefined || typeof value !== 'object' || value === null) {
    return undefined;
  }
  const members = value as Readonly<Record<string, unknown>>;
  const others = Object.fromEntries(Object.entries(members).filter(([name]) => name !== key));
  return rest.length === 0 || !Object.hasOwn(members, key) ? others : { ...others, [key]: without(members[key], rest) };
}
