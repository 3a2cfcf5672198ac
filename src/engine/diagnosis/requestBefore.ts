import type { AttemptState } from '../chat/slices/attempts.js';
import type { ManifestBlock } from '../record/manifest.js';
import { wasAnswered } from '../request/pastRequest.js';

/** Whether a request holds nothing of the conversation as it is: those for titles and topics, and for a summary of a text. */
export function isAlone(purpose: AttemptState['purpose'], blocks: readonly Pick<ManifestBlock, 'source'>[]): boolean {
  return purpose !== 'reply' && blocks.every(({ source }) => source.from === 'snapshot');
}

/**
 * The request that one to `model` is compared with, among those before it: the last for a reply to the same model that the provider has
 * read, since what failed left nothing in a cache; before the first one to a model, the last to another. Null without one.
 */
export function requestBefore(
  earlier: readonly AttemptState[],
  model: AttemptState['model'],
  isReadable: (attempt: AttemptState) => boolean,
): AttemptState | null {
  // The model first: it excludes most of thousands of attempts, and this runs at each key that is typed.
  const isOfModel = ({ model: each }: AttemptState): boolean => each.model === model.model && each.provider === model.provider;
  const isRead = (attempt: AttemptState): boolean => attempt.purpose === 'reply' && wasAnswered(attempt) && isReadable(attempt);
  return earlier.findLast((each) => isOfModel(each) && isRead(each)) ?? earlier.findLast(isRead) ?? null;
}

/**
 * The id by which the provider of `model` knows the request that one to it is compared with. Null without one, and where the provider
 * cannot know it: it keeps what it compares only of requests that ask for that, and no other provider has it.
 */
export function responseBefore(earlier: readonly AttemptState[], model: AttemptState['model']): string | null {
  const before = requestBefore(earlier, model, () => true);
  const isKept = before?.model.provider === model.provider && before.manifest.params.previousResponseId !== undefined;
  return isKept ? (before.end?.responseId ?? null) : null;
}
