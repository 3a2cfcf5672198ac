import { isConversation } from './message/message.js';
import type { ChatMembers } from './slices/table.js';
import type { Extent } from './extent.js';
import type { BranchState, Timeline } from './timeline.js';
import type { AttemptsState } from './slices/attempts.js';

/** A chat that is loaded completely. Forks, exports and edits of old messages need a whole chat. */
export type WholeChat = ChatMembers & Extract<Extent, { readonly extent: 'whole' }>;

/** A chat that is loaded only from its restore point on. This is enough for the first view and for a request. */
export type ChatEnd = ChatMembers & Extract<Extent, { readonly extent: 'end' }>;

/** The state of a chat. Maps and lists change in place. Entries are replaced, but the `reply` of an attempt grows. */
export type ChatState = WholeChat | ChatEnd;

/** Returns the number of conversation messages on the current branch, loaded or not. */
export function countMessages(state: BranchState & Extent): number {
  return conversationIn(state.timeline) + (state.extent === 'end' ? state.earlier.messages : 0);
}

export function conversationIn(timeline: Timeline): number {
  return timeline.reduce((count, item) => count + (item.kind === 'message' && isConversation(item.message) ? 1 : 0), 0);
}

/** Returns the number of attempts ever made, loaded or not. */
export function countAttempts(state: AttemptsState & Extent): number {
  return state.attempts.size + (state.extent === 'end' ? state.earlier.attempts : 0);
}
