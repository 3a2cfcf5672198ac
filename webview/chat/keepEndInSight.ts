import type { EntryView } from '../../src/protocol/view.js';

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

/** Id of the user's newest message, which comes into sight when it was just sent. */
function newestMessage(entries: readonly EntryView[]): string | undefined {
  return entries.findLast((entry) => entry.kind === 'user')?.id;
}
