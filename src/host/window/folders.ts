import * as vscode from 'vscode';

/** Returns the absolute paths of the workspace folders. */
export function folderPaths(): readonly string[] {
  return folders().map((uri) => uri.fsPath);
}

/** Returns the URIs of the workspace folders, in the form that chats record. */
export function folderNames(): readonly string[] {
  return folders().map((uri) => uri.toString());
}

function folders(): readonly vscode.Uri[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
}
