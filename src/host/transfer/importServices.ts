import * as vscode from 'vscode';
import type { LoupeError } from '../../engine/errors.js';
import type { Chats } from '../chat/chats.js';
import type { Banners } from '../window/banners.js';
import { showCopyProgress } from '../window/copyProgress.js';
import { folderNames } from '../window/folders.js';
import { ImportedFiles, type ImportedFilesPorts } from './importedFiles.js';
import { type ImportedShow, OtherChats } from './otherChats.js';

/** The panels that show imported chats and report on imports. */
interface ImportPanels {
  /** The panel that the user used last. */
  readonly current: {
    readonly shown: ImportedShow & { readonly importFile: ImportedFilesPorts['show'] };
    reveal(): Promise<void>;
  };
  /** The panel in the side bar. */
  readonly view: { readonly banners: Banners };
}

interface ImportServicesPorts {
  readonly chats: Chats;
  readonly panels: () => ImportPanels;
  readonly root: string;
  readonly storages: () => Promise<readonly string[]>;
  readonly showLog: () => void;
  readonly logError: (error: LoupeError) => void;
}

/** Creates what imports exported chats and chats of other workspaces. */
export function importServices({ chats, panels, root, storages, showLog, logError }: ImportServicesPorts) {
  const shown = () => panels().current.shown;
  const otherChats = new OtherChats({
    ...{ chats, root, storages, logError },
    shown: {
      current: () => shown().current(),
      show: (chatId) => shown().show(chatId),
      import: (path, watch) => shown().import(path, watch),
    },
    banners: {
      show: (banner) => {
        panels().view.banners.show(banner);
      },
      hide: (id) => {
        panels().view.banners.hide(id);
      },
    },
    folders: folderNames,
    copying: showCopyProgress,
  });
  const files = new ImportedFiles({
    show: (path, watch) => shown().importFile(path, watch),
    copying: showCopyProgress,
    tell: tellImported,
  });
  return {
    otherChats,
    importChat: async (chat: unknown) => {
      const { importChat } = await import('./importChat.js');
      const chatId = await importChat({ others: otherChats, files, showLog }, chat);
      await panels().current.reveal();
      return chatId;
    },
  };
}

/** Shows the result of an import in a notification, without waiting until the user closes it. */
function tellImported(text: string, isWarning: boolean): void {
  void (isWarning ? vscode.window.showWarningMessage(text) : vscode.window.showInformationMessage(text));
}
