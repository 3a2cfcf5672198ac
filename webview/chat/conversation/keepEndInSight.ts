import type { EntryView } from '../../../src/protocol/panel/view.js';

/** The part of the panel's state that decides whether to follow the end of the conversation. */
export interface VisibleConversation {
  readonly chatId: string;
  /** Whether there are later messages that are not loaded. */
  readonly hasLater: boolean;
  readonly entries: readonly EntryView[];
}

/**
 * Whether to follow the end after a change from `before` to `after`. `did`: whether it was followed before. Another
 * chat opens at its end, and a newly sent message scrolls into sight. Loading later messages moves nothing.
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

/** Whether the view follows the end of the conversation. */
export class EndFollower {
  isOn = true;
  /** Whether to scroll to the end as soon as it is loaded. */
  #seeks = false;

  /** Goes to the end, even when some of the conversation must load first. */
  seek(): void {
    this.isOn = true;
    this.#seeks = true;
  }

  /** Call it when the user goes to another place. */
  leave(): void {
    this.isOn = false;
    this.#seeks = false;
  }

  /** Call it with each change of the visible content. */
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
