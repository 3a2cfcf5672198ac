import type { Piece } from '../fact.js';

/** A line of a message, without its line end. `isCode`: it stands in a fenced code block. */
export interface Line extends Piece {
  readonly isCode: boolean;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * The lines of a text. A fence that nothing closes is no fence: it is more often a slip than code up to the end, and what
 * follows may be what the user wants most.
 */
export function linesOf(text: string): Line[] {
  const pieces = split(text);
  const isCode = pieces.map(() => false);
  let opened: { readonly mark: string; readonly index: number } | null = null;
  for (const [index, piece] of pieces.entries()) {
    const mark = FENCE.exec(piece.text)?.[1];
    if (mark === undefined) {
      continue;
    }
    if (opened === null) {
      opened = { mark, index };
    } else if (closes(piece.text, opened.mark)) {
      isCode.fill(true, opened.index, index + 1);
      opened = null;
    }
  }
  return pieces.map((piece, index) => ({ ...piece, isCode: isCode[index] === true }));
}

/** As in CommonMark: a fence is closed by the same character, at least as often, and nothing after it. */
function closes(line: string, mark: string): boolean {
  const found = line.trim();
  return found.startsWith(mark) && found === mark.charAt(0).repeat(found.length);
}

function split(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    pieces.push({ text: line.endsWith('\r') ? line.slice(0, -1) : line, at });
    at += line.length + 1;
  }
  return pieces;
}
