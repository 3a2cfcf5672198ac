import { plainText } from '../window/plainText.js';

/** Maximum number of characters of a foreign text in a dialog. VS Code cuts off longer texts without a mark. */
const LONGEST = 1_000;

/** Matches characters that are invisible or reverse the text, except for line ends and tabs. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns a foreign text for VS Code's dialogs: without hidden characters, on one line, and shortened. */
export function shownText(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return plainText(visibleCharacters(cut.replaceAll('\n', ' ').replaceAll('\t', '[U+0009]')));
}

/** Replaces characters that are invisible or reverse the text by their code points. */
export function visibleCharacters(text: string): string {
  return text.replace(HIDDEN, (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`);
}
