import type { StopReason } from '../../engine/model/model.js';
import { wordsMember } from '../json.js';

/**
 * `pause_turn` ends a round of the provider's own tools, which Loupe does not offer. Such a reply ends with reason
 * `other`, as with unknown reasons, and is shown with its word.
 */
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
 * Why the provider refused, in its words; null when it does not say.
 * https://docs.claude.com/en/api/messages: `explanation` is a sentence, `category` a word; both may be null.
 */
export function refusalIn(details: unknown): string | null {
  const [category, explanation] = [wordsMember(details, 'category'), wordsMember(details, 'explanation')];
  return category === null || explanation === null ? (explanation ?? category) : `${explanation} (${category})`;
}
