import type { Reply, ReplyPart } from '../chat/reply.js';
import type { GrowingCount, StreamedTokens, TokenCounter } from '../ports.js';
import { replyPartText } from './replyTokens.js';

interface CountedPart {
  readonly part: ReplyPart;
  readonly count: GrowingCount;
  readonly counted: StreamedTokens;
}

/** Counts a streaming reply as `replyTokens` counts a complete one. Each read counts only the new text. */
export class ReplyCount {
  readonly #counter: TokenCounter;
  readonly #parts: (CountedPart | undefined)[] = [];

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  /** The tokens of `reply`; fast when it continues the reply of the last call. */
  read(reply: Reply): StreamedTokens {
    let tokens = 0;
    let isExact = true;
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
    if (known?.part === part) {
      return known;
    }
    const text = replyPartText(part);
    const before = known === undefined ? '' : replyPartText(known.part);
    const isGrown = known !== undefined && text.startsWith(before);
    const count = isGrown ? known.count : this.#counter.stream();
    count.append(isGrown ? text.slice(before.length) : text);
    const grown = { part, count, counted: count.read() };
    this.#parts[index] = grown;
    return grown;
  }
}
