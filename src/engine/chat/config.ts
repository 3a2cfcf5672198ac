/** Names a model of a configured provider. */
export interface ModelRef {
  readonly provider: string;
  readonly model: string;
}

/** The key of a model: `provider/model`. */
export function modelKey({ provider, model }: ModelRef): string {
  return `${provider}/${model}`;
}

/** Where cache breakpoints go: nowhere, on the system prompt, or on the system prompt and the conversation. */
export type CacheMode = 'all-off' | 'system' | 'cached';

export const CACHE_MODES: readonly CacheMode[] = ['all-off', 'system', 'cached'];

/**
 * The configuration of one chat. VS Code settings are only the defaults copied into a new chat; from then on
 * the chat's own config rules.
 */
export interface ChatConfig {
  readonly model: ModelRef;
  readonly cacheMode: CacheMode;
  /** The agent prompt: the second part of the system prompt, after the global one. Empty for none. */
  readonly systemPrompt: string;
  /** Input cap in tokens; null: the model's own input limit. */
  readonly maxPromptTokens: number | null;
  /** Tokens kept free for the reply when the budget is computed. */
  readonly reservedResponseTokens: number;
}
