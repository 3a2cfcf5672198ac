import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { toLoupeError, LoupeError } from '../engine/errors.js';
import { systemCode } from '../storage/failure.js';
import { findChats, type FoundChat } from '../storage/foundChats.js';
import type { App } from './app.js';
import type { ChatSession } from './chat/chatSession.js';

export interface OtherChatsPorts {
  readonly app: App;
  /** The storage folders of all workspaces but this one. */
  storages(): Promise<readonly string[]>;
  /** URIs of this workspace's folders. */
  folders(): readonly string[];
  logError(error: LoupeError): void;
}

/** A chat of another workspace; `matches` when that has a folder which this one has as well. */
export interface OtherChat extends FoundChat {
  readonly matches: boolean;
}

const BANNER = 'other-chats';

/** The chats that other workspaces keep, among them this one's own from before VS Code gave it another id. */
export class OtherChats {
  readonly #ports: OtherChatsPorts;
  #offered: readonly OtherChat[] = [];

  constructor(ports: OtherChatsPorts) {
    this.#ports = ports;
  }

  /** Those of this workspace's folders first, then the latest. */
  async find(): Promise<readonly OtherChat[]> {
    const here = new Set(this.#ports.folders());
    const found = await findChats(await this.#ports.storages(), (error) => {
      this.#ports.logError(toLoupeError(error));
    });
    const chats = found.map((chat) => ({ ...chat, matches: chat.folders.some((folder) => here.has(folder)) }));
    return chats.toSorted((a, b) => (a.matches === b.matches ? b.updatedAt - a.updatedAt : a.matches ? -1 : 1));
  }

  /** Copies a chat into this workspace and shows it. `chat` is the path of its folder, or its id. */
  async import(chat: string): Promise<ChatSession> {
    const path = isAbsolute(chat) ? chat : (await this.find()).find(({ chatId }) => chatId === chat)?.path;
    if (path === undefined) {
      throw new LoupeError('invalidInput', `No other workspace has the chat ${chat}.`);
    }
    return this.#ports.app.importChat(path);
  }

  /**
   * For when the chats have been read: where nothing was said yet, tells of the chats that this workspace's folders have elsewhere. A
   * history never vanishes silently.
   */
  async offer(): Promise<void> {
    const { chats, panel } = this.#ports.app;
    if (chats.list().some(({ messageCount }) => messageCount > 0)) {
      return;
    }
    this.#offered = (await this.find()).filter(({ matches }) => matches);
    if (this.#offered.length === 0) {
      return;
    }
    const count = this.#offered.length === 1 ? '1 chat of this folder was' : `${String(this.#offered.length)} chats of this folder were`;
    panel.banners.show({
      id: BANNER,
      severity: 'info',
      text: `${count} found in another workspace's storage.`,
      actions: [
        { label: 'Import', action: 'importChats', argument: '' },
        { label: 'Dismiss', action: 'dismiss', argument: '' },
      ],
    });
    panel.changed();
  }

  /** Imports what was offered, the latest last, which is then on show. */
  async importOffered(): Promise<void> {
    const offered = this.#offered;
    this.#offered = [];
    this.#ports.app.panel.banners.hide(BANNER);
    for (const { path } of offered.toReversed()) {
      await this.#ports.app.importChat(path);
    }
  }
}

/**
 * The storage folders of the workspaces beside the one whose chats are in `root`, and the one for windows without a
 * folder, which is `global`. `workspaceStorage` holds a folder for each workspace, and in it one for each extension.
 */
export async function otherStorages(root: string, global: string, workspaceStorage: string): Promise<readonly string[]> {
  const names = await workspaceNames(workspaceStorage);
  const storages = [...names.map((name) => join(workspaceStorage, name, basename(global))), global];
  return storages.filter((storage) => storage !== root);
}

async function workspaceNames(workspaceStorage: string): Promise<readonly string[]> {
  try {
    return await readdir(workspaceStorage);
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') {
      return [];
    }
    throw thrown;
  }
}

/** Where VS Code keeps the storages of workspaces: above that of this one, or else beside the global one. */
export function workspaceStorageFolder(storage: string | undefined, global: string): string {
  return storage === undefined ? join(dirname(dirname(global)), 'workspaceStorage') : dirname(dirname(storage));
}
