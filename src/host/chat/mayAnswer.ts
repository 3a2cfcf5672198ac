import type { ChatState } from '../../engine/chat/state.js';
import { costOfReply } from '../request/requestCost.js';
import type { Composed } from '../request/composed.js';
import type { DraftToPreview } from './drafts.js';
import type { AskWatch, SpendGate } from './spendGate.js';

/** The chat in which a message is to be answered. */
export interface AnsweringChat {
  readonly state: ChatState;
  readonly spending: Pick<SpendGate, 'isLimited' | 'allowsMessage'>;
  previewDraft(draft: DraftToPreview): Promise<Composed>;
}

/**
 * Asks before a message is sent, or answered anew, if a limit of what is spent objects to its request: nothing of the chat has changed
 * yet, so that all is as it was when the answer is no. Resolves to whether it may be sent; to false when the signal aborts.
 */
export async function mayAnswer(chat: AnsweringChat, draft: DraftToPreview, watch: AskWatch): Promise<boolean> {
  if (!chat.spending.isLimited) {
    return true;
  }
  const composed = await chat.previewDraft(draft).catch(() => null);
  // Of a request that cannot be composed or sent the run tells why.
  return composed === null || composed.excess !== null || chat.spending.allowsMessage(draft.text, costOfReply(composed, chat.state), watch);
}
