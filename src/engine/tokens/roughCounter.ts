import type { Model } from '../run/model.js';
import type { GrowingCount, StreamedTokens, TokenCounter } from '../ports.js';

/** Characters of English prose to a token: the rule of thumb in the documentation of the providers. */
const CHARACTERS_PER_TOKEN = 4;

/** Counts without a tokenizer, for when there is none: characters (UTF-16 units) divided by four, rounded up. */
export const ROUGH_COUNTER: TokenCounter = {
  id: 'characters/4',
  count: (text) => Math.ceil(text.length / CHARACTERS_PER_TOKEN),
  stream: () => new RoughStream(),
};

class RoughStream implements GrowingCount {
  #length = 0;

  append(text: string): void {
    this.#length += text.length;
  }

  read(): StreamedTokens {
    return { tokens: Math.ceil(this.#length / CHARACTERS_PER_TOKEN), isExact: true };
  }
}

/** The model as it is counted by `counter`: with another one than its own, its counts are estimates. */
export function countedBy(model: Model, { id: counter }: TokenCounter): Model {
  const { capabilities } = model;
  return counter === capabilities.counter ? model : { ...model, capabilities: { ...capabilities, counter, counterIsExact: false } };
}
