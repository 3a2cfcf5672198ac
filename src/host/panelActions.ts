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
  const { documents, log } = ports;
  return {
    copy: async (text) => vscode.env.clipboard.writeText(text),
    insertAtCursor,
    newFile,
    openLink,
    openContextItem: (key) => openContextItem(key, ports),
    pickFiles: (session) => pickFiles(session, ports),
    addUris: (session, uris) => addUris(session, uris.map(parseDropped), ports),
    showRequest: (chatId, messageId) => documents.showRequest(chatId, messageId),
    openResult: (chatId, messageId, callId) => ports.results.open(chatId, messageId, callId),
    previewNextRequest: (chatId) => documents.showNext(chatId),
    importChats: () => ports.otherChats.importOffered(),
    exportChat: async (session) => {
      await exportChat(session, undefined, ports);
    },
    openSettings: async () => vscode.commands.executeCommand('workbench.action.openSettings', SETTINGS_SECTION),
    showLog: () => {
      log.show();
    },
    addProvider: async () => vscode.commands.executeCommand('loupe.addProvider'),
    setApiKey: async ({ state }) => vscode.commands.executeCommand('loupe.setApiKey', state.config.model.provider),
    selectModel: async ({ id }) => vscode.commands.executeCommand('loupe.selectModel', undefined, { chatId: id }),
    logWebviewError: (message) => {
      log.error(failure('internal.defect', { text: `The panel reported: ${message}` }));
    },
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
