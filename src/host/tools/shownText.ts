import { plainText } from '../window/plainText.js';

/** Most characters of a text of others in a dialog: VS Code cuts longer ones without a sign. */
const LONGEST = 1_000;

/**
 * A text of others for VS Code's own dialogs, which draw it as it is: characters that would hide in it, or turn it around, stand as their
 * numbers.
 */
export function shownText(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  const visible = cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? ' ' : `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
  return plainText(visible);
}
