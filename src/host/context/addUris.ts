import * as vscode from 'vscode';
import { failure, LoupeError, messageOf, toLoupeError } from '../../engine/errors.js';
import type { Sha256 } from '../../engine/ports.js';
import { addPaths, type ContextTarget, type PickedPath } from './addPaths.js';
import type { CatalogSource } from './catalog/workspaceCatalog.js';
import { promptFiles } from './promptFiles.js';
import type { FileQuestions } from './fileQuestions.js';
import type { WorkspaceFiles } from './files/workspaceFiles.js';
import type { DraftImages } from './images/draftImages.js';
import type { ImageTarget } from './images/addImages.js';
import { imageOfFile, isImageFile } from './images/pickedImages.js';
import { type NotAddedPorts, showNotAdded } from './notAdded.js';
import { showBusy } from '../window/chatView.js';
import { offerCancel } from '../window/offerCancel.js';
import { slowWork } from '../window/slowWork.js';
import type { FindEditor } from '../window/openFile.js';
import { systemClock } from '../window/systemPorts.js';

export interface AddFilesPorts extends NotAddedPorts {
  readonly sha256: Sha256;
  readonly files: () => WorkspaceFiles;
  readonly catalog: Pick<CatalogSource, 'read'>;
  readonly fileQuestions: FileQuestions;
  readonly draftImages: Pick<DraftImages, 'add'>;
  readonly openEditor: FindEditor;
}

/**
 * Adds files and folders to a chat, and image files to its draft. Shows progress with Cancel during slow work, and a
 * banner with the files that were not added. Rejects with `invalidInput` if no URI is a file on disk.
 */
export async function addUris(chat: ContextTarget & ImageTarget, uris: readonly vscode.Uri[], ports: AddFilesPorts): Promise<void> {
  const images = uris.filter(isImageFile);
  const others = uris.filter((uri) => !isImageFile(uri));
  // Begins with the images, so that a message which is sent meanwhile waits for them.
  const adding = ports.draftImages.add(chat, images.map(imageOfFile));
  const addingFiles = others.length === 0 ? Promise.resolve([]) : addFiles(chat, others, ports);
  const [added, files] = await Promise.allSettled([adding, addingFiles]);
  const failed = [added, files].flatMap((each) => (each.status === 'rejected' ? [toLoupeError(each.reason)] : []));
  const notes = [files, added].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  showNotAdded([...notes, ...failed.slice(1).map(({ message }) => message)], ports);
  if (failed[0] !== undefined) {
    throw failed[0];
  }
}

async function addFiles(chat: ContextTarget, uris: readonly vscode.Uri[], ports: AddFilesPorts): Promise<readonly string[]> {
  const looked = await Promise.all(uris.map(pickedPath));
  const places = looked.filter((place): place is PickedPath => !(place instanceof LoupeError));
  const unknown = looked.filter((place): place is LoupeError => place instanceof LoupeError);
  if (places.length === 0 && unknown[0] !== undefined) {
    throw unknown[0];
  }
  const reader = promptFiles(ports.files);
  const catalog = await ports.catalog.read();
  const add = (signal: AbortSignal): Promise<readonly string[]> =>
    addPaths(chat, places, { files: ports.files(), reader, sha256: ports.sha256, catalog, questions: ports.fileQuestions }, signal);
  const notAdded = await slowWork(add, { clock: systemClock, showBusy, offerCancel: offerCancel('Adding files to the chat') });
  return [...unknown.map((error) => error.message), ...notAdded];
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
    return failure('file.unreadable', { path: uri.fsPath, reason: messageOf(thrown) }, { cause: thrown });
  }
}
