/** The user's selection in a chat panel: a chat, or a reply in it by the id of its attempt or message. */
export interface ChatSelection {
  readonly chatId: string;
  readonly reply: string | null;
}

/** The state of an inspector tab that decides whether the tab follows a selection. */
export interface FollowingTab {
  readonly chatId: string;
  readonly request: string;
  readonly isVisible: boolean;
  /** Whether the user chose the request in the tab. Such a tab does not follow. */
  readonly isChosen: boolean;
  /** Whether the tab shows the next request. */
  readonly isNext: boolean;
}

/**
 * Returns the tab that should show a selection, or null. Each chat has at most one tab.
 * - A tab follows only while it is visible; a hidden tab of the selected chat replaces it.
 * - A tab with the next request follows to another chat and shows the next request there.
 */
export function followingTab<Tab extends FollowingTab>(tabs: readonly Tab[], { chatId, reply }: ChatSelection): Tab | null {
  const follower = tabs.find(({ isVisible, isChosen }) => isVisible && !isChosen) ?? null;
  const own = tabs.find((tab) => tab.chatId === chatId);
  if (own === undefined) {
    return follower;
  }
  if (!own.isVisible) {
    return follower === null ? null : own;
  }
  return reply === null || own.isChosen || own.isNext || own.request === reply ? null : own;
}
