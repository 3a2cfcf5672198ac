import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import { SETTINGS_SECTION } from '../window/settingsSection.js';
import { MCP_FILE, MCP_SERVERS_KEY } from './mcpSources.js';

/** What a new file has: nothing that runs, and what a server looks like. */
const TEMPLATE = `{
  // The servers whose tools chats in this folder may use. Each starts when it is first needed, and each call asks you first.
  "servers": {
    // "filesystem": {
    //   "command": "npx",
    //   "args": ["-y", "@modelcontextprotocol/server-filesystem", "\${workspaceFolder}"]
    // },
    // "over HTTP": {
    //   "url": "https://mcp.example.com/mcp",
    //   "headers": { "Authorization": "Bearer \${input:token}" }
    // }
  },
  // Values that are asked for once, and kept in VS Code's secret storage.
  "inputs": [
    // { "id": "token", "type": "promptString", "description": "Token of the server", "password": true }
  ]
}
`;

/** Opens the file with the servers of the folder, which is made where there is none; without a folder the user's own servers. */
export async function configureServers(of: 'folder' | 'user'): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (of === 'user' || folders.length === 0) {
    await vscode.commands.executeCommand('workbench.action.openSettings', `${SETTINGS_SECTION}.${MCP_SERVERS_KEY}`);
    return;
  }
  const folder = folders.length > 1 ? await vscode.window.showWorkspaceFolderPick() : folders[0];
  if (folder === undefined) {
    return;
  }
  const uri = vscode.Uri.joinPath(folder.uri, MCP_FILE);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { ignoreIfExists: true, contents: new TextEncoder().encode(TEMPLATE) });
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw failure('catalog.notMade', { path: MCP_FILE });
  }
  await vscode.window.showTextDocument(uri);
}
