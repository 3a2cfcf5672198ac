import type { EntryView } from '../../../src/protocol/panel/view.js';

/** The part of the panel's state that decides whether the view stays at the end of the conversation. */
export interface VisibleConversation {
  readonly chatId: string;
  /** Whether the chat has later messages that are not loaded. */
  readonly hasLater: boolean;
  readonly entries: readonly EntryView[];
}

/**
 * Whether the view stays at the end after a change from `before` to `after`. `did`: whether it stayed there so far.
 * Another chat opens at its end, and a newly sent message scrolls into sight. Loading later messages does not scroll.
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

/** Decides whether the view stays at the end of the conversation while it grows. */
export class EndFollower {
  isOn = true;
  /** Whether to scroll to the end as soon as the end is loaded. */
  #seeks = false;

  /** Goes to the end. If messages are missing there, waits until the host has sent them. */
  seek(): void {
    this.isOn = true;
    this.#seeks = true;
  }

  /** Stops following the end. Call this when the user goes to another place. */
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

/** Returns the id of the user's newest message, which scrolls into sight after it was sent. */
function newestMessage(entries: readonly EntryView[]): string | undefined {
  return entries.findLast((entry) => entry.kind === 'user')?.id;
}
