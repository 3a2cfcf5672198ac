/** A place in a list of texts. */
export interface Place {
  readonly piece: number;
  readonly offset: number;
}

export interface Match {
  readonly start: Place;
  readonly end: Place;
}

/** Where `query` occurs in `pieces`, which are read as one text, whatever the case of its letters. */
export function findMatches(pieces: readonly string[], query: string): readonly Match[] {
  if (query === '') {
    return [];
  }
  const starts: number[] = [];
  let length = 0;
  for (const piece of pieces) {
    starts.push(length);
    length += piece.length;
  }
  const placeOf = (at: number): Place => {
    const piece = starts.findLastIndex((start) => start <= at);
    return { piece, offset: at - (starts[piece] ?? 0) };
  };
  // The end is that of its last character: behind it may stand the next piece.
  return [...pieces.join('').matchAll(new RegExp(escaped(query), 'giu'))].map(({ index, 0: found }) => {
    const last = placeOf(index + found.length - 1);
    return { start: placeOf(index), end: { ...last, offset: last.offset + 1 } };
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
