import type { Reply } from '../chat/reply.js';
import type { GrowingCount, StreamedTokens, TokenCounter } from '../ports.js';
import { replyPartText } from './replyTokens.js';

interface CountedPart {
  readonly text: string;
  readonly count: GrowingCount;
}

/** Counts a reply while it arrives, as `replyTokens` counts it when it has: of each look only the new text costs. */
export class ReplyCount {
  readonly #counter: TokenCounter;
  readonly #parts: (CountedPart | undefined)[] = [];

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  /** The tokens of `reply`; quick when it continues the reply of the call before. */
  read(reply: Reply): StreamedTokens {
    let tokens = 0;
    let isExact = true;
    for (const [index, part] of reply.entries()) {
      if (part !== undefined) {
        const read = this.#grow(index, replyPartText(part)).read();
        tokens += read.tokens;
        isExact &&= read.isExact;
      }
    }
    return { tokens, isExact };
  }

  #grow(index: number, text: string): GrowingCount {
    const known = this.#parts[index];
    const before = known !== undefined && text.startsWith(known.text) ? known : { text: '', count: this.#counter.stream() };
    if (text.length > before.text.length) {
      before.count.append(text.slice(before.text.length));
    }
    this.#parts[index] = { text, count: before.count };
    return before.count;
  }
}
