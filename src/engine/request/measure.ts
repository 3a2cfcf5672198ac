import { priceBeforeSending } from '../accounting/price.js';
import type { Framing, Model } from '../run/model.js';
import type { Calibration } from '../tokens/calibration.js';
import type { RequestSize } from '../tokens/requestSize.js';
import { promptBlocks, type Prompt } from './prompt.js';

/** What is known of counts beyond the model's counter. */
export interface Counted {
  readonly calibration: Calibration;
  /** Input tokens of this very prompt as the provider counted them; null when it has not. */
  readonly byProvider: number | null;
}

export interface Measured {
  readonly size: RequestSize;
  /** Tokens that the wire format adds, by the model's counter. */
  readonly framingTokens: number;
  /** US dollars for the input when no cache serves it; null when the model has no prices. */
  readonly inputCost: number | null;
}

/** Measures a prompt as its model bills it: all that has to do with the request's size goes by this. */
export function measure(prompt: Prompt, { capabilities, prices }: Model, counted: Counted): Measured {
  const framingTokens = framingOf(prompt, capabilities.framing);
  const content = promptBlocks(prompt).reduce((sum, block) => sum + block.tokens, 0);
  const size = sizeOf(content + framingTokens, capabilities.counterIsExact, counted);
  return { size, framingTokens, inputCost: priceBeforeSending(size.tokens, prices) };
}

function sizeOf(counted: number, counterIsExact: boolean, { calibration, byProvider }: Counted): RequestSize {
  if (counterIsExact) {
    return { tokens: counted, counted, basis: 'exact', error: null };
  }
  if (byProvider !== null) {
    return { tokens: byProvider, counted, basis: 'providerCount', error: null };
  }
  return { tokens: Math.round(counted * calibration.factor), counted, basis: 'estimate', error: calibration.error };
}

/** Tokens that the wire format adds; the system prompt counts as a message where there is one. */
function framingOf(prompt: Prompt, framing: Framing): number {
  const messages = prompt.messages.length + (prompt.system.length > 0 ? 1 : 0);
  return framing.perRequest + messages * framing.perMessage + prompt.tools.length * framing.perTool;
}
