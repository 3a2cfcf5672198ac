import type { Prices } from '../../../engine/model/price.js';
import type { JsonObject } from '../../../engine/json.js';
import type { Capabilities } from '../../../engine/model/model.js';
import type { KeyHeader } from '../../../providers/endpoint.js';
import { isVscodeProvider } from '../languageModels/providerIds.js';

/** The wire protocols that a configured provider may speak. */
export const PROTOCOL_IDS = ['anthropic', 'openai-compatible'] as const;
export type ProtocolId = (typeof PROTOCOL_IDS)[number];

/** A model of a configured provider. Token limits and prices are null when unknown. */
export interface ModelConfig {
  readonly id: string;
  readonly label: string;
  /** The context window: what a request may hold, in tokens. */
  readonly maxInputTokens: number | null;
  readonly maxOutputTokens: number | null;
  readonly prices: Prices | null;
  /** The capabilities that differ from the protocol's own. */
  readonly capabilities: Partial<Capabilities>;
  readonly extraBody: JsonObject;
}

/** A provider in the settings, validated. It holds no key: keys are in VS Code's secret storage only. */
export interface ProviderConfig {
  readonly id: string;
  readonly label: string;
  readonly protocol: ProtocolId;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The header that carries the key; null for the one of the protocol. */
  readonly keyHeader: KeyHeader | null;
  readonly silenceSeconds: number;
  /** Whether it is asked to count each next request, where it can: it then gets the draft and the files while they are unsent. */
  readonly countsTokens: boolean;
  readonly models: readonly ModelConfig[];
}

/**
 * Longest silence of a provider, in seconds. Large reasoning models, and local models that must load first, need more
 * than a minute for their first byte. After two minutes a connection is more often dead than slow.
 */
export const DEFAULT_SILENCE_SECONDS = 120;

/**
 * The longest silence that `fetch` bears: `headersTimeout` and `bodyTimeout` of undici, which Node's `fetch` is made of, are 300 s
 * (lib/dispatcher/client.js). Only a dispatcher of one's own raises them, and VS Code's `fetch` puts its own in that one's place
 * (`createFetchPatch` in microsoft/vscode-proxy-agent), with the same limits.
 */
export const MOST_SILENCE_SECONDS = 300;

/** Whether a built-in provider or one of VS Code has this id. */
export function isReserved(id: string): boolean {
  return id === 'practice' || isVscodeProvider(id);
}

/** What a key is bound to: scheme, host and port. */
export function originOf(provider: Pick<ProviderConfig, 'baseUrl'>): string {
  return new URL(provider.baseUrl).origin;
}
