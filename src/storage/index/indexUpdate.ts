import { failure } from '../../engine/errors.js';
import { compareStamps } from '../../engine/chat/stamp.js';
import { LogMerge } from '../logMerge.js';
import { Beginnings } from './beginnings.js';
import { IndexBuild, type Back, type BuildEnd, type Recorded } from './indexBuild.js';
import type { IndexLimits } from './limits.js';
import type { ChatRow, Place, ReadWatch } from './opened.js';
import { fits, isBefore } from './place.js';
import type { PlaceLine, PlacesFile } from './placesFile.js';

/** Written at a time, so that an update that is broken off has not been for nothing. */
const WRITTEN_BYTES = 64 * 1_024;

export interface UpdateParts {
  /** The chat's. */
  readonly folder: string;
  readonly places: PlacesFile;
  readonly limits: IndexLimits;
  /** Changes something on the disk; returns whether that worked. */
  readonly write: (job: () => Promise<void>) => Promise<boolean>;
}

export interface Updated {
  /** Null for a log that has none. */
  readonly row: ChatRow | null;
  /** The newest places that could not be written, oldest first. */
  readonly unwritten: readonly Place[];
}

/** Brings the places of a chat up to date with its log, as it is on the disk. */
export class IndexUpdate {
  readonly #parts: UpdateParts;
  readonly #watch: ReadWatch;
  #unwritten: Recorded[] = [];
  #canWrite = true;
  /** How often in a row the reading had to begin further back. */
  #backs = 0;

  constructor(parts: UpdateParts, watch: ReadWatch) {
    this.#parts = parts;
    this.#watch = watch;
  }

  /**
   * Reads what was logged since the newest place, piece by piece. Throws `SegmentChanged` when the log is rewritten
   * meanwhile, `cancelled` when the signal aborts, and Node's system errors.
   */
  async run(): Promise<Updated> {
    let start = await this.#newest();
    let barrier: ReadonlyMap<string, number> = new Map();
    for (;;) {
      this.#checkNotCancelled();
      const end = await this.#readFrom(start, barrier);
      await this.#flush();
      if (end.kind === 'row') {
        return { row: end.row, unwritten: this.#unwritten.map(({ place }) => place) };
      }
      barrier = new Map([...barrier, ...end.back.barrier]);
      start = await this.#furtherBack(end.back);
    }
  }

  async #readFrom(start: Place | null, barrier: ReadonlyMap<string, number>): Promise<BuildEnd> {
    const { folder, limits } = this.#parts;
    const merge = await LogMerge.open(folder, { from: start?.position ?? null, until: null, sizes: null });
    const beginnings = await Beginnings.before(start, limits.carriedMessages, this.#parts.places.backwards(start));
    const record = (recorded: Recorded): void => {
      this.#backs = 0;
      this.#unwritten.push(recorded);
    };
    const build = new IndexBuild({ merge, start, barrier, beginnings, limits, record });
    while (await merge.fill()) {
      if (merge.hasUnreadable) {
        // What is in it nobody knows: whoever opens the chat reads it whole and is told.
        return { kind: 'row', row: null };
      }
      for (let event = merge.take(); event !== null; event = merge.take()) {
        const back = build.take(event);
        if (back !== null) {
          return { kind: 'back', back };
        }
      }
      await this.#pause(merge);
    }
    return build.end();
  }

  async #pause(merge: LogMerge): Promise<void> {
    this.#checkNotCancelled();
    this.#watch.progress?.(merge.length === 0 ? 1 : merge.taken / merge.length);
    if (this.#unwritten.reduce((sum, { bytes }) => sum + bytes.length, 0) >= WRITTEN_BYTES) {
      await this.#flush();
    }
  }

  #checkNotCancelled(): void {
    if (this.#watch.signal?.aborted === true) {
      throw failure('chat.readingCancelled');
    }
  }

  /** When that fails the newest are kept, as many as an opening looks at. */
  async #flush(): Promise<void> {
    const records = this.#unwritten.map(({ bytes }) => bytes);
    if (records.length === 0) {
      return;
    }
    this.#canWrite &&= await this.#parts.write(() => this.#parts.places.append(records));
    if (this.#canWrite) {
      this.#unwritten = [];
      return;
    }
    let kept = 0;
    const from = this.#unwritten.findLastIndex(({ bytes }) => (kept += bytes.length) > this.#parts.limits.placesTail);
    this.#unwritten.splice(0, from + 1);
  }

  /** The newest place that fits the log. What stands behind it in the file is of no use, and is removed. */
  async #newest(): Promise<Place | null> {
    let misfits = 0;
    for await (const line of this.#parts.places.backwards(null)) {
      if (await fits(this.#parts.folder, line.place)) {
        await this.#cutAfter(misfits > 0 ? line : null);
        return line.place;
      }
      misfits += 1;
    }
    await this.#parts.write(() => this.#parts.places.cut(0));
    return null;
  }

  /**
   * Where to begin again. Further and further back each time in a row: what is reached back to may be far. The places
   * behind it are removed: from none of them can be read past what made it necessary.
   */
  async #furtherBack({ from, late }: Back): Promise<Place | null> {
    let skipped = late === null ? 2 ** this.#backs - 1 : 0;
    this.#backs += late === null ? 1 : 0;
    this.#unwritten = [];
    for await (const line of this.#parts.places.backwards(null)) {
      const { place } = line;
      if (from === null || !isBefore(place, from) || (late !== null && compareStamps(place.last, late) >= 0)) {
        continue;
      }
      skipped -= 1;
      if (skipped < 0 && (await fits(this.#parts.folder, place))) {
        await this.#cutAfter(line);
        return place;
      }
    }
    await this.#parts.write(() => this.#parts.places.cut(0));
    return null;
  }

  async #cutAfter(line: PlaceLine | null): Promise<void> {
    if (line !== null) {
      await this.#parts.write(() => this.#parts.places.cut(line.end));
    }
  }
}
