interface Folder {
  /** Ends with a slash. Has several parts if the outer folders contain nothing else: `main/java/`. */
  readonly name: string;
  readonly folders: readonly Folder[];
  readonly files: readonly string[];
  /** Number of files in the folder and all its subfolders. */
  readonly count: number;
}

/** Maximum number of names that the tree has of one folder. Longer lists are mostly data or generated files. */
const MOST_NAMES = 40;

/**
 * Returns the tree of the files as text with at most `most` tokens. Opens folders level by level. A folder without room
 * stays closed, as `docs/ (12 files)`. Null if not even the root has room. `count` returns the tokens of a text.
 */
export function fileTree(paths: readonly string[], most: number, count: (text: string) => number): string | null {
  const root = folderOf('', [...paths].sort());
  let left = most - openedTokens(root, 0, count);
  if (left < 0) {
    return null;
  }
  const open = new Set([root]);
  for (let level = [root], depth = 1; level.length > 0; depth += 1) {
    const next: Folder[] = [];
    for (const folder of level.flatMap(({ folders }) => folders)) {
      const tokens = openedTokens(folder, depth, count);
      if (tokens <= left) {
        left -= tokens;
        open.add(folder);
        next.push(folder);
      }
    }
    level = next;
  }
  return linesOf(root, 0, open).join('\n');
}

/** `paths`: sorted, relative to the folder. */
function folderOf(name: string, paths: readonly string[]): Folder {
  const files: string[] = [];
  const inside = new Map<string, string[]>();
  for (const path of paths) {
    const slash = path.indexOf('/');
    if (slash === -1) {
      files.push(path);
      continue;
    }
    const folder = path.slice(0, slash + 1);
    const known = inside.get(folder) ?? [];
    known.push(path.slice(slash + 1));
    inside.set(folder, known);
  }
  const folders = [...inside].map(([folder, rest]) => joined(folderOf(folder, rest)));
  return { name, folders, files, count: paths.length };
}

/** Joins a folder with its only content, if that is a folder. */
function joined(folder: Folder): Folder {
  const [only, more] = folder.folders;
  return only === undefined || more !== undefined || folder.files.length > 0 ? folder : { ...only, name: folder.name + only.name };
}

/** Returns the tokens that opening a folder adds to the tree. */
function openedTokens(folder: Folder, depth: number, count: (text: string) => number): number {
  const lines = [...nameLine(folder, depth), ...folder.folders.map((inner) => closedLine(inner, depth))];
  return count(`${lines.join('\n')}\n`);
}

function linesOf(folder: Folder, depth: number, open: ReadonlySet<Folder>): string[] {
  const inside = folder.folders.flatMap((inner) =>
    open.has(inner) ? [indented(inner.name, depth), ...linesOf(inner, depth + 1, open)] : [closedLine(inner, depth)],
  );
  return [...nameLine(folder, depth), ...inside];
}

function nameLine({ files }: Folder, depth: number): string[] {
  const more = files.length - MOST_NAMES;
  const names = [...files.slice(0, MOST_NAMES), ...(more > 0 ? [`… ${String(more)} more`] : [])];
  return names.length === 0 ? [] : [indented(names.join(', '), depth)];
}

function closedLine({ name, count }: Folder, depth: number): string {
  return indented(`${name} (${count === 1 ? '1 file' : `${String(count)} files`})`, depth);
}

function indented(text: string, depth: number): string {
  return '  '.repeat(depth) + text;
}
