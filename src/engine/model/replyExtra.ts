/** What a provider sent with a reply beside its parts, as the log keeps it. It is shown, and never sent back. */
export type ReplyExtra =
  /** A source that the reply names; `url` or `title` is '' without one. */
  | { readonly type: 'source'; readonly url: string; readonly title: string }
  /** An image; `blob` is the SHA-256 (hex) of its bytes, null when it could not be kept. */
  | { readonly type: 'image'; readonly mimeType: string; readonly bytes: number; readonly blob: string | null };

/** The same as it arrives. */
export type ReceivedExtra =
  | Extract<ReplyExtra, { readonly type: 'source' }>
  | { readonly type: 'image'; readonly mimeType: string; readonly bytes: Uint8Array };
