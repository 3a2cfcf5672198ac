/** What the user has come to in a chat panel: a chat, or a reply in it by the id of its attempt or message. */
export interface Selection {
  readonly chatId: string;
  readonly reply: string | null;
}

/** A tab of the inspector, as far as it decides whether that goes along with a selection. */
export interface FollowingTab {
  readonly chatId: string;
  readonly request: string;
  readonly isVisible: boolean;
  /** Whether the user chose the request in the tab itself: then the tab stays with it. */
  readonly isChosen: boolean;
  /** Whether the user asked for the next request. */
  readonly isNext: boolean;
}

/**
 * The tab that shows a selection from now on; null for none. There is one tab for each chat at most. Only a tab in sight goes along, or
 * gives its place to that of the chat. One with the next request goes along to another chat, and stays with the next request.
 */
export function followingTab<Tab extends FollowingTab>(tabs: readonly Tab[], { chatId, reply }: Selection): Tab | null {
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
