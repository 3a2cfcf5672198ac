export interface ModelRef {
  readonly provider: string;
  readonly model: string;
}

/** `provider/model`: how a model is named in settings, in the panel and in commands. */
export function modelKey(ref: ModelRef): string {
  return `${ref.provider}/${ref.model}`;
}

export function isSameRef(a: ModelRef, b: ModelRef): boolean {
  return a.model === b.model && a.provider === b.provider;
}

/** Parses a model key. Null when either side of the first slash is empty. Model names may contain slashes. */
export function parseModelKey(key: string): ModelRef | null {
  const slash = key.indexOf('/');
  return slash <= 0 || slash === key.length - 1 ? null : { provider: key.slice(0, slash), model: key.slice(slash + 1) };
}

/** Returns the model with the key in a setting of kind `otherModel`; for an empty key, the chat's model (`own`). */
export function modelOrOwn(key: string, own: ModelRef): ModelRef {
  return parseModelKey(key) ?? own;
}
