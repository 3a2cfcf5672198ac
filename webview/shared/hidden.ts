/*
 * Makes invisible characters visible. Such characters can change the meaning of a text: bidi controls reorder text,
 * zero-width and tag characters hide words. Each view shows them as labelled tags.
 */

/** A piece of visible text, or the name of one hidden character, such as `U+202E`. */
export type RevealedPiece = { readonly text: string } | { readonly hidden: string };

/**
 * Matches characters that are invisible or change the drawing of other characters: C0 and C1 controls except tab and
 * line ends, soft hyphen, bidi controls, zero-width characters, line and paragraph separators, interlinear marks, tag
 * characters, unusual variation selectors, lone surrogates. Never a zero-width joiner between two emoji.
 */
const HIDDEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- such characters are what this looks for
  /(?!(?<=\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?)\u200D\p{Extended_Pictographic})[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}\u{E0100}-\u{E01EF}\p{Cs}]/gu;

/** Splits a text at its hidden characters. No piece is empty. The joined pieces are the whole text. */
export function splitHidden(text: string): RevealedPiece[] {
  const pieces: RevealedPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) {
      pieces.push({ text: text.slice(from, match.index) });
    }
    pieces.push({ hidden: codePointName(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) {
    pieces.push({ text: text.slice(from) });
  }
  return pieces;
}

/** Replaces hidden characters by `[U+202E]`, for names and titles without markup. */
export function revealHidden(text: string): string {
  return splitHidden(text)
    .map((piece) => ('hidden' in piece ? `[${piece.hidden}]` : piece.text))
    .join('');
}

function codePointName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
