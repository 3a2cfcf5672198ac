import { FULL_MANIFEST_EVERY, type ManifestContent } from '../record/manifest.js';
import { contentAfter, manifestContentOf, type RecordedAttempts } from './rebuild.js';

type ManifestAttempt = Parameters<typeof manifestContentOf>[0] & { readonly id: string };

/**
 * Reads the requests of a chat in order of sending. Keeps the latest requests in memory, because the next records are
 * differences to these. Without this, each request would need its whole chain of records, up to `FULL_MANIFEST_EVERY`
 * of them.
 */
export class ManifestContents {
  readonly #attempts: RecordedAttempts;
  readonly #latest = new Map<string, ManifestContent>();

  constructor(attempts: RecordedAttempts) {
    this.#attempts = attempts;
  }

  /** Returns the contents of a request, or null when a manifest of its chain is missing. */
  of(attempt: ManifestAttempt): ManifestContent | null {
    const content = this.#read(attempt);
    if (content !== null) {
      this.#latest.set(attempt.id, content);
      const [oldest] = this.#latest.keys();
      if (this.#latest.size > FULL_MANIFEST_EVERY && oldest !== undefined) {
        this.#latest.delete(oldest);
      }
    }
    return content;
  }

  #read(attempt: ManifestAttempt): ManifestContent | null {
    const known = this.#latest.get(attempt.id);
    if (known !== undefined) {
      return known;
    }
    const before = this.#latest.get(attempt.manifest.base ?? '');
    return before === undefined ? manifestContentOf(attempt, this.#attempts) : contentAfter(before, attempt.manifest);
  }
}
