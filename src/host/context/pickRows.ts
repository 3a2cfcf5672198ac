import { compareNaturally, hasBinaryExtension } from './files/fileNames.js';

/** The choices for adding files to a chat. Paths are workspace paths. */
export interface PickChoices {
  /** Files in editors. The file of the active editor is first. */
  readonly open: readonly string[];
  /** The selected text's name as a context item. Null without selected text. */
  readonly selection: string | null;
  /** All workspace files that were found, in any order. */
  readonly files: readonly string[];
}

/** A row to choose, or a heading. The `path` of a folder has no slash at its end. */
export type PickRow =
  | { readonly type: 'heading'; readonly label: string }
  | { readonly type: 'file' | 'selection'; readonly path: string }
  | { readonly type: 'folder'; readonly path: string; readonly files: number };

/** Returns the rows: open editors first, then the selection, other files and folders. */
export function pickRows({ open, selection, files }: PickChoices): PickRow[] {
  const isOpen = new Set(open);
  const others = files.filter((path) => !isOpen.has(path) && !hasBinaryExtension(path)).sort(compareNaturally);
  return [
    ...section('Open editors', open.map(fileRow)),
    ...section('Selection', selection === null ? [] : [{ type: 'selection', path: selection }]),
    ...section('Files', others.map(fileRow)),
    ...section('Folders', folderRows(files)),
  ];
}

function section(label: string, rows: readonly PickRow[]): PickRow[] {
  return rows.length === 0 ? [] : [{ type: 'heading', label }, ...rows];
}

function fileRow(path: string): PickRow {
  return { type: 'file', path };
}

/** Returns a row for each folder, with the number of files in the folder and its subfolders. */
function folderRows(files: readonly string[]): PickRow[] {
  const counts = new Map<string, number>();
  for (const path of files) {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return [...counts].sort(([a], [b]) => compareNaturally(a, b)).map(([path, count]) => ({ type: 'folder', path, files: count }));
}
