import * as vscode from 'vscode';
import { isSameName } from './files/realPath.js';
import type { EditorEncodings } from './files/readFile.js';

/** Decodes files as VS Code's editors do. An open editor can have another encoding than the setting. */
export const editorEncodings: EditorEncodings = {
  of(place) {
    const uri = vscode.Uri.file(place);
    return openEncoding(uri) ?? vscode.workspace.getConfiguration('files', uri).get<string>('encoding') ?? 'utf8';
  },
  async decode(bytes, place) {
    const uri = vscode.Uri.file(place);
    const encoding = openEncoding(uri);
    return encoding === null ? vscode.workspace.decode(bytes, { uri }) : vscode.workspace.decode(bytes, { encoding });
  },
};

function openEncoding(uri: vscode.Uri): string | null {
  const open = vscode.workspace.textDocuments.find(
    (document) => document.uri.scheme === 'file' && isSameName(document.uri.fsPath, uri.fsPath),
  );
  return open?.encoding ?? null;
}
