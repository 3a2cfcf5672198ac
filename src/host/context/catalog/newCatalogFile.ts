import * as vscode from 'vscode';
import type { WrittenType } from '../../../engine/context/item.js';
import { failure } from '../../../engine/errors.js';
import { catalogTemplate } from './catalogTemplate.js';

const TITLES = { rule: 'New rule', reference: 'New reference', skill: 'New skill' } as const;

/** Asks for a name, makes the file of a rule, a reference or a skill in the first folder, and opens it. One that is there already is only opened. */
export async function newCatalogFile(kind: WrittenType): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) {
    throw failure('catalog.noFolder');
  }
  const name = await vscode.window.showInputBox({
    title: TITLES[kind],
    prompt: 'Its name, as it is shown in chats',
    validateInput: (text) => (catalogTemplate(kind, text) === null ? 'Enter a name with a letter or a digit.' : null),
  });
  const template = name === undefined ? null : catalogTemplate(kind, name.trim());
  if (template === null) {
    return;
  }
  const uri = vscode.Uri.joinPath(folder.uri, template.path);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { ignoreIfExists: true, contents: new TextEncoder().encode(template.text) });
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw failure('catalog.notMade', { path: template.path });
  }
  const { document } = await vscode.window.showTextDocument(uri);
  const end = document.positionAt(document.getText().length);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(end, end) });
}
