/** A model of a server on this computer. Context windows are in tokens, null when unknown. */
export interface LocalModel {
  readonly id: string;
  /** The largest context window that the model supports, in tokens. */
  readonly claimedWindow: number | null;
  /** The context window that the server uses for the model, in tokens. */
  readonly realWindow: number | null;
  /** Whether the server reported `realWindow`. False when Loupe assumes the server's default. */
  readonly isCertain: boolean;
  readonly images: boolean | null;
  readonly tools: boolean | null;
}

export type LocalKind = 'ollama' | 'lm-studio';

export interface LocalServer {
  readonly kind: LocalKind;
  readonly label: string;
  /** Base URL of the server's OpenAI-compatible API. */
  readonly baseUrl: string;
  readonly models: readonly LocalModel[];
}

/** Address of each kind of server, without a trailing slash. */
export type LocalAddresses = Readonly<Record<LocalKind, string>>;

/** Both servers on their default ports. */
export const LOCAL_ADDRESSES: LocalAddresses = {
  ollama: 'http://127.0.0.1:11434',
  'lm-studio': 'http://127.0.0.1:1234',
};

export const LOCAL_LABELS: Readonly<Record<LocalKind, string>> = { ollama: 'Ollama', 'lm-studio': 'LM Studio' };

const RAISE: Readonly<Record<LocalKind, string>> = {
  ollama: 'Raise this limit with OLLAMA_CONTEXT_LENGTH or num_ctx.',
  'lm-studio': 'Raise this limit in LM Studio, with the context length of the loaded model.',
};

/** Returns a warning if the server uses a smaller context window than the model supports. Null for no warning. */
export function windowWarning(kind: LocalKind, { id, claimedWindow, realWindow, isCertain }: LocalModel): string | null {
  if (claimedWindow === null || realWindow === null || realWindow >= claimedWindow) {
    return null;
  }
  const count = (tokens: number): string => tokens.toLocaleString('en-US');
  const runs = isCertain ? `runs it with ${count(realWindow)}` : `probably runs it with ${count(realWindow)}, its default`;
  return `${id} supports ${count(claimedWindow)} tokens, but ${LOCAL_LABELS[kind]} ${runs}. Loupe uses ${count(realWindow)}. ${RAISE[kind]}`;
}
