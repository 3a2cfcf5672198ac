import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import { SETTINGS_SECTION } from '../window/settingsSection.js';
import { configurationFiles, MCP_FILES, MCP_SERVERS_KEY, MCP_SETTING, type McpPlaces } from './mcpSources.js';
import { signInToServer, startToFind } from './signInToServer.js';
import type { WindowToolbox } from './windowToolbox.js';

/** The content of a new file: an example that starts no server. */
const TEMPLATE = `{
  // Servers with tools for the chats in this folder. Loupe starts a server at its first use, and asks you before each call.
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
  // Values that Loupe asks you for once, and stores in VS Code's secret storage.
  "inputs": [
    // { "id": "token", "type": "promptString", "description": "Token of the server", "password": true }
  ]
}
`;

/** Returns what the user can do with MCP servers in a panel. */
export function serverActions(toolbox: Pick<WindowToolbox, 'mcp' | 'answerStart'>) {
  const { servers } = toolbox.mcp;
  // Starts of servers continue until VS Code's window closes. Loupe does not wait for them, so this never aborts.
  const signal = (): AbortSignal => new AbortController().signal;
  return {
    configure: configureServers,
    open: (at: { readonly place: string; readonly line: number }) => openServers(at, toolbox.mcp.places()),
    restart: (name: string) => servers.restart(name, signal()),
    startToFind: (name: string) => startToFind(name, servers),
    stop: servers.stop.bind(servers),
    signIn: (name: string) => signInToServer(name, servers),
    signOut: (name: string) => servers.signOut(name, signal()),
    /** Handles the user's answer whether a server of the workspace may start. */
    answer: toolbox.answerStart.bind(toolbox),
  };
}

/** Opens the file with the folder's servers. Creates a missing file. Without a folder, opens the user's servers. */
async function configureServers(of: 'folder' | 'user'): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (of === 'user' || folders.length === 0) {
    await vscode.commands.executeCommand('workbench.action.openSettings', `${SETTINGS_SECTION}.${MCP_SERVERS_KEY}`);
    return;
  }
  const folder = folders.length > 1 ? await vscode.window.showWorkspaceFolderPick() : folders[0];
  if (folder === undefined) {
    return;
  }
  const [file] = MCP_FILES;
  const uri = vscode.Uri.joinPath(folder.uri, file);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { ignoreIfExists: true, contents: new TextEncoder().encode(TEMPLATE) });
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw failure('catalog.notMade', { path: file });
  }
  await vscode.window.showTextDocument(uri);
}

/** Opens the configuration of servers at a line, from 1. Rejects unless `place` is a configuration of this window. */
async function openServers({ place, line }: { readonly place: string; readonly line: number }, places: McpPlaces): Promise<void> {
  if (place === MCP_SETTING) {
    await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: MCP_SETTING } });
    return;
  }
  const file = configurationFiles(places).find((each) => each.place === place);
  if (file === undefined) {
    throw failure('file.notThere', { path: place });
  }
  const at = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file.path), { selection: new vscode.Range(at, at) });
}
