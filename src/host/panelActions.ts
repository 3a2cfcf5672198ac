import * as vscode from 'vscode';
import { failure } from '../engine/errors.js';
import { addUris, pickFiles, type AddFilesPorts } from './addFiles.js';
import { insertAtCursor, newFile, openLink } from './editorActions.js';
import { exportChat, type ExportPorts } from './exportChat.js';
import type { OtherChats } from './otherChats.js';
import type { PanelActions } from './panelHandlers.js';
import type { RequestDocuments } from './requestDocuments.js';
import type { ResultDocuments } from './resultDocuments.js';
import { parseSelectionName } from './selectionName.js';
import { SETTINGS_SECTION } from './settings.js';

export interface PanelActionPorts extends AddFilesPorts, ExportPorts {
  readonly documents: RequestDocuments;
  readonly results: ResultDocuments;
  readonly otherChats: OtherChats;
}

/** What the panel asks of VS Code, done by VS Code. */
export function panelActions(ports: PanelActionPorts): PanelActions {
  const { app, documents, log } = ports;
  return {
    addFiles: async ({ chatId }) => pickFiles(await app.chats.open(chatId), ports),
    dropFiles: async ({ chatId, uris }) => addUris(await app.chats.open(chatId), uris.map(parseDropped), ports),
    openContextItem: ({ key }) => openContextItem(key, ports),
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    insertAtCursor: ({ text }) => insertAtCursor(text),
    newFile: ({ text, language }) => newFile(text, language),
    openLink: ({ href }) => openLink(href),
    showRequest: ({ chatId, messageId }) => documents.showRequest(chatId, messageId),
    openResult: ({ chatId, messageId, callId }) => ports.results.open(chatId, messageId, callId),
    previewNextRequest: ({ chatId }) => documents.showNext(chatId),
    showLog: () => {
      log.show();
    },
    addProvider: () => vscode.commands.executeCommand('loupe.addProvider'),
    selectModel: ({ chatId }) => vscode.commands.executeCommand('loupe.selectModel', undefined, { chatId }),
    webviewError: ({ message }) => {
      log.error(failure('internal.defect', { text: `The panel reported: ${message}` }));
    },
    setKeyOf: async (providerId) => vscode.commands.executeCommand('loupe.setApiKey', providerId),
    importChats: () => ports.otherChats.importOffered(),
    exportChat: async (session) => {
      await exportChat(session, undefined, ports);
    },
    openSettings: async () => vscode.commands.executeCommand('workbench.action.openSettings', SETTINGS_SECTION),
  };
}

/** A dropped URI as this side of a remote connection knows it: the window names the same files `vscode-remote:`. */
function parseDropped(text: string): vscode.Uri {
  const uri = vscode.Uri.parse(text, true);
  return uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : uri;
}

/** Opens the file of a chip, at the selection if it is one. */
async function openContextItem(key: string, ports: AddFilesPorts): Promise<void> {
  const { path, firstLine } = parseSelectionName(key.startsWith('file:') ? key.slice('file:'.length) : '');
  const place = path === '' ? null : ports.files().place(path);
  if (place === null) {
    throw failure('file.notInWorkspace', { key });
  }
  const start = new vscode.Position((firstLine ?? 1) - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(place), { selection: new vscode.Range(start, start) });
}
