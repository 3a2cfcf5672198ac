import * as vscode from 'vscode';
import type { SessionFileEntry, SessionFileManager } from '../../engine/context/sessionFiles.js';
import { normalizePath } from '../../engine/context/paths.js';
import { failure, type LoupeError, toLoupeError } from '../../engine/errors.js';
import type { ChatSession } from '../chat/chatSession.js';

interface SessionFilesPorts {
  readonly chats: { open(chatId: string): Promise<Pick<ChatSession, 'files'>> };
  logError(error: LoupeError): void;
  now(): number;
}

/** When Loupe noticed the last change of each file of a chat, in epoch milliseconds. */
interface ChatTimes {
  readonly opened: number;
  readonly changed: Map<string, number>;
}

type Changed = (events: readonly vscode.FileChangeEvent[]) => void;

/**
 * The session files of chats as files of VS Code, at `/<chat>/<name>`. Folders exist while a name contains them. The
 * methods reject as VS Code requires, with a sentence for the user.
 */
export class SessionFileSystem {
  readonly #ports: SessionFilesPorts;
  readonly #times = new Map<string, ChatTimes>();
  #changed: Changed = () => undefined;

  constructor(ports: SessionFilesPorts) {
    this.#ports = ports;
  }

  /** Calls `changed` after changes of the files of all chats that VS Code has read. */
  watch(changed: Changed): void {
    this.#changed = changed;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { chatId, path, files } = await this.#at(uri);
    const times = this.#times.get(chatId);
    const ctime = times?.opened ?? 0;
    const entry = files.listFiles().find(({ name }) => name === path);
    if (entry !== undefined) {
      return { type: vscode.FileType.File, ctime, mtime: times?.changed.get(path) ?? ctime, size: entry.bytes };
    }
    if (childrenOf(path, files.listFiles()).size === 0 && path !== '') {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return { type: vscode.FileType.Directory, ctime, mtime: ctime, size: 0 };
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const { path, files } = await this.#at(uri);
    return [...childrenOf(path, files.listFiles())];
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { path, files } = await this.#at(uri);
    return this.#done(uri, () => files.getFileContent(path));
  }

  async writeFile(uri: vscode.Uri, bytes: Uint8Array, { create, overwrite }: { create: boolean; overwrite: boolean }): Promise<void> {
    const { path, files } = await this.#at(uri);
    const isThere = files.listFiles().some(({ name }) => name === path);
    if (!isThere && !create) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    if (isThere && create && !overwrite) {
      throw vscode.FileSystemError.FileExists(uri);
    }
    await this.#done(uri, () => files.putFileContent(path, { bytes, mimeType: null, summary: null }));
  }

  async delete(uri: vscode.Uri): Promise<void> {
    const { path, files } = await this.#at(uri);
    const names = files.listFiles().flatMap(({ name }) => (name === path || name.startsWith(`${path}/`) ? [name] : []));
    if (names.length === 0) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    for (const name of names) {
      await this.#done(uri, () => files.deleteFile(name));
    }
  }

  async rename(from: vscode.Uri, to: vscode.Uri, { overwrite }: { overwrite: boolean }): Promise<void> {
    const [source, target] = [await this.#at(from), await this.#at(to)];
    const moved = source.files.listFiles().filter(({ name }) => name === source.path || name.startsWith(`${source.path}/`));
    if (moved.length === 0) {
      throw vscode.FileSystemError.FileNotFound(from);
    }
    const nameOf = ({ name }: SessionFileEntry): string => target.path + name.slice(source.path.length);
    if (!overwrite && target.files.listFiles().some(({ name }) => moved.some((each) => nameOf(each) === name))) {
      throw vscode.FileSystemError.FileExists(to);
    }
    for (const entry of moved) {
      await this.#done(to, async () => {
        const bytes = await source.files.getFileContent(entry.name);
        const isSameKind = extensionOf(entry.name) === extensionOf(nameOf(entry));
        const mimeType = isSameKind ? entry.mimeType : null;
        await target.files.putFileContent(nameOf(entry), { bytes, mimeType, summary: entry.summary === '' ? null : entry.summary });
        await source.files.deleteFile(entry.name);
      });
    }
  }

  async #at(uri: vscode.Uri): Promise<{ readonly chatId: string; readonly path: string; readonly files: SessionFileManager }> {
    const [, chatId = '', ...names] = uri.path.split('/');
    return this.#done(uri, async () => {
      const { files } = await this.#ports.chats.open(chatId);
      this.#listenTo(chatId, files);
      const path = names.join('/');
      return { chatId, path: path === '' ? '' : normalizePath(path), files };
    });
  }

  #listenTo(chatId: string, files: SessionFileManager): void {
    if (this.#times.has(chatId)) {
      return;
    }
    const times: ChatTimes = {
      opened: this.#ports.now(),
      changed: new Map(files.listFiles().map(({ name }) => [name, this.#ports.now()])),
    };
    this.#times.set(chatId, times);
    files.onChange({
      fileChanged: ({ name }) => {
        const before = times.changed.get(name);
        // VS Code recognizes a change by this time, so it must grow even within a millisecond.
        times.changed.set(name, Math.max(this.#ports.now(), (before ?? 0) + 1));
        this.#tell(chatId, name, before === undefined ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed);
      },
      fileDeleted: (name) => {
        times.changed.delete(name);
        this.#tell(chatId, name, vscode.FileChangeType.Deleted);
      },
    });
  }

  #tell(chatId: string, name: string, type: vscode.FileChangeType): void {
    this.#changed([{ uri: sessionFileUri(chatId, name), type }]);
  }

  /** Runs work. Logs a failure, and rejects with the error of VS Code that fits. */
  async #done<T>(uri: vscode.Uri, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      const error = toLoupeError(thrown);
      if (error.code === 'sessionFile.missing') {
        throw vscode.FileSystemError.FileNotFound(uri);
      }
      this.#ports.logError(error);
      throw error.kind === 'invalidInput' && error.code !== 'chat.gone'
        ? vscode.FileSystemError.NoPermissions(error.message)
        : vscode.FileSystemError.Unavailable(error.message);
    }
  }
}

const SCHEME = 'loupe-session';

/** Returns the files and folders directly in a folder. */
function childrenOf(folder: string, entries: readonly SessionFileEntry[]): Map<string, vscode.FileType> {
  const begin = folder === '' ? '' : `${folder}/`;
  const children = new Map<string, vscode.FileType>();
  for (const { name } of entries) {
    if (name.startsWith(begin)) {
      const [child = '', ...deeper] = name.slice(begin.length).split('/');
      children.set(child, deeper.length === 0 ? vscode.FileType.File : vscode.FileType.Directory);
    }
  }
  return children;
}

function extensionOf(name: string): string {
  return /\.[^./]*$/.exec(name)?.[0] ?? '';
}

function sessionFileUri(chatId: string, name: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${chatId}/${name}` });
}

/** Opens a session file in an editor. Rejects with `sessionFile.missing` if the chat has no such file. */
export async function openSessionFile({ id, files }: Pick<ChatSession, 'id' | 'files'>, name: string): Promise<void> {
  // Checks first, so that an error appears in the panel instead of an empty editor.
  if (!files.listFiles().some((entry) => entry.name === name)) {
    throw failure('sessionFile.missing', { path: JSON.stringify(name) });
  }
  await vscode.commands.executeCommand('vscode.open', sessionFileUri(id, name));
}
