export interface UserEntry {
  readonly kind: 'user';
  readonly id: string;
  readonly text: string;
  readonly images: readonly ImageView[];
  /** So many of the images stand before the text. */
  readonly imagesFirst: number;
  readonly at: number;
  /** `unsent`: never answered, and later requests do not send it. `queued`: waits until the chat is no longer busy. */
  readonly status: 'sent' | 'unsent' | 'queued';
  /** Whether every request sends it, whatever is summarized; here and in `AssistantEntry`. */
  readonly isPinned: boolean;
  /** Whether the user has left its turn out of the requests. */
  readonly isLeftOut: boolean;
  /** Which version of this message and its reply is on show; null where there is one only. */
  readonly versions: VersionsView | null;
}

/** An image of a message. `blob` names it; an unknown size is null. */
export interface ImageView {
  readonly blob: string;
  readonly mimeType: string;
  readonly bytes: number | null;
  /** In pixels. */
  readonly width: number | null;
  readonly height: number | null;
}

/** The place of a version among those that edits and retries made, with the rewinds that lead to its neighbours. */
export interface VersionsView {
  /** From 1, the oldest. */
  readonly number: number;
  readonly count: number;
  /** Null where there is none. */
  readonly earlier: string | null;
  readonly later: string | null;
}
