import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import type { CatalogSource } from './catalog/workspaceCatalog.js';
import type { WorkspaceFiles } from './files/workspaceFiles.js';
import { parseSelectionName } from './selectionName.js';

/** Opens the file of a context item by its key, and selects the lines of a selection. */
export async function openContextItem(key: string, files: WorkspaceFiles, catalog: CatalogSource): Promise<void> {
  const { path, lines } = await placeOf(key, catalog);
  const uri = diskUri(path, key, files);
  await checkExists(uri, path);
  await show(uri, lines);
}

/** Shows the difference between the file of an item and another file, by its workspace path. */
export async function compareItem(key: string, source: string, files: WorkspaceFiles, catalog: CatalogSource): Promise<void> {
  const { path } = await placeOf(key, catalog);
  const [own, other] = [diskUri(path, key, files), diskUri(source, source, files)];
  await vscode.commands.executeCommand('vscode.diff', own, other, `${path} and ${source}`);
}

/** Throws `invalidInput`, naming `key`, for a path outside the workspace. */
function diskUri(path: string, key: string, files: WorkspaceFiles): vscode.Uri {
  const place = path === '' ? null : files.diskPath(path);
  if (place === null) {
    throw failure('file.notInWorkspace', { key });
  }
  return vscode.Uri.file(place);
}

/** Returns the workspace path of an item's file, and the lines that the item holds. */
async function placeOf(key: string, catalog: CatalogSource): Promise<ReturnType<typeof parseSelectionName>> {
  if (key.startsWith('file:')) {
    return parseSelectionName(key.slice('file:'.length));
  }
  return { path: (await catalog.read()).get(key)?.source ?? '', lines: null };
}

/** Opens the file that a reply names, at a line from 1. Throws `invalidInput` for a file outside the workspace. */
export async function openWorkspaceFile(path: string, line: number, files: WorkspaceFiles): Promise<void> {
  const place = await files.existing(path);
  if (place === null) {
    throw failure('file.notThere', { path });
  }
  await show(vscode.Uri.file(place), [line, line]);
}

/** Opens a file and selects lines, counted from 1. */
async function show(uri: vscode.Uri, lines: readonly [first: number, last: number] | null): Promise<void> {
  if (lines === null) {
    await vscode.window.showTextDocument(uri);
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const [first, last] = lines;
  // The file may have become shorter.
  const selection = document.validateRange(new vscode.Range(first - 1, 0, last - 1, Number.MAX_SAFE_INTEGER));
  await vscode.window.showTextDocument(document, { selection });
}

/** Throws a clear error for a missing file, because VS Code's own error reads like a defect. */
async function checkExists(uri: vscode.Uri, path: string): Promise<void> {
  try {
    await vscode.workspace.fs.stat(uri);
  } catch (thrown) {
    const isGone = thrown instanceof vscode.FileSystemError && thrown.code === 'FileNotFound';
    throw isGone ? failure('file.gone', { path }, { cause: thrown }) : thrown;
  }
}
