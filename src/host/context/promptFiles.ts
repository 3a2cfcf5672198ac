import * as vscode from 'vscode';
import type { FileRead, FileReader } from '../../engine/context/fileContents.js';
import { isNotebook, notebookCells, notebookText, type NotebookCell } from '../../engine/context/notebook.js';
import { editedFiles } from './editedFiles.js';
import { MAX_FILE_BYTES } from './files/readFile.js';
import { isSameName } from './files/realPath.js';
import { refused } from './files/refusal.js';
import type { WorkspaceFiles } from './files/workspaceFiles.js';

/** Maximum number of kept notebooks. Loupe keeps their cells, because each key in the message box reads all files. */
const MOST_KEPT = 20;

/**
 * Returns a reader of files as models get them: with unsaved changes in editors, and a notebook as its cells without
 * outputs. A file with the name of a notebook but other content is read as text.
 */
export function promptFiles(current: () => WorkspaceFiles): FileReader {
  const edited = editedFiles(current);
  const kept = new Map<string, { readonly content: string; readonly cells: readonly NotebookCell[] | null }>();
  const cellsOf = (path: string, content: string): readonly NotebookCell[] | null => {
    const known = kept.get(path);
    const cells = known?.content === content ? known.cells : notebookCells(content);
    kept.delete(path);
    kept.set(path, { content, cells });
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) {
      kept.delete(oldest);
    }
    return cells;
  };
  return {
    async read(path) {
      const read = await edited.read(path);
      if (!read.ok || !isNotebook(path)) {
        return read;
      }
      const cells = unsavedCells(path, current()) ?? cellsOf(path, read.content);
      return bounded(path, cells === null ? read.content : notebookText(cells, 'number'));
    },
  };
}

/** Returns the cells of an open notebook with unsaved changes, otherwise null. */
function unsavedCells(path: string, files: WorkspaceFiles): readonly NotebookCell[] | null {
  const open = vscode.workspace.notebookDocuments.find(
    ({ isDirty, uri }) => isDirty && uri.scheme === 'file' && isSameName(files.relative(uri.fsPath) ?? '', path),
  );
  return (
    open?.getCells().map(({ kind, document, outputs }) => ({
      isCode: kind === vscode.NotebookCellKind.Code,
      text: document.getText(),
      outputs: outputs.map(({ items }) => items.map(({ mime }) => `(${mime})`).join(' ')),
    })) ?? null
  );
}

function bounded(path: string, content: string): FileRead {
  const bytes = Buffer.byteLength(content, 'utf8');
  return bytes > MAX_FILE_BYTES ? refused(path, { code: 'tooLarge', bytes }) : { ok: true, content, bytes };
}
