import { basename } from 'node:path/posix';
import * as vscode from 'vscode';
import { failure, messageOf } from '../../../engine/errors.js';
import { MOST_ADDED_BYTES } from '../../../protocol/images.js';
import { fileSize } from '../../../protocol/numbers.js';
import type { NewImage } from './addImages.js';

/** Endings of files that are added as images. An SVG file is text. Formats that models refuse get a clear message. */
const IMAGE_ENDINGS = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'heic', 'heif', 'avif', 'bmp', 'tif', 'tiff'];

const ENDING = new RegExp(`\\.(?:${IMAGE_ENDINGS.join('|')})$`, 'i');

export function isImageFile(uri: vscode.Uri): boolean {
  return ENDING.test(uri.path);
}

/** Returns an image that is read when it is added. It may be outside the workspace: the chat stores a copy. */
export function imageOfFile(uri: vscode.Uri): NewImage {
  const name = basename(uri.path);
  return { name, read: () => readImage(uri, name) };
}

async function readImage(uri: vscode.Uri, name: string): Promise<Uint8Array> {
  const stat = await readable(vscode.workspace.fs.stat(uri), name);
  if ((stat.type & vscode.FileType.File) === 0) {
    // VS Code does not say what the other kinds are.
    const isFolder = (stat.type & vscode.FileType.Directory) !== 0;
    throw failure('image.notAFile', { name, what: isFolder ? 'a folder' : 'a pipe, a device or a broken link' });
  }
  if (stat.size > MOST_ADDED_BYTES) {
    throw failure('image.tooManyBytes', { name, limit: fileSize(MOST_ADDED_BYTES) });
  }
  return readable(vscode.workspace.fs.readFile(uri), name);
}

/** Returns what VS Code read. Throws `invalidInput` with VS Code's reason if it cannot read the file. */
async function readable<T>(reading: Thenable<T>, name: string): Promise<T> {
  try {
    return await reading;
  } catch (thrown) {
    throw failure('file.unreadable', { path: name, reason: messageOf(thrown) }, { cause: thrown });
  }
}

/** Lets the user choose images with VS Code's file dialog. Empty after a cancel. */
export async function pickImages(): Promise<readonly NewImage[]> {
  const filters = { Images: IMAGE_ENDINGS };
  const chosen = await vscode.window.showOpenDialog({ canSelectMany: true, filters, openLabel: 'Add to message', title: 'Add images' });
  return (chosen ?? []).map(imageOfFile);
}
