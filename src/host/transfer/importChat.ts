import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import type { ImportedFiles } from './importedFiles.js';
import { againRows, importRows, type AgainRow, type ImportRow } from './importRows.js';
import type { EarlierImport, OtherChat, OtherChats } from './otherChats.js';

export interface ImportPorts {
  readonly others: OtherChats;
  readonly files: ImportedFiles;
  readonly showLog: () => void;
}

const EXPORTED = /\.(?:zip|jsonl)$/i;

/**
 * Imports a chat. `chat`: an exported file or folder (URI or path), or a chat of another workspace (its id or the path
 * of its folder). Without `chat`, the user chooses. Returns the id of the new chat. Null after a cancelled choice.
 * Throws `cancelled`.
 */
export async function importChat(ports: ImportPorts, chat: unknown): Promise<string | null> {
  if (chat instanceof vscode.Uri) {
    return importFrom(ports.files, chat);
  }
  if (typeof chat !== 'string') {
    return pickChat(ports);
  }
  return isAbsolute(chat) && EXPORTED.test(chat) ? ports.files.import(chat) : (await ports.others.import(chat)).id;
}

async function importFrom(files: ImportedFiles, { scheme, fsPath, path }: vscode.Uri): Promise<string> {
  if (scheme !== 'file') {
    throw failure('import.notOnDisk', { name: path.slice(path.lastIndexOf('/') + 1) });
  }
  return files.import(fsPath);
}

async function pickChat(ports: ImportPorts): Promise<string | null> {
  const options = { placeHolder: 'Import a chat', matchOnDescription: true, matchOnDetail: true };
  // Opens the list at once. Rows appear as soon as Loupe has found the chats.
  const rows = ports.others.find().then((found) => importRows(found).map(item));
  const choice = (await vscode.window.showQuickPick(rows, options))?.choice;
  switch (choice?.type) {
    case 'import':
      return importPicked(ports.others, choice.chat);
    case 'file':
    case 'folder':
      return pickExported(ports.files, choice.type);
    case 'log':
      ports.showLog();
      return null;
    case 'heading':
    case 'none':
    case undefined:
      return null;
  }
}

/** Asks for an exported file or folder, in one of two dialogs: some systems have no dialog for both. */
async function pickExported(files: ImportedFiles, type: 'file' | 'folder'): Promise<string | null> {
  const picked = await vscode.window.showOpenDialog({
    canSelectFiles: type === 'file',
    canSelectFolders: type === 'folder',
    canSelectMany: false,
    openLabel: 'Import',
    title: 'Import Chat',
    ...(type === 'file' ? { filters: { 'Exported chats': ['zip', 'jsonl'] } } : {}),
  });
  return picked?.[0] === undefined ? null : importFrom(files, picked[0]);
}

function item(row: ImportRow): ImportRow & vscode.QuickPickItem {
  const { Separator, Default } = vscode.QuickPickItemKind;
  return { ...row, kind: row.choice.type === 'heading' ? Separator : Default };
}

async function importPicked(others: OtherChats, { path, imported }: OtherChat): Promise<string | null> {
  const choice = imported === null ? 'import' : await pickAgain(imported);
  switch (choice) {
    case 'import':
      return (await others.import(path)).id;
    case 'show':
      return imported === null ? null : (await others.show(imported)).id;
    case undefined:
      return null;
  }
}

async function pickAgain(imported: EarlierImport): Promise<AgainRow['choice'] | undefined> {
  // Keeps the question open when the focus moves after the previous question.
  const options = { placeHolder: 'This chat was already imported', ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(againRows(imported), options))?.choice;
}
