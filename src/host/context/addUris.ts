import * as vscode from 'vscode';
import { failure, LoupeError, toLoupeError } from '../../engine/errors.js';
import type { Sha256 } from '../../engine/ports.js';
import type { ContextTarget, PickedPath } from './addPaths.js';
import type { CatalogSource } from './catalog/workspaceCatalog.js';
import { promptFiles } from './promptFiles.js';
import type { FileQuestions } from './fileQuestions.js';
import type { WorkspaceFiles } from './files/workspaceFiles.js';
import { NOT_ADDED } from './notAdded.js';
import { type Banners, DISMISS } from '../window/banners.js';
import { showBusy } from '../window/chatView.js';
import { offerCancel } from '../window/offerCancel.js';
import { slowWork } from '../window/slowWork.js';
import { systemClock } from '../window/systemPorts.js';

export interface AddFilesPorts {
  readonly banners: Pick<Banners, 'show' | 'hide'>;
  readonly sha256: Sha256;
  readonly files: () => WorkspaceFiles;
  readonly catalog: Pick<CatalogSource, 'read'>;
  readonly fileQuestions: FileQuestions;
  logInfo(text: string): void;
}

/** Maximum number of notes in the banner about files that were not added. The log has all notes. */
const NOTES_NAMED = 3;

/**
 * Adds files and folders to a chat. Shows progress with Cancel during slow work, and a banner with the files that were
 * not added. Rejects with `invalidInput` if no URI is a file on disk.
 */
export async function addUris(chat: ContextTarget, uris: readonly vscode.Uri[], ports: AddFilesPorts): Promise<void> {
  const { addPaths: addPlaces } = await import('./addPaths.js');
  const looked = await Promise.all(uris.map(pickedPath));
  const places = looked.filter((place): place is PickedPath => !(place instanceof LoupeError));
  const unknown = looked.filter((place): place is LoupeError => place instanceof LoupeError);
  if (places.length === 0 && unknown[0] !== undefined) {
    throw unknown[0];
  }
  const reader = promptFiles(ports.files);
  const catalog = await ports.catalog.read();
  const add = (signal: AbortSignal): Promise<readonly string[]> =>
    addPlaces(chat, places, { files: ports.files(), reader, sha256: ports.sha256, catalog, questions: ports.fileQuestions }, signal);
  const notAdded = await slowWork(add, { clock: systemClock, showBusy, offerCancel: offerCancel('Adding files to the chat') });
  const notes = [...unknown.map((error) => error.message), ...notAdded];
  for (const note of notes) {
    ports.logInfo(note);
  }
  if (notes.length === 0) {
    ports.banners.hide(NOT_ADDED);
  } else {
    const more = notes.length > NOTES_NAMED ? ` "Loupe: Show Log" shows ${String(notes.length - NOTES_NAMED)} more messages.` : '';
    ports.banners.show({
      id: NOT_ADDED,
      severity: 'warning',
      text: `${notes.slice(0, NOTES_NAMED).join(' ')}${more}`,
      actions: [DISMISS],
    });
  }
}

/** Returns the path of a URI. For a URI that cannot be added, returns an error with the reason. */
async function pickedPath(uri: vscode.Uri): Promise<PickedPath | LoupeError> {
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
