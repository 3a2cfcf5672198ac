import type { ReadBlocks } from '../../engine/accounting/contextWindow.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { manifestBlocksOf } from '../../engine/request/rebuild.js';

/** Reads what the requests of attempts held, once for each: a record may be a long chain of differences, and never changes. */
export class RequestBlocks {
  readonly #known = new WeakMap<AttemptState, NonNullable<ReturnType<ReadBlocks>>>();

  readonly read: ReadBlocks = (attempt, attempts) => {
    const blocks = this.#known.get(attempt) ?? manifestBlocksOf(attempt, attempts);
    // The earlier records that it builds on may not be loaded yet.
    if (blocks !== null) {
      this.#known.set(attempt, blocks);
    }
    return blocks;
  };
}
