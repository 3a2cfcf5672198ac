import type { StopReason } from '../../engine/model/model.js';
import { wordsMember } from '../json.js';

/** Converts a stop reason. `pause_turn` (a pause of Anthropic's web search and other server tools) becomes `other`. */
export function stopReasonOf(reason: string): StopReason {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'end';
    case 'tool_use':
      return 'toolCalls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'refused';
    default:
      return 'other';
  }
}

/**
 * Returns the provider's explanation of a refusal, or null. https://docs.claude.com/en/api/messages: `explanation` is a
 * sentence, `category` a word; both may be null.
 */
export function refusalIn(details: unknown): string | null {
  const [category, explanation] = [wordsMember(details, 'category'), wordsMember(details, 'explanation')];
  return category === null || explanation === null ? (explanation ?? category) : `${explanation} (${category})`;
}
