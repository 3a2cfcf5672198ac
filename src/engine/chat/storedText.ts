/**
 * A text as the log keeps it: in its line, or, over 16 KB, in the chat's blob folder under the SHA-256 (hex) of its UTF-8
 * bytes, of which there are `bytes`.
 */
export type StoredText = { readonly inline: string } | { readonly blob: string; readonly bytes: number };
