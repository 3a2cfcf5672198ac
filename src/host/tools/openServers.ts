import { join } from 'node:path';
import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import { folderPaths } from '../window/folders.js';
import { fileOf, MCP_FILE, MCP_SETTING } from './mcpSources.js';

/** Opens a place where servers are configured, at a line from 1. Rejects when it is none of this window. */
export async function openServers({ place, line }: { readonly place: string; readonly line: number }): Promise<void> {
  if (place === MCP_SETTING) {
    await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: MCP_SETTING } });
    return;
  }
  const folders = folderPaths();
  const folder = folders.find((each) => fileOf(each, folders) === place);
  if (folder === undefined) {
    throw failure('file.notThere', { path: place });
  }
  const at = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(join(folder, MCP_FILE)), { selection: new vscode.Range(at, at) });
}
