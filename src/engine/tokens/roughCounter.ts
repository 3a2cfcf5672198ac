import type { Model } from '../model/model.js';
import type { GrowingCount, StreamedTokens, TokenCounter } from '../ports.js';

/** Characters per token of English prose: the rule of thumb in the providers' documentation. */
const CHARACTERS_PER_TOKEN = 4;

/** A counter that needs no tokenizer: characters (UTF-16 units) divided by four, rounded up. */
export const ROUGH_COUNTER: TokenCounter = {
  id: 'characters/4',
  count: roughCount,
  countInParts: (text) => [roughCount(text)],
  stream: () => new RoughStream(),
};

function roughCount({ length }: string): number {
  return Math.ceil(length / CHARACTERS_PER_TOKEN);
}

class RoughStream implements GrowingCount {
  #length = 0;

  append(text: string): void {
    this.#length += text.length;
  }

  read(): StreamedTokens {
    return { tokens: Math.ceil(this.#length / CHARACTERS_PER_TOKEN), isExact: true };
  }
}

/** Returns the model with `counter` as its counter. If the model has another tokenizer, counts are estimates. */
export function countedBy(model: Model, { id: counter }: TokenCounter): Model {
  const { capabilities } = model;
  return counter === capabilities.counter ? model : { ...model, capabilities: { ...capabilities, counter, counterIsExact: false } };
}
