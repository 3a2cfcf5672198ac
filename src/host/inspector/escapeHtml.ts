const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Bidirectional controls reorder what is read, and others are not seen at all: each is written as its number. */
const HIDDEN = /[\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g;

/** A text of unknown origin as text of a page, between tags and in quotes. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replace(HIDDEN, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`);
}
