import type { EntryView } from '../../../src/protocol/panel/entries.js';

/** The part of the panel's state that decides whether the conversation stays scrolled to its end. */
export interface VisibleConversation {
  readonly chatId: string;
  /** Whether the chat has later messages that are not loaded. */
  readonly hasLater: boolean;
  readonly entries: readonly EntryView[];
}

/**
 * Whether to scroll to the end after a change. `did` says whether the view was at the end before. A newly opened chat
 * and a newly sent message scroll to the end. Loading later messages does not scroll.
 */
export function shouldFollowEnd(did: boolean, before: VisibleConversation | null, after: VisibleConversation): boolean {
  if (after.hasLater) {
    return false;
  }
  if (before?.chatId !== after.chatId) {
    return true;
  }
  if (before.hasLater) {
    return before.entries[0]?.id !== after.entries[0]?.id;
  }
  return did || newestMessage(before.entries) !== newestMessage(after.entries);
}

/** Keeps the conversation scrolled to its end while messages are added. */
export class EndFollower {
  isOn = true;
  /** Whether to scroll to the end after the host has sent the latest messages. */
  #seeks = false;

  /** Lets the caller scroll to the end: now, and again after the host has sent messages that are not loaded yet. */
  seek(): void {
    this.isOn = true;
    this.#seeks = true;
  }

  /** Stops following the end. Call this when the user scrolls or jumps to another place. */
  leave(): void {
    this.isOn = false;
    this.#seeks = false;
  }

  /** Call this after each change of the visible content. */
  changed(before: VisibleConversation | null, after: VisibleConversation): void {
    const isSought = this.#seeks && before?.chatId === after.chatId;
    this.#seeks = isSought && after.hasLater;
    this.isOn = shouldFollowEnd(this.isOn, before, after) || (isSought && !after.hasLater);
  }
}

/** Returns the id of the user's newest message. Sending a message changes this id and scrolls to the end. */
function newestMessage(entries: readonly EntryView[]): string | undefined {
  return entries.findLast((entry) => entry.kind === 'user')?.id;
}
