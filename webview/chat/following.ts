import type { EntryView } from '../../src/protocol/view.js';

/** What decides whether the end of the conversation is to be kept in sight. */
export interface OnShow {
  readonly chatId: string;
  /** The end of the conversation is not among the entries. */
  readonly hasLater: boolean;
  readonly entries: readonly EntryView[];
}

/**
 * Whether the end is followed once `after` is on show, when it was before. Another chat is shown by its end, and so is a
 * message that was just sent; messages that came in below what is being read move nothing.
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

/** The id of the newest message of the user: one that was just sent is always brought into sight. */
function newestMessage(entries: readonly EntryView[]): string | undefined {
  return entries.findLast((entry) => entry.kind === 'user')?.id;
}
