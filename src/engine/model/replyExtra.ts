/** What a provider sent with a reply in addition to its parts, as the log stores it. Shown, but never sent back. */
export type ReplyExtra =
  /** A source that the reply names; `url` or `title` is '' when missing. */
  | { readonly type: 'source'; readonly url: string; readonly title: string }
  /** An image. `blob` is the SHA-256 (hex) of its bytes, or null when it could not be stored. */
  | { readonly type: 'image'; readonly mimeType: string; readonly bytes: number; readonly blob: string | null };

/** An extra as it arrives, before its bytes are stored. */
export type IncomingExtra =
  | Extract<ReplyExtra, { readonly type: 'source' }>
  | { readonly type: 'image'; readonly mimeType: string; readonly bytes: Uint8Array };
