/** A model of a server on this computer. Windows are tokens; null when the server does not tell. */
export interface LocalModel {
  readonly id: string;
  /** What the model was made for. */
  readonly claimedWindow: number | null;
  /** What the server runs it with. */
  readonly realWindow: number | null;
  /** Whether the server said so; otherwise it is what the server does by default. */
  readonly isCertain: boolean;
  /** Null when the server does not tell. */
  readonly images: boolean | null;
  readonly tools: boolean | null;
}

/** The kinds of servers that are looked for. */
export type LocalKind = 'ollama' | 'lm-studio';

export interface LocalServer {
  readonly kind: LocalKind;
  readonly label: string;
  /** Of its OpenAI-compatible interface. */
  readonly baseUrl: string;
  readonly models: readonly LocalModel[];
}

/** Where the servers are looked for: addresses without a slash at the end. */
export type LocalAddresses = Readonly<Record<LocalKind, string>>;

/** The ports that both servers use when nobody changes them. */
export const LOCAL_ADDRESSES: LocalAddresses = {
  ollama: 'http://127.0.0.1:11434',
  'lm-studio': 'http://127.0.0.1:1234',
};

export const LOCAL_LABELS: Readonly<Record<LocalKind, string>> = { ollama: 'Ollama', 'lm-studio': 'LM Studio' };

const RAISE: Readonly<Record<LocalKind, string>> = {
  ollama: 'Raise it with OLLAMA_CONTEXT_LENGTH or num_ctx.',
  'lm-studio': 'Raise it with the context length that the model is loaded with in LM Studio.',
};

/** Says that the server gives a model less room than the model has; null when it does not. */
export function windowWarning(kind: LocalKind, { id, claimedWindow, realWindow, isCertain }: LocalModel): string | null {
  if (claimedWindow === null || realWindow === null || realWindow >= claimedWindow) {
    return null;
  }
  const count = (tokens: number): string => tokens.toLocaleString('en-US');
  const runs = isCertain ? `runs it with ${count(realWindow)}` : `may run it with ${count(realWindow)}, its usual default`;
  return `${id} claims ${count(claimedWindow)} tokens, but ${LOCAL_LABELS[kind]} ${runs}. Loupe uses ${count(realWindow)}. ${RAISE[kind]}`;
}
