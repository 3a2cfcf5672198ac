import type { Prices } from '../../../engine/model/price.js';
import type { JsonObject } from '../../../engine/json.js';
import type { Capabilities } from '../../../engine/model/model.js';
import type { Endpoint, KeyHeader } from '../../../providers/endpoint.js';
import { isVscodeProvider } from '../languageModels/providerIds.js';

export const PROTOCOL_IDS = ['anthropic', 'openai-compatible'] as const;
export type ProtocolId = (typeof PROTOCOL_IDS)[number];

/** A model of a configured provider. Token limits and prices are null when unknown. */
export interface ModelConfig {
  readonly id: string;
  readonly label: string;
  /** The context window in tokens. */
  readonly maxInputTokens: number | null;
  readonly maxOutputTokens: number | null;
  readonly prices: Prices | null;
  /** Capabilities that differ from the protocol's capabilities. */
  readonly capabilities: Partial<Capabilities>;
  readonly extraBody: JsonObject;
}

/** A valid provider from the settings. Its key is only in VS Code's secret storage. */
export interface ProviderConfig {
  readonly id: string;
  readonly label: string;
  readonly protocol: ProtocolId;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The header that contains the key. Null for the default header of the protocol. */
  readonly keyHeader: KeyHeader | null;
  readonly silenceSeconds: number;
  /** Whether Loupe asks the provider to count each draft's tokens. The provider then gets unsent drafts and files. */
  readonly countsTokens: boolean;
  readonly models: readonly ModelConfig[];
}

/**
 * Default of `silenceSeconds`. Large reasoning models, and local models that must load first, need more than a minute
 * until their first byte. A connection without data for two minutes is more often broken than slow.
 */
export const DEFAULT_SILENCE_SECONDS = 120;

/**
 * The maximum time without data that `fetch` allows, in seconds: undici, the base of Node's `fetch`, sets
 * `headersTimeout` and `bodyTimeout` to 300 s (lib/dispatcher/client.js). A custom dispatcher could allow more, but VS
 * Code's `fetch` replaces it by another with the same limits (`createFetchPatch` in microsoft/vscode-proxy-agent).
 */
export const MOST_SILENCE_SECONDS = 300;

/** Whether the id belongs to the practice provider or to a provider of VS Code. */
export function isReserved(id: string): boolean {
  return id === 'practice' || isVscodeProvider(id);
}

/** Returns scheme, host and port of a provider's address. A key is valid only for these three. */
export function originOf(provider: Pick<ProviderConfig, 'baseUrl'>): string {
  return new URL(provider.baseUrl).origin;
}

export function endpointOf(config: ProviderConfig, key: Endpoint['key']): Endpoint {
  const { id, label, baseUrl, headers, keyHeader, silenceSeconds } = config;
  return { id, label, baseUrl, headers, keyHeader, silenceMs: silenceSeconds * 1_000, key };
}
