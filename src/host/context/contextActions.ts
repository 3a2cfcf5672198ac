import type * as vscode from 'vscode';
import type { ContextTarget } from './addPaths.js';
import type { SelectionTarget } from './addSelection.js';
import { addUris } from './addUris.js';
import { newCatalogFile } from './catalog/newCatalogFile.js';
import type { AgentInclude } from '../../engine/context/agentProfile.js';
import { changeInclude } from './catalog/changeInclude.js';
import { addCatalogItems, addServer, leaveOutItems, type LeavingChat, type ServerTarget } from './catalog/catalogChoice.js';
import type { FileWriter } from './files/fileWriter.js';
import { MentionFinder, type MentionsPorts } from './mentions/mentions.js';
import { compareItem, openContextItem, openWorkspaceFile } from './openItem.js';
import { pickFiles } from './pickFiles.js';

/** What the panel does with the context of a chat, beside the chat itself. */
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
    leaveOutItems: (chat: LeavingChat, keys: readonly string[]) => leaveOutItems(chat, keys, catalog),
    changeInclude: (agent: string, change: { readonly key: string; readonly include: AgentInclude }) =>
      changeInclude(agent, change, { files: adding.files(), writer, catalog }),
    newCatalogFile,
    openItem: (key: string) => openContextItem(key, adding.files(), catalog),
    compareItem: (key: string, source: string) => compareItem(key, source, adding.files(), catalog),
    openFile: (path: string, line: number) => openWorkspaceFile(path, line, adding.files()),
  };
}
