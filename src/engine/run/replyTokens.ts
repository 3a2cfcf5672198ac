import type { Reply, ReplyPart } from '../chat/message/reply.js';
import type { GrowingCount, Pause, StreamedTokens, TokenCounter } from '../ports.js';
import { countWithPauses } from '../tokens/partTokens.js';

/**
 * Maximum number of UTF-16 units of a part to count per read: about 20 ms for the slowest text, and far more than
 * arrives between two reads. A panel that opens in the middle of a long reply needs several reads to count everything.
 */
const MOST_AT_A_READ = 32_768;

interface CountedPart {
  readonly part: ReplyPart;
  readonly count: GrowingCount;
  /** UTF-16 units of the text that `count` already includes. */
  readonly length: number;
  readonly counted: StreamedTokens;
}

/** Counts a streaming reply like `replyTokens` counts a complete reply. Each read counts new text, up to a limit. */
export class ReplyCount {
  readonly #counter: TokenCounter;
  readonly #parts: (CountedPart | undefined)[] = [];

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  /** Returns the tokens of `reply`. Fast if `reply` continues the reply of the last call. */
  read(reply: Reply): StreamedTokens {
    let tokens = 0;
    // Providers bill images of a reply as output, by rules that they do not publish.
    let isExact = !reply.some((part) => part?.type === 'image');
    for (const [index, part] of reply.entries()) {
      if (part !== undefined) {
        const { counted } = this.#grow(index, part);
        tokens += counted.tokens;
        isExact &&= counted.isExact;
      }
    }
    return { tokens, isExact };
  }

  #grow(index: number, part: ReplyPart): CountedPart {
    const known = this.#parts[index];
    const text = replyPartText(part);
    if (known?.part === part && known.length === text.length) {
      return known;
    }
    const before = known === undefined ? '' : replyPartText(known.part);
    const isGrown = known !== undefined && text.startsWith(before);
    const count = isGrown ? known.count : this.#counter.stream();
    const from = isGrown ? known.length : 0;
    const length = Math.min(text.length, from + MOST_AT_A_READ);
    count.append(text.slice(from, length));
    const { tokens, isExact } = count.read();
    const isWhole = length === text.length;
    const counted = { tokens: isWhole ? tokens : Math.round((tokens * text.length) / length), isExact: isExact && isWhole };
    const grown = { part, count, length, counted };
    this.#parts[index] = grown;
    return grown;
  }
}

/** Number of parts to count between two pauses: some milliseconds of work. */
const AT_ONCE = 1_000;

/** Returns the tokens of a reply by `counter`. Pauses, because a reply may have millions of characters. */
export async function replyTokens(reply: Reply, counter: TokenCounter, pause: Pause): Promise<number> {
  let tokens = 0;
  for (const [index, part] of reply.entries()) {
    tokens += part === undefined ? 0 : await countWithPauses(replyPartText(part), counter, pause);
    if (index % AT_ONCE === AT_ONCE - 1) {
      await pause();
    }
  }
  return tokens;
}

/** Returns the text of a part to count. The text only grows while the part streams. Empty for an image. */
function replyPartText(part: ReplyPart): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'toolCall':
      return `${part.name}\n${part.rawArgs}`;
    case 'image':
      return '';
  }
}
