/**
 * A text as the log stores it: in its line or, over 16 KB, in the chat's blob folder. `blob` is the SHA-256 (hex) of
 * its UTF-8 bytes and its file name there; `bytes` is their number.
 */
export type StoredText = { readonly inline: string } | { readonly blob: string; readonly bytes: number };
