import { isSecretName, redact, redactedCause } from '../../providers/http/redact.js';

/** Values that errors and logs must not contain. */
export class ServerSecrets {
  #values: readonly string[] = [];

  constructor(values: Iterable<string>) {
    this.add(values);
  }

  add(values: Iterable<string>): void {
    const all = new Set([...this.#values, ...values]);
    // Longest value first, because a long secret may contain a shorter one.
    this.#values = [...all].filter((value) => value.trim() !== '').toSorted((a, b) => b.length - a.length);
  }

  addAll(others: ServerSecrets): void {
    this.add(others.#values);
  }

  redact(text: string): string {
    return this.#values.reduce(redact, text);
  }

  /** Removes the secrets from an error: from its messages and its causes. */
  redactCause(thrown: unknown): unknown {
    return this.#values.reduce(redactedCause, thrown);
  }
}

/**
 * Returns the secrets in a header or variable with a secret name: the value, and the part after a word like `Bearer`.
 */
export function secretsOf(name: string, value: string): readonly string[] {
  if (!isSecretName(name)) {
    return [];
  }
  const [, token] = /^\w+ (\S+)$/.exec(value) ?? [];
  return token === undefined ? [value] : [value, token];
}
