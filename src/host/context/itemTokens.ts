import type { CatalogItem } from '../../engine/context/catalogItem.js';
import { fenceFile } from '../../engine/context/fence.js';
import type { FileReader } from '../../engine/context/fileContents.js';
import type { Clock, TokenCounter } from '../../engine/ports.js';
import { catalogText } from './resolveContext.js';

/** What the composed next request of a chat says about sizes: the model's counter, and tokens by item key. */
export interface KnownTokens {
  readonly counter: TokenCounter;
  readonly ofItems: ReadonlyMap<string, number>;
}

/** Maximum number of characters to count exactly. Loupe estimates the tokens of longer texts, for speed. */
const MOST_COUNTED = 100_000;
const CHARACTERS_PER_TOKEN = 4;

/** Cached token counts. A changed file or tool becomes a new object. */
const counts = new WeakMap<object, { readonly counter: string; readonly tokens: number }>();

/** Returns the tokens of a file or tool. Counts each object once per counter. */
export function countedOnce(counted: object, counter: TokenCounter, count: () => number): number {
  const known = counts.get(counted);
  const tokens = known?.counter === counter.id ? known.tokens : count();
  counts.set(counted, { counter: counter.id, tokens });
  return tokens;
}

/** Returns the tokens of an item's text in a request, for a tool of its description. Null for an item without text. */
export function catalogTokens(key: string, item: CatalogItem, counter: TokenCounter): number | null {
  const { type, text } = item;
  if (text === null) {
    return null;
  }
  return countedOnce(item, counter, () => boundedCount(type === 'tool' ? text : catalogText(key, type, item).text, counter));
}

export function boundedCount(text: string, counter: TokenCounter): number {
  return text.length > MOST_COUNTED ? Math.ceil(text.length / CHARACTERS_PER_TOKEN) : counter.count(text);
}

/** Time in ms for which the count of a file is reused, longer than typing a name takes. */
const FRESH_MS = 10_000;

/** Counts the tokens of files, as requests contain them. */
export class FileTokens {
  readonly #reader: FileReader;
  readonly #clock: Pick<Clock, 'now'>;
  #counted: { readonly at: number; readonly counter: string; readonly tokens: Map<string, Promise<number | null>> };

  constructor(reader: FileReader, clock: Pick<Clock, 'now'>) {
    this.#reader = reader;
    this.#clock = clock;
    this.#counted = { at: clock.now(), counter: '', tokens: new Map() };
  }

  /** Returns the tokens of the file at a workspace path. Null if Loupe cannot read the file. Never rejects. */
  of(path: string, counter: TokenCounter): Promise<number | null> {
    const now = this.#clock.now();
    if (this.#counted.counter !== counter.id || now - this.#counted.at > FRESH_MS) {
      this.#counted = { at: now, counter: counter.id, tokens: new Map() };
    }
    const counted = this.#counted.tokens.get(path) ?? this.#count(path, counter);
    this.#counted.tokens.set(path, counted);
    return counted;
  }

  async #count(path: string, counter: TokenCounter): Promise<number | null> {
    const read = await this.#reader.read(path);
    return read.ok && !read.content.includes('\0') ? boundedCount(fenceFile(path, read.content), counter) : null;
  }
}
