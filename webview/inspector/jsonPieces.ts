/** A piece of a line of JSON. */
export interface JsonPiece {
  readonly text: string;
  readonly kind: 'name' | 'string' | 'plain';
}

/** A string, which may be cut, and whether it is the name of a member. */
const STRINGS = /("(?:[^"\\]|\\.)*(?:"|$))(\s*:)?/g;

/** A line of JSON in pieces, which in order hold all of it. */
export function jsonPieces(line: string): readonly JsonPiece[] {
  const pieces: JsonPiece[] = [];
  let from = 0;
  const plain = (to: number): void => {
    if (to > from) {
      pieces.push({ text: line.slice(from, to), kind: 'plain' });
    }
  };
  for (const match of line.matchAll(STRINGS)) {
    plain(match.index);
    const [, text = '', colon] = match;
    pieces.push({ text, kind: colon === undefined ? 'string' : 'name' });
    from = match.index + text.length;
  }
  plain(line.length);
  return pieces;
}
