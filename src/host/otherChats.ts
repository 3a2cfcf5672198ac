import { readdir } from 'node:fs/promises';
import { DISMISS } from './view/banners.js';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { failure, toLoupeError, type LoupeError } from '../engine/errors.js';
import type { CopyWatch } from '../storage/copyChat.js';
import { whereThere } from '../storage/failure.js';
import { findChats, type FoundChat, type FoundChats } from '../storage/foundChats.js';
import type { App } from './app.js';
import type { ChatSession } from './chat/chatSession.js';
import { sharedStorage } from './storageRoot.js';

export interface OtherChatsPorts {
  readonly app: App;
  /** The storage folder of this workspace. */
  readonly root: string;
  /** The storage folders of all workspaces but this one. */
  storages(): Promise<readonly string[]>;
  /** URIs of this workspace's folders. */
  folders(): readonly string[];
  /** Does something that may take its time, and shows how far it is; the user may cancel it. */
  copying<T>(title: string, work: (watch: CopyWatch) => Promise<T>): Promise<T>;
  logError(error: LoupeError): void;
}

/** The copy of another workspace's chat that is here already. */
export interface EarlierImport {
  readonly chatId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether something was written to the original since. */
  readonly hasGrown: boolean;
}

/** A chat of another workspace; `matches` when that has a folder which this one has as well. */
export interface OtherChat extends FoundChat {
  readonly matches: boolean;
  /** The latest copy of it; null without one. */
  readonly imported: EarlierImport | null;
}

export interface OtherChatsFound extends FoundChats {
  readonly chats: readonly OtherChat[];
}

/** What became of the chats that were offered. */
interface Imported {
  readonly imported: ChatSession[];
  readonly failures: LoupeError[];
  /** Those that are not here yet, the latest first. */
  readonly left: OtherChat[];
}

const BANNER = 'other-chats';

/** The chats that other workspaces keep, among them this one's own from before VS Code gave it another id. */
export class OtherChats {
  readonly #ports: OtherChatsPorts;
  #offered: readonly OtherChat[] = [];
  /** How often was looked for what to offer. */
  #looks = 0;

  constructor(ports: OtherChatsPorts) {
    this.#ports = ports;
  }

  /** Those of this workspace's folders first, then the latest. */
  async find(): Promise<OtherChatsFound> {
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
   * Copies a chat into this workspace, also one that was imported before, and shows it. `chat` is the path of its
   * folder, or its id. Throws `cancelled`.
   */
  async import(chat: string): Promise<ChatSession> {
    const path = isAbsolute(chat) ? chat : (await this.find()).chats.find(({ chatId }) => chatId === chat)?.path;
    if (path === undefined) {
      throw failure('chat.notInOtherWorkspaces', { chat });
    }
    return this.#ports.copying('Importing the chat', (watch) => this.#ports.app.importChat(path, watch));
  }

  /** Shows the copy that is here already. */
  async show({ chatId }: EarlierImport): Promise<ChatSession> {
    return this.#ports.app.show(chatId);
  }

  /**
   * For when the chats have been read, or the folders have changed: where nothing was said yet, tells of the chats
   * that this workspace's folders have elsewhere. A history never vanishes silently. It is looked for when the first
   * chat is on show, which is what the user waits for.
   */
  async offer(): Promise<void> {
    const { app } = this.#ports;
    if (app.chats.list().some(({ messageCount }) => messageCount > 0)) {
      return;
    }
    await app.current();
    this.#looks += 1;
    const look = this.#looks;
    const { chats } = await this.find();
    if (look !== this.#looks) {
      // The folders have changed since, and were looked for anew.
      return;
    }
    this.#offer(chats.filter(({ matches, imported }) => matches && imported === null));
  }

  /**
   * Imports what was offered, the latest last, which is then on show. What could not be imported stays offered.
   * Throws the first failure when all were tried; a cancelled import is none.
   */
  async importOffered(): Promise<void> {
    const offered = this.#offered;
    this.#offer([]);
    const title = offered.length === 1 ? 'Importing 1 chat' : `Importing ${String(offered.length)} chats`;
    const { imported, failures, left } = await this.#ports.copying(title, (watch) => this.#importAll(offered.toReversed(), watch));
    this.#offer(left);
    const latest = imported.at(-1);
    if (latest !== undefined) {
      await this.#ports.app.show(latest.id);
    }
    const [first] = failures;
    if (first !== undefined) {
      throw first;
    }
  }

  async #importAll(offered: readonly OtherChat[], watch: CopyWatch): Promise<Imported> {
    const done: Imported = { imported: [], failures: [], left: [] };
    for (const [index, chat] of offered.entries()) {
      const progress: CopyWatch['progress'] = (copied, total) => {
        watch.progress(index + copied / Math.max(1, total), offered.length);
      };
      try {
        done.imported.push(await this.#ports.app.chats.importChat(chat.path, { signal: watch.signal, progress }));
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
    const { panel } = this.#ports.app;
    this.#offered = chats;
    if (chats.length === 0) {
      panel.banners.hide(BANNER);
    } else {
      const count = chats.length === 1 ? '1 chat of this folder was' : `${String(chats.length)} chats of this folder were`;
      panel.banners.show({
        id: BANNER,
        severity: 'info',
        text: `${count} found in another workspace's storage.`,
        actions: [{ label: 'Import', action: 'importChats', argument: '' }, DISMISS],
      });
    }
    panel.changed();
  }
}

function earlierImport(chat: FoundChat, copies: readonly FoundChat[]): EarlierImport | null {
  const own = copies.filter(({ ancestors }) => ancestors.includes(chat.chatId));
  const [latest] = own.toSorted((a, b) => (b.importedAt ?? 0) - (a.importedAt ?? 0));
  return latest === undefined ? null : { chatId: latest.chatId, at: latest.importedAt ?? 0, hasGrown: hasGrown(chat, latest) };
}

/**
 * A copy has the segments of its original as they were, and is continued in others. A line that was torn off at the
 * end of one, and was left behind, is no news.
 */
function hasGrown(original: FoundChat, copy: FoundChat): boolean {
  return [...original.segments].some(([name, { wholeLines, size }]) => {
    const copied = copy.segments.get(name);
    return (wholeLines ?? size) > (copied?.wholeLines ?? copied?.size ?? 0);
  });
}

/**
 * The storage folders of the workspaces beside the one whose chats are in `root`, and the one for windows without a
 * folder, which is `global`. `workspaceStorage` holds a folder for each workspace, and in it one for each extension.
 * What VS Code made for the second window of a workspace is no other workspace.
 */
export async function otherStorages(root: string, global: string, workspaceStorage: string): Promise<readonly string[]> {
  const names: readonly string[] = await whereThere(readdir(workspaceStorage), []);
  const storages = [...names.map((name) => sharedStorage(join(workspaceStorage, name, basename(global)))), global];
  return [...new Set(storages)].filter((storage) => storage !== root);
}

/** Where VS Code keeps the storages of workspaces: above that of this one, or else beside the global one. */
export function workspaceStorageFolder(storage: string | undefined, global: string): string {
  return storage === undefined ? join(dirname(dirname(global)), 'workspaceStorage') : dirname(dirname(storage));
}
