import { isSecretName } from '../../providers/http/masked.js';
import { redact, redactedCause } from '../../providers/http/redact.js';

/** Values that no error and no log may hold. */
export class Secrets {
  readonly #values: readonly string[];

  constructor(values: Iterable<string>) {
    // The longest first: a shorter one may be a part of it.
    this.#values = [...new Set(values)].filter((value) => value.trim() !== '').toSorted((a, b) => b.length - a.length);
  }

  /** The text without them. */
  redact(text: string): string {
    return this.#values.reduce(redact, text);
  }

  /** The same error with its causes, without them in any message. */
  redactCause(thrown: unknown): unknown {
    return this.#values.reduce(redactedCause, thrown);
  }
}

/** The values of a header or an environment variable that are secret by its name: the whole, and what follows a word such as `Bearer`. */
export function secretsOf(name: string, value: string): readonly string[] {
  if (!isSecretName(name)) {
    return [];
  }
  const [, token] = /^\w+ (\S+)$/.exec(value) ?? [];
  return token === undefined ? [value] : [value, token];
}
