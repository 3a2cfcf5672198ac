import type { ReplyExtra } from '../../engine/chat/replyExtra.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { AssistantEntry, ExtraView } from '../../protocol/view.js';

/** What the provider said when the reply ended. */
export function toldAtEnd(end: AttemptState['end']): Pick<AssistantEntry, 'finishReason' | 'extras' | 'answeredBy'> {
  return { finishReason: end?.finishReason ?? null, answeredBy: end?.answeredBy ?? null, extras: (end?.extras ?? []).map(extraView) };
}

function extraView(extra: ReplyExtra): ExtraView {
  return extra.type === 'source' ? extra : { type: 'image', mimeType: extra.mimeType, bytes: extra.bytes };
}
