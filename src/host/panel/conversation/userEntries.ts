import { type UserMessage, writtenContent } from '../../../engine/chat/message/message.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { UserEntry, EntryView } from '../../../protocol/panel/entries.js';

/**
 * Returns the tokens of a message's images in the first request of its run. Null if the request did not contain all of
 * them, or if its record does not list them.
 */
export function sentImageTokens({ id, parts }: UserMessage, runId: string | null, state: ChatState): UserEntry['imageTokens'] {
  const [attemptId = ''] = (runId === null ? undefined : state.runs.get(runId))?.attemptIds ?? [];
  const { blocks, size } = state.attempts.get(attemptId)?.manifest ?? { blocks: [], size: null };
  // The message was new in this request, so the difference to the previous request lists its blocks.
  const added = new Map(
    blocks.flatMap((piece) => (typeof piece === 'object' && 'put' in piece ? piece.put : [])).map((block) => [block.key, block]),
  );
  const images = parts.flatMap((part, index) =>
    part.type === 'image' ? [{ part, tokens: added.get(`message:${id}/${String(index)}`)?.tokens }] : [],
  );
  const tokens = images.reduce((sum, image) => sum + (image.tokens ?? NaN), 0);
  return images.length === 0 || Number.isNaN(tokens)
    ? null
    : { tokens, isEstimate: size?.basis !== 'exact' || images.some(({ part }) => part.width === null) };
}

export function shownContent(message: UserMessage): Pick<UserEntry, 'text' | 'images' | 'imagesFirst'> {
  const { text, images } = writtenContent(message);
  const at = message.parts.findIndex(({ type }) => type === 'text');
  return { text, images, imagesFirst: Math.max(0, at) };
}

export function queuedEntries({ queued }: ChatState): EntryView[] {
  return [...queued.values()].map(({ message }) => ({
    kind: 'user',
    id: message.id,
    ...shownContent(message),
    imageTokens: null,
    status: 'queued',
    isPinned: false,
    isExcluded: false,
    versions: null,
  }));
}
