import { join } from 'node:path';
import { OtherChats } from '../../../src/host/transfer/otherChats.js';
import type { CopyWatch } from '../../../src/storage/files/copyWatch.js';
import { openPanel, type TestPanel } from './panel.js';
import { useWindows, type Window, type Windows } from './window.js';

export const HERE = 'file:///workspace';

export class TwoWorkspaces {
  readonly windows: Windows;
  elsewhere = '';
  copyings: string[] = [];
  watch: () => CopyWatch = patient;
  /** The folders for new chats of this workspace. */
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

  async chatElsewhere(text: string): Promise<{ readonly window: Window; readonly chatId: string; readonly path: string }> {
    const window = this.windows.open({ writerId: 'before' });
    const session = await window.chats.create();
    await session.conversation.send(text);
    return { window, chatId: session.id, path: join(this.elsewhere, 'chats', session.id) };
  }

  /** Opens a window of this workspace with its own storage. */
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

export function patient(): CopyWatch {
  return { signal: new AbortController().signal, progress: () => undefined };
}

export function useTwoWorkspaces(): TwoWorkspaces {
  const workspaces = new TwoWorkspaces(useWindows());
  beforeEach(() => {
    workspaces.begin();
  });
  return workspaces;
}
