import { FULL_MANIFEST_EVERY, type ManifestContent } from './manifest.js';
import { withDifference } from './difference.js';
import { contextRecordsOf, manifestBlocksOf, type RecordedAttempts } from './rebuild.js';

/** What a request held. */
export type HeldContent = Pick<ManifestContent, 'blocks' | 'context'>;

/** An attempt by its id, of a chat whose requests are read in the order in which they were sent. */
type Requested = Parameters<typeof contextRecordsOf>[0] & { readonly id: string };

/**
 * Reads the requests of a chat one after the other. Each is recorded as a difference to an earlier one, which is kept:
 * to follow the chain of every request from its full record on would cost `FULL_MANIFEST_EVERY` times as much.
 */
export class ManifestContents {
  readonly #attempts: RecordedAttempts;
  readonly #latest = new Map<string, HeldContent>();

  constructor(attempts: RecordedAttempts) {
    this.#attempts = attempts;
  }

  /** Null when a manifest of its chain is missing. */
  of(attempt: Requested): HeldContent | null {
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

  #read(attempt: Requested): HeldContent | null {
    const { base, blocks, context } = attempt.manifest;
    const before = base === null ? undefined : this.#latest.get(base);
    if (before !== undefined) {
      return { blocks: withDifference(before.blocks, blocks), context: withDifference(before.context, context) };
    }
    const whole = { blocks: manifestBlocksOf(attempt, this.#attempts), context: contextRecordsOf(attempt, this.#attempts) };
    return whole.blocks === null || whole.context === null ? null : { blocks: whole.blocks, context: whole.context };
  }
}
