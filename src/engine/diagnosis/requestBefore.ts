import type { AttemptState } from '../chat/slices/attempts.js';
import type { ManifestBlock } from '../record/manifest.js';
import { wasAnswered } from '../request/pastRequest.js';

/** Whether a request contains no message of the conversation: for titles, topics, and the summary of a text. */
export function isAlone(purpose: AttemptState['purpose'], blocks: readonly Pick<ManifestBlock, 'source'>[]): boolean {
  return purpose !== 'reply' && blocks.every(({ source }) => source.from === 'snapshot');
}

/**
 * Returns the earlier request to compare a request to `model` with. This is the last answered request for a reply to
 * the same model, because failed requests left nothing in the cache. For the first request to a model, it is the last
 * answered request to another model. Null without such a request.
 */
export function requestBefore(
  earlier: readonly AttemptState[],
  model: AttemptState['model'],
  isReadable: (attempt: AttemptState) => boolean,
): AttemptState | null {
  // Compares the model first, for speed: this excludes most of thousands of attempts, and runs at each keystroke.
  const isOfModel = ({ model: each }: AttemptState): boolean => each.model === model.model && each.provider === model.provider;
  const isRead = (attempt: AttemptState): boolean => attempt.purpose === 'reply' && wasAnswered(attempt) && isReadable(attempt);
  return earlier.findLast((each) => isOfModel(each) && isRead(each)) ?? earlier.findLast(isRead) ?? null;
}

/**
 * Returns the provider's response id of the earlier request to compare with. Null if there is no such request, if
 * another provider answered it, or if that request did not ask the provider for comparisons.
 */
export function responseBefore(earlier: readonly AttemptState[], model: AttemptState['model']): string | null {
  const before = requestBefore(earlier, model, () => true);
  const isKept = before?.model.provider === model.provider && before.manifest.params.previousResponseId !== undefined;
  return isKept ? (before.end?.responseId ?? null) : null;
}
