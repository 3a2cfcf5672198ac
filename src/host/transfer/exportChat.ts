import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { toLoupeError } from '../../engine/errors.js';
import type { ChatSession } from '../chat/chatSession.js';
import { chatTitle } from '../../engine/chat/opening.js';
import { exportContent, type ExportContentPorts } from './exportContent.js';
import { EXPORT_FILTERS, exportFormat, exportName, writeError } from './exportName.js';
import type { Banners } from '../window/banners.js';
import { showCopyProgress } from '../window/copyProgress.js';

export interface ExportPorts extends ExportContentPorts {
  readonly banners: Pick<Banners, 'fail'>;
}

const OPEN = 'Open';

/**
 * Writes a chat to `target`, or asks the user for a file; the file's extension decides the format. Returns the file;
 * null when the user chose none. Throws `cancelled`.
 */
export async function exportChat(session: ChatSession, target: unknown, ports: ExportPorts): Promise<vscode.Uri | null> {
  const file = target instanceof vscode.Uri ? target : await askForFile(session);
  if (file === undefined) {
    return null;
  }
  const content = await showCopyProgress('Exporting the chat', (watch) => exportContent(session, exportFormat(file.path), ports, watch));
  await write(file, content.bytes);
  tell(file, content.missing, ports);
  return file;
}

/** Copies a chat as Markdown to the clipboard. Throws `cancelled`. */
export async function copyChat(session: ChatSession, ports: ExportContentPorts): Promise<void> {
  const content = await showCopyProgress('Copying the chat', (watch) => exportContent(session, 'markdown', ports, watch));
  await vscode.env.clipboard.writeText(Buffer.from(content.bytes).toString('utf8'));
  void vscode.window.showInformationMessage(['The chat was copied as Markdown.', ...content.missing].join(' '));
}

function askForFile(session: ChatSession): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const defaultUri = vscode.Uri.joinPath(folder, exportName(chatTitle(session.state)));
  return vscode.window.showSaveDialog({ defaultUri, filters: EXPORT_FILTERS, saveLabel: 'Export', title: 'Export Chat' });
}

async function write(file: vscode.Uri, bytes: Uint8Array): Promise<void> {
  try {
    await vscode.workspace.fs.writeFile(file, bytes);
  } catch (thrown) {
    throw writeError(fileName(file), thrown);
  }
}

/** Reports the export, as a warning when parts are missing. Does not wait for the user to dismiss it. */
function tell(file: vscode.Uri, missing: readonly string[], { banners }: ExportPorts): void {
  const text = [`The chat was exported to ${fileName(file)}.`, ...missing].join(' ');
  const shown = missing.length === 0 ? vscode.window.showInformationMessage(text, OPEN) : vscode.window.showWarningMessage(text, OPEN);
  const opened = shown.then((choice) => (choice === OPEN ? vscode.commands.executeCommand('vscode.open', file) : undefined));
  opened.then(undefined, (thrown: unknown) => {
    banners.fail(toLoupeError(thrown), null);
  });
}

function fileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
