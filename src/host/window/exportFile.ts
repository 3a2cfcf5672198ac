import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { toLoupeError } from '../../engine/errors.js';
import type { Banners } from './banners.js';
import { writeError } from './writeError.js';

export interface ExportDialog {
  readonly title: string;
  /** The name of the file that is suggested. */
  readonly name: string;
  /** File extensions by the names of their formats. */
  readonly filters: Readonly<Record<string, string[]>>;
}

const OPEN = 'Open';

/** Asks for the file of an export, in the first folder of the workspace; undefined when the user chose none. */
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

/** Reports that `what` was exported, as a warning when parts are `missing`. Does not wait for the user to dismiss it. */
export function tellExported(what: string, file: vscode.Uri, missing: readonly string[], banners: Pick<Banners, 'fail'>): void {
  const text = [`${what} exported to ${fileName(file)}.`, ...missing].join(' ');
  const shown = missing.length === 0 ? vscode.window.showInformationMessage(text, OPEN) : vscode.window.showWarningMessage(text, OPEN);
  const opened = shown.then((choice) => (choice === OPEN ? vscode.commands.executeCommand('vscode.open', file) : undefined));
  opened.then(undefined, (thrown: unknown) => {
    banners.fail(toLoupeError(thrown), null);
  });
}

function fileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
