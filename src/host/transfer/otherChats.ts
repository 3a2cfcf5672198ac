import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import { counted } from '../../protocol/numbers.js';
import type { CopyWatch } from '../../storage/files/copyWatch.js';
import { orIfMissing } from '../../storage/files/failure.js';
import { findChats, type FoundChat, type FoundChats } from '../../storage/transfer/foundChats.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Chats } from '../chat/chats.js';
import { type Banners, DISMISS } from '../window/banners.js';
import { sharedStorage } from '../window/storageRoot.js';

export interface ImportedShow {
  current(): Promise<ChatSession>;
  show(chatId: string): Promise<ChatSession>;
  /** Copies a chat of another workspace and opens the copy. `path`: folder of the chat. Throws `cancelled`. */
  import(path: string, watch: CopyWatch): Promise<ChatSession>;
}

export interface OtherChatsPorts {
  readonly chats: Pick<Chats, 'list' | 'importChat'>;
  readonly shown: ImportedShow;
  readonly banners: Pick<Banners, 'show' | 'hide'>;
  readonly root: string;
  storages(): Promise<readonly string[]>;
  /** Returns the URIs of this workspace's folders. */
  folders(): readonly string[];
  /** Runs `work` with a progress notification that the user can cancel. */
  copying<T>(title: string, work: (watch: CopyWatch) => Promise<T>): Promise<T>;
  logError(error: LoupeError): void;
}

/** An earlier copy of a chat from another workspace. */
export interface EarlierImport {
  readonly chatId: string;
  /** When Loupe made the copy, in epoch milliseconds. */
  readonly at: number;
  /** Whether the original chat has events that are newer than the copy. */
  readonly hasGrown: boolean;
}

/** A chat of another workspace. `matches`: whether that workspace shares a folder with this workspace. */
export interface OtherChat extends FoundChat {
  readonly matches: boolean;
  /** The latest copy of the chat in this workspace. Null without a copy. */
  readonly imported: EarlierImport | null;
}

export interface FoundOtherChats extends FoundChats {
  readonly chats: readonly OtherChat[];
}

interface ImportResult {
  readonly imported: ChatSession[];
  readonly failures: LoupeError[];
  readonly left: OtherChat[];
}

const BANNER = 'other-chats';

/** Finds and imports chats of other workspaces, and this workspace's chats from before VS Code changed its id. */
export class OtherChats {
  readonly #ports: OtherChatsPorts;
  #offered: readonly OtherChat[] = [];
  #searches = 0;

  constructor(ports: OtherChatsPorts) {
    this.#ports = ports;
  }

  /** Returns the chats of other workspaces, latest first. Chats that share a folder with this workspace come first. */
  async find(): Promise<FoundOtherChats> {
    const here = new Set(this.#ports.folders());
    const found = await this.#find(await this.#ports.storages());
    const copies = (await this.#find([this.#ports.root])).chats.filter(({ ancestors }) => ancestors.length > 0);
    const chats = found.chats.map((chat) => {
      const matches = chat.folders.some((folder) => here.has(folder));
      return { ...chat, matches, imported: earlierImport(chat, copies) };
    });
    return { ...found, chats: chats.toSorted((a, b) => (a.matches === b.matches ? b.updatedAt - a.updatedAt : a.matches ? -1 : 1)) };
  }

  /**
   * Copies a chat into this workspace and opens the copy, even after an earlier import. `chat`: the id of the chat or
   * the path of its folder. Throws `cancelled`.
   */
  async import(chat: string): Promise<ChatSession> {
    const path = isAbsolute(chat) ? chat : (await this.find()).chats.find(({ chatId }) => chatId === chat)?.path;
    if (path === undefined) {
      throw failure('chat.notInOtherWorkspaces', { chat });
    }
    return this.#ports.copying('Importing the chat', (watch) => this.#ports.shown.import(path, watch));
  }

  async show({ chatId }: EarlierImport): Promise<ChatSession> {
    return this.#ports.shown.show(chatId);
  }

  /**
   * Offers to import chats of these folders from other storages, because they would seem lost. Does nothing if this
   * workspace already has messages. Call this after reading the list of chats, and after a change of the folders. Waits
   * until the first chat is visible, then searches.
   */
  async offer(): Promise<void> {
    const { chats: here, shown } = this.#ports;
    if (here.list().some(({ messageCount }) => messageCount > 0)) {
      return;
    }
    await shown.current();
    this.#searches += 1;
    const search = this.#searches;
    const { chats } = await this.find();
    if (search !== this.#searches) {
      // Another change of the folders has started another search.
      return;
    }
    this.#offer(chats.filter(({ matches, imported }) => matches && imported === null));
  }

  /**
   * Imports all offered chats, and opens the latest chat. Offers failed chats again. At the end, throws the first
   * failure. A cancelled import is not a failure.
   */
  async importOffered(): Promise<void> {
    const offered = this.#offered;
    this.#offer([]);
    const title = `Importing ${counted(offered.length, 'chat')}`;
    const { imported, failures, left } = await this.#ports.copying(title, (watch) => this.#importAll(offered.toReversed(), watch));
    this.#offer(left);
    const latest = imported.at(-1);
    if (latest !== undefined) {
      await this.#ports.shown.show(latest.id);
    }
    const [first] = failures;
    if (first !== undefined) {
      throw first;
    }
  }

  async #importAll(offered: readonly OtherChat[], watch: CopyWatch): Promise<ImportResult> {
    const done: ImportResult = { imported: [], failures: [], left: [] };
    for (const [index, chat] of offered.entries()) {
      const progress: CopyWatch['progress'] = (copied, total) => {
        watch.progress(index + copied / Math.max(1, total), offered.length);
      };
      try {
        done.imported.push(await this.#ports.chats.importChat(chat.path, { signal: watch.signal, progress }));
      } catch (thrown) {
        const error = toLoupeError(thrown);
        done.left.unshift(chat);
        done.failures.push(...(error.kind === 'cancelled' ? [] : [error]));
      }
    }
    return done;
  }

  #find(storages: readonly string[]): Promise<FoundChats> {
    return findChats(storages, (error) => {
      this.#ports.logError(toLoupeError(error));
    });
  }

  #offer(chats: readonly OtherChat[]): void {
    const { banners } = this.#ports;
    this.#offered = chats;
    if (chats.length === 0) {
      banners.hide(BANNER);
    } else {
      const found = counted(chats.length, 'chat');
      banners.show({
        id: BANNER,
        severity: 'info',
        text: `Loupe found ${found} of this folder in another workspace.`,
        actions: [{ label: 'Import', action: 'importChats', argument: '' }, DISMISS],
      });
    }
  }
}

function earlierImport(chat: FoundChat, copies: readonly FoundChat[]): EarlierImport | null {
  const own = copies.filter(({ ancestors }) => ancestors.includes(chat.chatId));
  const [latest] = own.toSorted((a, b) => (b.importedAt ?? 0) - (a.importedAt ?? 0));
  return latest === undefined ? null : { chatId: latest.chatId, at: latest.importedAt ?? 0, hasGrown: hasGrown(chat, latest) };
}

/**
 * Whether the original has new events. A copy keeps the segments of the original unchanged, and writes new segments.
 * Ignores an incomplete last line, which is never copied.
 */
function hasGrown(original: FoundChat, copy: FoundChat): boolean {
  return [...original.segments].some(([name, { completeLines: wholeLines, size }]) => {
    const copied = copy.segments.get(name);
    return (wholeLines ?? size) > (copied?.completeLines ?? copied?.size ?? 0);
  });
}

/**
 * Returns the storage folders of all other workspaces, and `global`, the storage of windows without a folder.
 * `workspaceStorage` has a folder for each workspace, with a folder for each extension. The storages of all windows
 * of a workspace count as one storage.
 */
export async function otherStorages(root: string, global: string, workspaceStorage: string): Promise<readonly string[]> {
  const names: readonly string[] = await orIfMissing(readdir(workspaceStorage), []);
  const storages = [...names.map((name) => sharedStorage(join(workspaceStorage, name, basename(global)))), global];
  return [...new Set(storages)].filter((storage) => storage !== root);
}

/** Returns the folder with the storages of all workspaces. A window without a folder has only the `global` storage. */
export function workspaceStorageFolder(storage: string | undefined, global: string): string {
  return storage === undefined ? join(dirname(dirname(global)), 'workspaceStorage') : dirname(dirname(storage));
}
