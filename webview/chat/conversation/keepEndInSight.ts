import type { EntryView } from '../../../src/protocol/panel/view.js';

/** The part of the panel's state that decides whether to follow the end of the conversation. */
export interface OnShow {
  readonly chatId: string;
  /** Whether later messages exist that are not loaded. */
  readonly hasLater: boolean;
  readonly entries: readonly EntryView[];
}

/**
 * Whether to follow the end after a change from `before` to `after`, where `did` says whether it was followed before.
 * Another chat opens at its end, and a message that was just sent comes into sight. Later messages that load below
 * move nothing.
 */
export function follows(did: boolean, before: OnShow | null, after: OnShow): boolean {
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

/** Whether the user is at the end of the conversation and wants to stay there, or to get there. */
export class EndFollower {
  isOn = true;
  /** Whether the end is to come into sight as soon as it is loaded. */
  #seeks = false;

  /** Goes to the end, however much of the conversation is loaded first. */
  seek(): void {
    this.isOn = true;
    this.#seeks = true;
  }

  /** The user goes to another place. */
  leave(): void {
    this.isOn = false;
    this.#seeks = false;
  }

  /** To be called with each change of what is on show. */
  changed(before: OnShow | null, after: OnShow): void {
    const isSought = this.#seeks && before?.chatId === after.chatId;
    this.#seeks = isSought && after.hasLater;
    this.isOn = follows(this.isOn, before, after) || (isSought && !after.hasLater);
  }
}

/** Id of the user's newest message, which comes into sight when it was just sent. */
function newestMessage(entries: readonly EntryView[]): string | undefined {
  return entries.findLast((entry) => entry.kind === 'user')?.id;
}
