import { plainText } from '../window/plainText.js';

/** Most characters of an external text in a dialog. VS Code cuts longer texts without a mark. */
const LONGEST = 1_000;

/** Characters that are invisible or reverse the text, except line ends and tabs. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns an external text for VS Code's dialogs: plain, on one line, and shortened. */
export function shownText(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return plainText(visibleCharacters(cut.replaceAll('\n', ' ').replaceAll('\t', '[U+0009]')));
}

/** Replaces characters that are invisible or reverse the text with their code points. */
export function visibleCharacters(text: string): string {
  return text.replace(HIDDEN, (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`);
}
