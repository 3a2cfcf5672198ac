import { plainText } from '../window/plainText.js';

/** Most characters of a text of others in a dialog: VS Code cuts longer ones without a sign. */
const LONGEST = 1_000;

/** Characters that would hide in a text, or turn it around, but for line ends and tabs. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text of others for VS Code's own dialogs, on one line, which draw it as it is. */
export function shownText(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return plainText(visibleCharacters(cut.replaceAll('\n', ' ').replaceAll('\t', '[U+0009]')));
}

/** A text of others for a document: characters that would hide in it, or turn it around, stand as their numbers. */
export function visibleCharacters(text: string): string {
  return text.replace(HIDDEN, (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`);
}
