import * as vscode from 'vscode';
import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import { IMAGE_EXTENSIONS, type DrawableType } from '../../protocol/images.js';
import type { ChatRecords } from '../chat/chatRecords.js';

const SCHEME = 'loupe-image';

interface ImageChats {
  open(chatId: string): Promise<{ readonly records: Pick<ChatRecords, 'blob'> }>;
}

/** Shows images of chats in editors, as read-only files at `/<chat>/<blob>/Image.<extension>`. */
export class ImageDocuments implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #chats: ImageChats;
  readonly #logError: (error: LoupeError) => void;
  readonly #registration: vscode.Disposable;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  /** Never fires, because an image never changes: its name is the hash of its content. */
  readonly onDidChangeFile = this.#changed.event;

  constructor(chats: ImageChats, logError: (error: LoupeError) => void) {
    this.#chats = chats;
    this.#logError = logError;
    this.#registration = vscode.workspace.registerFileSystemProvider(SCHEME, this, { isReadonly: true });
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const [, chatId = '', blob = ''] = uri.path.split('/');
    try {
      return await (await this.#chats.open(chatId)).records.blob(blob);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      this.#logError(error);
      throw vscode.FileSystemError.Unavailable(error.message);
    }
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { length: size } = await this.readFile(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size };
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotADirectory(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

/** Opens an image of a chat in an editor. Rejects with `storage` when the image cannot be read. */
export async function openImage(
  chats: ImageChats,
  { chatId, blob, mimeType }: { readonly chatId: string; readonly blob: string; readonly mimeType: DrawableType },
): Promise<void> {
  // Reads the image first, so that an error appears in the panel instead of an empty editor.
  await (await chats.open(chatId)).records.blob(blob);
  const path = `/${chatId}/${blob}/Image.${IMAGE_EXTENSIONS[mimeType]}`;
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.from({ scheme: SCHEME, path }), { preview: true });
}
