/** What the user selected in a chat panel: a chat, or one of its replies (id of its attempt or of its message). */
export interface ChatSelection {
  readonly chatId: string;
  readonly reply: string | null;
}

/** The state of an inspector tab. It decides whether the tab shows what the user selects in a chat panel. */
export interface FollowingTab {
  readonly chatId: string;
  readonly request: string;
  readonly isVisible: boolean;
  /** Whether the user chose the request of the tab. Such a tab keeps its request when the user selects another one. */
  readonly isChosen: boolean;
  /** Whether the tab shows the next request. */
  readonly isNext: boolean;
}

/**
 * Returns the tab that should show a selection, or null. Each chat has at most one tab.
 * - Only a visible tab changes with the selection. If the selected chat has a hidden tab, that tab is shown instead.
 * - A tab with the next request changes to the next request of another chat.
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
