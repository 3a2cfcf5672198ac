import * as vscode from 'vscode';
import type { ContextTarget } from './addPaths.js';
import type { SelectionTarget } from './addSelection.js';
import { addUris } from './addUris.js';
import type { AgentInclude } from '../../engine/context/agentProfile.js';
import type { WrittenType } from '../../engine/record/item.js';
import { failure } from '../../engine/errors.js';
import { changeInclude } from './catalog/changeInclude.js';
import { addCatalogItems, addServer, excludeItems, type ExclusionTarget, type ServerTarget } from './catalog/catalogChoice.js';
import { catalogTemplate } from './catalog/catalogTemplate.js';
import type { FileWriter } from './files/fileWriter.js';
import { MentionFinder, type MentionsPorts } from './mentions/mentions.js';
import { compareItem, openContextItem, openWorkspaceFile } from './openItem.js';
import { pickFiles } from './pickFiles.js';

const TITLES = { rule: 'New rule', reference: 'New reference', skill: 'New skill' } as const;

/** The panel's actions on the context of a chat. */
export function contextActions(ports: MentionsPorts & { readonly writer: FileWriter }) {
  const { adding, catalog, writer } = ports;
  const mentions = new MentionFinder(ports);
  return {
    pickFiles: (chat: SelectionTarget) => pickFiles(chat, adding),
    addUris: (chat: ContextTarget, uris: readonly vscode.Uri[]) => addUris(chat, uris, adding),
    findMentions: mentions.find.bind(mentions),
    mention: mentions.add.bind(mentions),
    addCatalogItems: (chat: ContextTarget, keys: readonly string[]) => addCatalogItems(chat, keys, catalog),
    addServer: (chat: ServerTarget, server: string) => addServer(chat, server, catalog),
    excludeItems: (chat: ExclusionTarget, keys: readonly string[]) => excludeItems(chat, keys, catalog),
    changeInclude: (agent: string, change: { readonly key: string; readonly include: AgentInclude }) =>
      changeInclude(agent, change, { files: adding.files(), writer, catalog }),
    newCatalogFile,
    openItem: (key: string) => openContextItem(key, adding.files(), catalog),
    compareItem: (key: string, source: string) => compareItem(key, source, adding.files(), catalog),
    openFile: (path: string, line: number) => openWorkspaceFile(path, line, adding.files()),
  };
}

/** Asks for a name, creates the file in the first folder and opens it. An existing file is only opened. */
async function newCatalogFile(kind: WrittenType): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) {
    throw failure('catalog.noFolder');
  }
  const name = await vscode.window.showInputBox({
    title: TITLES[kind],
    prompt: 'Its name in chats',
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
