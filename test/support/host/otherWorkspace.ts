import { join } from 'node:path';
import { OtherChats } from '../../../src/host/transfer/otherChats.js';
import type { CopyWatch } from '../../../src/storage/files/copyWatch.js';
import { openPanel, type TestPanel } from './panel.js';
import { useWindows, type Window, type Windows } from './window.js';

/** The folder of this workspace, and of the other one. */
export const HERE = 'file:///workspace';

/** This workspace, and another one on the same machine. */
export class TwoWorkspaces {
  readonly windows: Windows;
  /** The storage of the other workspace. */
  elsewhere = '';
  /** What a progress display was asked for. */
  copyings: string[] = [];
  /** Who waits for the copies. */
  watch: () => CopyWatch = patient;
  /** The folders that new chats of this workspace are for. */
  chatFolders: () => readonly string[] = () => [HERE];

  constructor(windows: Windows) {
    this.windows = windows;
  }

  begin(): void {
    this.elsewhere = this.windows.folder;
    this.copyings = [];
    this.watch = patient;
    this.chatFolders = () => [HERE];
  }

  /** A window of the other workspace, with a chat. */
  async chatElsewhere(text: string): Promise<{ readonly window: Window; readonly chatId: string; readonly path: string }> {
    const window = this.windows.open({ writerId: 'before' });
    const session = await window.chats.create();
    await session.conversation.send(text);
    return { window, chatId: session.id, path: join(this.elsewhere, 'chats', session.id) };
  }

  /** This workspace, with a storage of its own. */
  async here(folders: readonly string[]): Promise<TestPanel & { readonly window: Window; readonly others: OtherChats }> {
    const { elsewhere } = this;
    await this.windows.newFolder();
    const window = this.windows.open({ writerId: 'now', folders: () => this.chatFolders() });
    const opened = openPanel(window, { currentChat: undefined });
    const others = new OtherChats({
      chats: opened.chats,
      shown: opened.shown,
      banners: opened.banners,
      root: window.folder,
      copying: (title, work) => {
        this.copyings.push(title);
        return work(this.watch());
      },
      storages: () => Promise.resolve([elsewhere, join(elsewhere, 'gone')]),
      folders: () => folders,
      logError: (error) => window.errors.push(error),
    });
    return { ...opened, window, others };
  }
}

/** Waits for a copy as long as it takes. */
export function patient(): CopyWatch {
  return { signal: new AbortController().signal, progress: () => undefined };
}

/** Registers the hooks that give each test two workspaces. */
export function useTwoWorkspaces(): TwoWorkspaces {
  const workspaces = new TwoWorkspaces(useWindows());
  beforeEach(() => {
    workspaces.begin();
  });
  return workspaces;
}
