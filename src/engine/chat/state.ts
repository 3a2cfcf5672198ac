import { isConversation } from './message.js';
import type { ChatMembers } from './slices/table.js';
import type { Extent } from './extent.js';
import type { BranchState, Timeline } from './timeline.js';
import type { AttemptsState } from './slices/attempts.js';

/** A chat of which all is in memory: what a fork, an export or an edit far back needs. */
export type WholeChat = ChatMembers & Extract<Extent, { readonly extent: 'whole' }>;

/** A chat from its restore point on: all that is shown at first, and that a request needs. */
export type ChatEnd = ChatMembers & Extract<Extent, { readonly extent: 'end' }>;

/** The state of a chat. Containers change in place while the fold runs on; entries are replaced, never changed. */
export type ChatState = WholeChat | ChatEnd;

/** Messages of people and models on the branch on show, those before the end included. */
export function countMessages(state: BranchState & Extent): number {
  return conversationIn(state.timeline) + (state.extent === 'end' ? state.earlier.messages : 0);
}

export function conversationIn(timeline: Timeline): number {
  return timeline.reduce((count, item) => count + (item.kind === 'message' && isConversation(item.message) ? 1 : 0), 0);
}

/** All attempts ever made, those before the end included. */
export function countAttempts(state: AttemptsState & Extent): number {
  return state.attempts.size + (state.extent === 'end' ? state.earlier.attempts : 0);
}
