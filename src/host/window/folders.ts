import * as vscode from 'vscode';

/** The absolute paths of the workspace's folders. */
export function folderPaths(): readonly string[] {
  return folders().map((uri) => uri.fsPath);
}

/** The URIs of the workspace's folders, as chats record them. */
export function folderNames(): readonly string[] {
  return folders().map((uri) => uri.toString());
}

function folders(): readonly vscode.Uri[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
}
