import { mkdirSync, watch, type FSWatcher } from 'node:fs';
import { isChatId } from '../engine/chat/ids.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { storageError, systemCode } from './failure.js';
import { aliveWriter, chatFolder, chatsFolder, segmentWriter, tombstoneChat } from './layout.js';

/** Of a burst of changes only the first few bring news: a reply writes every 250 ms, a file system tells each twice. */
const DEBOUNCE_MS = 50;

/**
 * Folders watched one by one, of those that changed last: older chats are seldom continued, and the slow look finds
 * them too. Systems allow some thousands of watches to all programs of a user together.
 */
const MOST_WATCHED = 200;

/** Systems where one watch covers a whole tree at no cost. Node imitates that on Linux with a watch for each file. */
const WATCHES_TREES: ReadonlySet<NodeJS.Platform> = new Set<NodeJS.Platform>(['darwin', 'win32']);

export interface ChatsWatchOptions {
  /** The storage folder of the workspace. */
  readonly root: string;
  /** This window's own writer: what it writes is no news. */
  readonly writerId: string;
  /** Takes the ids of chats whose files may have changed. */
  readonly changed: (chatIds: readonly string[]) => void;
  /** A watch that could not be set or broke: from then on only looking helps. */
  readonly report: (error: Error) => void;
}

/**
 * Watches the folders of chats for what other windows write, make and delete. It only says where to look, and may
 * miss things: file systems do, above all those of networks.
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

  /** Watches the folder of all chats; without one it is made. When this returns nothing is missed any more. */
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

  /** Watches the folders of these chats, latest first, and no others. */
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
        // What was written before the watch was set told nothing.
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
      // A chat's folder comes with its first line, which the folder above tells of.
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

  /** A name below the folder of all chats: a chat's folder, a file in one, or a mark of deletion. */
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
