import { open, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { toLoupeError } from '../../engine/errors.js';
import type { WritePiece } from '../../storage/transfer/chatZip.js';
import type { Banners } from './banners.js';
import { systemRandom } from './systemRandom.js';
import { writeError } from './writeError.js';

export interface ExportDialog {
  readonly title: string;
  readonly name: string;
  readonly filters: Readonly<Record<string, string[]>>;
}

const OPEN = 'Open';

/** Asks the user where to save an export. Starts in the workspace folder. Undefined after a cancel. */
export function askForExportFile({ title, name, filters }: ExportDialog): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  return vscode.window.showSaveDialog({ defaultUri: vscode.Uri.joinPath(folder, name), filters, saveLabel: 'Export', title });
}

export async function writeExport(file: vscode.Uri, bytes: Uint8Array): Promise<void> {
  try {
    await vscode.workspace.fs.writeFile(file, bytes);
  } catch (thrown) {
    throw writeError(fileName(file), thrown);
  }
}

/**
 * Writes a file in the pieces from `produce`, and returns the result of `produce`. The pieces go to a temporary file,
 * which replaces an existing file at the end. A failure leaves no file.
 */
export async function writeExportPieces<T>(file: vscode.Uri, produce: (write: WritePiece) => Promise<T>): Promise<T> {
  if (file.scheme === 'file') {
    return writeToDisk(file, produce);
  }
  // VS Code can write only whole files to other file systems.
  const pieces: Uint8Array[] = [];
  const result = await produce((bytes) => {
    pieces.push(bytes);
    return Promise.resolve();
  });
  await writeExport(file, Buffer.concat(pieces));
  return result;
}

async function writeToDisk<T>(file: vscode.Uri, produce: (write: WritePiece) => Promise<T>): Promise<T> {
  const unfinished = `${file.fsPath}.${systemRandom.hex(8)}.tmp`;
  const onDisk = async <R>(work: () => Promise<R>): Promise<R> => {
    try {
      return await work();
    } catch (thrown) {
      throw writeError(fileName(file), thrown);
    }
  };
  const handle = await onDisk(() => open(unfinished, 'wx'));
  try {
    const result = await produce((bytes) => onDisk(() => handle.writeFile(bytes)));
    await onDisk(() => handle.datasync());
    await handle.close();
    await onDisk(() => rename(unfinished, file.fsPath));
    return result;
  } catch (thrown) {
    await handle.close();
    await rm(unfinished, { force: true });
    throw thrown;
  }
}

/** Reports an export. Shows a warning when parts are `missing`. Does not wait for the user. */
export function reportExport(what: string, file: vscode.Uri, missing: readonly string[], banners: Pick<Banners, 'fail'>): void {
  const text = [`Loupe exported ${what} to ${fileName(file)}.`, ...missing].join(' ');
  const shown = missing.length === 0 ? vscode.window.showInformationMessage(text, OPEN) : vscode.window.showWarningMessage(text, OPEN);
  const opened = shown.then((choice) => (choice === OPEN ? vscode.commands.executeCommand('vscode.open', file) : undefined));
  opened.then(undefined, (thrown: unknown) => {
    banners.fail(toLoupeError(thrown), null);
  });
}

function fileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
