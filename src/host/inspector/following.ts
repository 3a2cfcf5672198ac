/** A chat, or one of its replies, that the user selected in a chat panel. `reply`: id of the attempt or message. */
export interface ChatSelection {
  readonly chatId: string;
  readonly reply: string | null;
}

/** The part of an inspector tab's state that decides whether the tab follows a selection in a chat panel. */
export interface FollowingTab {
  readonly chatId: string;
  readonly request: string;
  readonly isVisible: boolean;
  /** Whether the user chose the request of the tab. Selecting another chat or reply then does not change the tab. */
  readonly isChosen: boolean;
  /** Whether the tab shows the next request. */
  readonly isNext: boolean;
}

/**
 * Returns the tab that must show a selection. Null without such a tab. Each chat has at most one tab.
 * - Only a visible tab changes with the selection. If the selected chat has a hidden tab, this tab appears instead.
 * - A tab with the next request follows only to another chat, and shows the next request there.
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
