import type { Json, JsonObject } from '../../../engine/json.js';
import { failure } from '../../../engine/errors.js';
import { statedRates } from '../../../providers/fullRates.js';
import { member } from '../../../providers/json.js';
import { DEFAULT_SILENCE_SECONDS, type ModelConfig, type ProviderConfig } from './providerConfig.js';
import type { Prices, PricesByLength } from '../../../engine/model/price.js';

/** Name of the setting without `loupe.`. Only user settings count, because a workspace must not redirect a key. */
export const PROVIDERS_KEY = 'providers';

/** The user's settings, where Loupe writes `loupe.providers`. */
export interface SettingsFile {
  /** Returns the unchecked value of the setting. Undefined without a value. */
  read(): unknown;
  write(value: readonly unknown[] | undefined): Promise<void>;
}

/** Saves a provider in the settings. Replaces a provider with the same id. Keeps invalid entries. */
export async function saveProvider(provider: ProviderConfig, file: SettingsFile): Promise<void> {
  const entries = entriesOf(file);
  const raw: JsonObject = rawProvider(provider);
  const index = entries.findIndex((entry) => member(entry, 'id') === provider.id);
  await write(index === -1 ? [...entries, raw] : entries.with(index, raw), file);
}

export async function removeProvider(id: string, file: SettingsFile): Promise<void> {
  const rest = entriesOf(file).filter((entry) => member(entry, 'id') !== id);
  await write(rest.length === 0 ? undefined : rest, file);
}

/** Sets `countsTokens` of a provider. Keeps the rest of the provider's entry. */
export async function setCountsTokens(id: string, isOn: boolean, file: SettingsFile): Promise<void> {
  const entries = entriesOf(file);
  const index = entries.findIndex((entry) => member(entry, 'id') === id);
  if (index === -1) {
    throw failure('setup.unknownProvider', { id });
  }
  const { countsTokens: _before, ...rest } = entries[index] as Readonly<Record<string, unknown>>;
  await write(entries.with(index, isOn ? { ...rest, countsTokens: true } : rest), file);
}

function entriesOf(file: SettingsFile): readonly unknown[] {
  const value = file.read();
  if (value !== undefined && !Array.isArray(value)) {
    throw failure('settings.noList');
  }
  return value ?? [];
}

async function write(entries: readonly unknown[] | undefined, file: SettingsFile): Promise<void> {
  try {
    await file.write(entries);
  } catch (thrown) {
    throw failure('settings.notWritten', { cause: thrown });
  }
}

export function rawProvider(provider: ProviderConfig): JsonObject {
  const { id, label, protocol, baseUrl, headers, keyHeader, silenceSeconds, countsTokens, models } = provider;
  return {
    id,
    label,
    protocol,
    baseUrl,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(keyHeader === null ? {} : { keyHeader }),
    ...(silenceSeconds === DEFAULT_SILENCE_SECONDS ? {} : { silenceSeconds }),
    ...(countsTokens ? { countsTokens } : {}),
    models: models.map(rawModel),
  };
}

function rawModel(model: ModelConfig): JsonObject {
  const { id, label, maxInputTokens, maxOutputTokens, prices, capabilities, extraBody } = model;
  return {
    id,
    ...(label === id ? {} : { label }),
    ...(maxInputTokens === null ? {} : { maxInputTokens }),
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
    ...(prices === null ? {} : { prices: rawPrices(prices) }),
    ...(Object.keys(capabilities).length === 0 ? {} : { capabilities: capabilities as Record<string, Json> }),
    ...(Object.keys(extraBody).length === 0 ? {} : { extraBody }),
  };
}

function rawPrices({ serviceTiers, ...prices }: Prices): JsonObject {
  const tiers = Object.entries(serviceTiers ?? {}).map(([name, ofTier]) => [name, rawPricesByLength(ofTier)] as const);
  return { ...rawPricesByLength(prices), ...(tiers.length === 0 ? {} : { serviceTiers: Object.fromEntries(tiers) }) };
}

function rawPricesByLength({ longPrompts, ...rates }: PricesByLength): JsonObject {
  const long = longPrompts?.map(({ above, ...each }) => ({ above, ...statedRates(each) }));
  return { ...statedRates(rates), ...(long === undefined ? {} : { longPrompts: long }) };
}
