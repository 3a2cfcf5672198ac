import type { Piece } from '../fact.js';

/** A line of a message, without its line end. `isCode`: inside a fenced code block. */
export interface Line extends Piece {
  readonly isCode: boolean;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Returns the lines of a text. An unclosed fence is ignored: it is usually a slip, and important text may follow. */
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

/** Whether a line closes a fence. As in CommonMark: the same character, at least as often, and no text after it. */
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
