import * as vscode from 'vscode';
import { DISMISS } from './view/banners.js';
import { failure, LoupeError, toLoupeError } from '../engine/errors.js';
import type { Sha256 } from '../engine/ports.js';
import type { ChatSession } from './chat/chatSession.js';
import type { PickedPlace } from './contextFiles.js';
import { editorFiles } from './editorFiles.js';
import type { WorkspaceFiles } from './files/workspaceFiles.js';
import type { Log } from './log.js';
import type { Panel } from './view/panel.js';

export interface AddFilesPorts {
  readonly panel: Panel;
  readonly sha256: Sha256;
  readonly log: Log;
  readonly files: () => WorkspaceFiles;
}

/** Notes that the banner names; more would hide the conversation, and the log has all. */
const NOTES_NAMED = 3;

/**
 * Adds files and folders to a chat, with progress and Cancel for what takes longer. What was not added is said in the
 * panel. Rejects with `invalidInput` when none of the URIs is something on disk.
 */
export async function addUris(session: ChatSession, uris: readonly vscode.Uri[], ports: AddFilesPorts): Promise<void> {
  const { addPlaces } = await import('./contextFiles.js');
  const looked = await Promise.all(uris.map(placeOf));
  const places = looked.filter((place): place is PickedPlace => !(place instanceof LoupeError));
  const unknown = looked.filter((place): place is LoupeError => place instanceof LoupeError);
  if (places.length === 0 && unknown[0] !== undefined) {
    throw unknown[0];
  }
  const options = { location: vscode.ProgressLocation.Notification, title: 'Adding to the chat', cancellable: true };
  const notes = await vscode.window.withProgress(options, async (_progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => {
      abort.abort();
    });
    const reader = editorFiles(ports.files);
    const notAdded = await addPlaces(session, places, { files: ports.files(), reader, sha256: ports.sha256 }, abort.signal);
    return [...unknown.map((error) => error.message), ...notAdded];
  });
  for (const note of notes) {
    ports.log.info(note);
  }
  if (notes.length === 0) {
    ports.panel.banners.hide('notAdded');
  } else {
    const more = notes.length > NOTES_NAMED ? ` And ${String(notes.length - NOTES_NAMED)} more.` : '';
    ports.panel.banners.show({
      id: 'notAdded',
      severity: 'warning',
      text: `${notes.slice(0, NOTES_NAMED).join(' ')}${more}`,
      actions: [DISMISS],
    });
  }
  ports.panel.changed();
}

/** Lets the user choose files. Without a folder open there is nothing to choose from. */
export async function pickFiles(session: ChatSession, ports: AddFilesPorts): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    throw failure('file.noFolder');
  }
  const uris = await vscode.window.showOpenDialog({
    canSelectMany: true,
    canSelectFolders: true,
    canSelectFiles: true,
    defaultUri: folder.uri,
    openLabel: 'Add to chat',
  });
  if (uris !== undefined) {
    await addUris(session, uris, ports);
  }
}

/** What a URI points at, or why it cannot be added. */
async function placeOf(uri: vscode.Uri): Promise<PickedPlace | LoupeError> {
  if (uri.scheme !== 'file') {
    return failure('file.notOnDisk', { uri: uri.toString(true) });
  }
  try {
    const stat = await vscode.workspace.fs.stat(uri);
    return { path: uri.fsPath, isFolder: (stat.type & vscode.FileType.Directory) !== 0 };
  } catch (thrown) {
    return failure('file.unreadable', { path: uri.fsPath, reason: toLoupeError(thrown).message }, { cause: thrown });
  }
}
