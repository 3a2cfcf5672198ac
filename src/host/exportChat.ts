import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { toLoupeError } from '../engine/errors.js';
import type { App } from './app.js';
import type { ChatSession } from './chat/chatSession.js';
import { chatTitle } from '../engine/chat/opening.js';
import { chatExport } from './chatExport.js';
import { EXPORT_FILTERS, exportFormat, exportName, writeError } from './exportFile.js';
import type { Log } from './log.js';
import { showCopying } from './showCopying.js';

export interface ExportPorts {
  readonly app: App;
  readonly log: Log;
}

const OPEN = 'Open';

/**
 * Writes a chat to `target`, or to a file that is asked for; its ending is the format. Returns the file; null when none
 * was chosen. Throws `cancelled`.
 */
export async function exportChat(session: ChatSession, target: unknown, ports: ExportPorts): Promise<vscode.Uri | null> {
  const file = target instanceof vscode.Uri ? target : await askForFile(session);
  if (file === undefined) {
    return null;
  }
  const { app, log } = ports;
  const from = { chats: app.chats, logError: log.error.bind(log) };
  const content = await showCopying('Exporting the chat', (watch) => chatExport(session, exportFormat(file.path), from, watch));
  await write(file, content.bytes);
  tell(file, content.missing, ports);
  return file;
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

/** What is missing is a warning. Nobody waits for the notification to be dismissed. */
function tell(file: vscode.Uri, missing: readonly string[], { app }: ExportPorts): void {
  const text = [`The chat was exported to ${fileName(file)}.`, ...missing].join(' ');
  const shown = missing.length === 0 ? vscode.window.showInformationMessage(text, OPEN) : vscode.window.showWarningMessage(text, OPEN);
  const opened = shown.then((choice) => (choice === OPEN ? vscode.commands.executeCommand('vscode.open', file) : undefined));
  opened.then(undefined, (thrown: unknown) => {
    app.panel.fail(toLoupeError(thrown));
  });
}

function fileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
