import { FULL_MANIFEST_EVERY, type ManifestContent } from '../record/manifest.js';
import { withDifference } from '../record/difference.js';
import { contextRecordsOf, forgottenToolsOf, manifestBlocksOf, type RecordedAttempts } from './rebuild.js';

type ManifestAttempt = Parameters<typeof contextRecordsOf>[0] & { readonly id: string };

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
    const { base, blocks, context, forgotten } = attempt.manifest;
    const before = base === null ? undefined : this.#latest.get(base);
    if (before !== undefined) {
      return {
        blocks: withDifference(before.blocks, blocks),
        context: withDifference(before.context, context),
        forgotten: withDifference(before.forgotten, forgotten ?? []),
      };
    }
    const attempts = this.#attempts;
    const [whole, records, calls] = [
      manifestBlocksOf(attempt, attempts),
      contextRecordsOf(attempt, attempts),
      forgottenToolsOf(attempt, attempts),
    ];
    return whole === null || records === null || calls === null ? null : { blocks: whole, context: records, forgotten: calls };
  }
}
