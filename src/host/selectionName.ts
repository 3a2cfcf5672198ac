/** What names a selection in a chat: the path of its file and its lines, counted from 1: `src/a.ts:10-20`. */
export function selectionName(path: string, firstLine: number, lastLine: number): string {
  return `${path}:${String(firstLine)}-${String(lastLine)}`;
}

/** The path of the file a name stands for, and the first line of a selection in it; null for a whole file. */
export function parseSelectionName(name: string): { readonly path: string; readonly firstLine: number | null } {
  const match = /^(.+):(\d+)-\d+$/.exec(name);
  return match?.[1] === undefined ? { path: name, firstLine: null } : { path: match[1], firstLine: Number(match[2]) };
}
