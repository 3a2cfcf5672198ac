/** A range of characters and its replacement. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the differing lines, from the first to the last. An editor keeps cursors and folds in all other lines. */
export function changedLines(before: string, after: string): TextChange {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before[same] === after[same]) {
    same += 1;
  }
  const start = same === 0 ? 0 : before.lastIndexOf('\n', same - 1) + 1;
  let sameAtEnd = 0;
  while (sameAtEnd < most - start && before[before.length - 1 - sameAtEnd] === after[after.length - 1 - sameAtEnd]) {
    sameAtEnd += 1;
  }
  // The first complete line of the common end. Text before it belongs to a differing line.
  const line = before.indexOf('\n', before.length - sameAtEnd);
  const kept = line === -1 ? 0 : before.length - line - 1;
  return { start, end: before.length - kept, text: after.slice(start, after.length - kept) };
}
