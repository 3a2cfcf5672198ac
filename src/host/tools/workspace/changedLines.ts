/** A part of a text, by characters, and what takes its place. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The lines in which two texts differ, from the first to the last one: an editor keeps cursors and folds in the others. */
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
  // A line that begins within what is the same at the end; what stands before it belongs to a line that differs.
  const line = before.indexOf('\n', before.length - sameAtEnd);
  const kept = line === -1 ? 0 : before.length - line - 1;
  return { start, end: before.length - kept, text: after.slice(start, after.length - kept) };
}
