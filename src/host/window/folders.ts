import * as vscode from 'vscode';

export function folderPaths(): readonly string[] {
  return folders().map((uri) => uri.fsPath);
}

/** Returns the URIs of the workspace folders, as chats record them. */
export function folderNames(): readonly string[] {
  return folders().map((uri) => uri.toString());
}

function folders(): readonly vscode.Uri[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
}
