import { mkdirSync, watch, type FSWatcher } from 'node:fs';
import { isChatId } from '../../engine/chat/order/ids.js';
import { STORAGE_WORK } from '../../engine/failures/storage.js';
import { storageError, systemCode } from '../files/failure.js';
import { aliveWriter, chatFolder, chatsFolder, segmentWriter, tombstoneChat } from '../files/layout.js';

/** Delay in ms. One change causes several events: a reply writes every 250 ms, and some writes are reported twice. */
const DEBOUNCE_MS = 50;

/**
 * Maximum number of chat folders to watch, latest first. Older chats rarely change, and polling also finds changes.
 * Operating systems limit the watches of all programs of a user to some thousands.
 */
const MOST_WATCHED = 200;

/** Systems on which one watch covers a folder with all its subfolders. On Linux, Node uses a watch per file. */
const WATCHES_TREES: ReadonlySet<NodeJS.Platform> = new Set<NodeJS.Platform>(['darwin', 'win32']);

export interface ChatsWatchOptions {
  readonly root: string;
  /** The writer of this VS Code window, whose writes are ignored. */
  readonly writerId: string;
  /** Called with the ids of chats that may have changed files. */
  readonly changed: (chatIds: readonly string[]) => void;
  /** Called when a watch fails. After that, only polling finds changes. */
  readonly report: (error: Error) => void;
}

/**
 * Watches the folders of chats for files that other windows write, create or delete. A watch only shows which chats to
 * read again. It may miss changes, especially on network file systems.
 */
export class ChatsWatch {
  readonly #options: ChatsWatchOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #dirty = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(options: ChatsWatchOptions) {
    this.#options = options;
  }

  /** Watches the folder of all chats. Creates the folder if it is missing. Reports changes after this call. */
  start(): void {
    const folder = chatsFolder(this.#options.root);
    try {
      mkdirSync(folder, { recursive: true });
    } catch (thrown) {
      this.#options.report(storageError(STORAGE_WORK.watch, thrown));
      return;
    }
    this.#watch(folder, WATCHES_TREES.has(process.platform), this.#nameChanged.bind(this));
  }

  /** Watches the folders of these chats and no others. `chatIds` are sorted, latest first. */
  follow(chatIds: readonly string[]): void {
    if (this.#disposed || WATCHES_TREES.has(process.platform)) {
      return;
    }
    const { root } = this.#options;
    const wanted = new Map(chatIds.slice(0, MOST_WATCHED).map((id) => [chatFolder(root, id), id]));
    for (const [folder, watcher] of this.#watchers) {
      if (folder !== chatsFolder(root) && !wanted.has(folder)) {
        watcher.close();
        this.#watchers.delete(folder);
      }
    }
    for (const [folder, id] of wanted) {
      if (!this.#watchers.has(folder)) {
        this.#watch(folder, false, this.#fileChanged.bind(this, id));
        // The watch missed changes before its start, so the chat counts as changed.
        this.#mark(id);
      }
    }
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) {
      watcher.close();
    }
    this.#watchers.clear();
  }

  #watch(folder: string, recursive: boolean, heard: (name: string) => void): void {
    if (this.#disposed) {
      return;
    }
    try {
      const watcher = watch(folder, { recursive, persistent: false }, (_event, name) => {
        heard(name ?? '');
      });
      watcher.on('error', this.#broke.bind(this, folder, watcher));
      this.#watchers.set(folder, watcher);
    } catch (thrown) {
      // ENOENT: the chat has no folder before its first line. The watch on the parent folder reports the new folder.
      if (systemCode(thrown) !== 'ENOENT') {
        this.#options.report(storageError(STORAGE_WORK.watch, thrown));
      }
    }
  }

  #broke(folder: string, watcher: FSWatcher, error: Error): void {
    watcher.close();
    if (this.#watchers.get(folder) === watcher) {
      this.#watchers.delete(folder);
      this.#options.report(storageError(STORAGE_WORK.watch, error));
    }
  }

  /** Handles a changed path below the folder of all chats: a chat's folder, a file in such a folder, or a tombstone. */
  #nameChanged(name: string): void {
    const [first = '', file] = name.split(/[/\\]/, 2);
    const chatId = isChatId(first) ? first : tombstoneChat(first);
    if (chatId !== null && file === undefined) {
      this.#mark(chatId);
    } else if (chatId !== null && file !== undefined) {
      this.#fileChanged(chatId, file);
    }
  }

  #fileChanged(chatId: string, name: string): void {
    const writer = segmentWriter(name) ?? aliveWriter(name);
    if (writer !== null && writer !== this.#options.writerId) {
      this.#mark(chatId);
    }
  }

  #mark(chatId: string): void {
    this.#dirty.add(chatId);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const chatIds = [...this.#dirty];
      this.#dirty.clear();
      this.#options.changed(chatIds);
    }, DEBOUNCE_MS);
  }
}
