import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import * as vscode from 'vscode';
import { toLoupeError } from '../engine/errors.js';
import type { JsonObject } from '../engine/json.js';
import { PRACTICE_STANDARD } from '../providers/practice/models.js';
import { ChatStore } from '../storage/chatStore.js';
import { nodeFiles } from '../storage/files/files.js';
import { nodeTicker } from '../storage/windows/liveness.js';
import { RESTORE_STEP } from '../storage/reading/restorePoint.js';
import { Chats, type ChatsPorts } from './chat/chats.js';
import { SettingsReader } from './chat/settingsReader.js';
import { learnFromLatest } from './chat/learnFromLatest.js';
import { watchChats } from './chat/windows/watchChats.js';
import { editedFiles } from './context/editedFiles.js';
import { WorkspaceCatalog } from './context/catalog/workspaceCatalog.js';
import { NESTED_FILES } from './context/files/catalogPlaces.js';
import { WorkspaceFiles } from './context/files/workspaceFiles.js';
import { MOST_CATALOG_FILES } from './context/files/catalogListing.js';
import { loadConverter } from './models/converters.js';
import { Introduction } from './panel/shell/introduction.js';
import { folderNames, folderPaths } from './window/folders.js';
import { ChangedFiles } from './tools/changedFiles.js';
import { EditDocuments } from './tools/editDocuments.js';
import { WindowToolbox } from './tools/windowToolbox.js';
import { openPlaces, watchWorkspace } from './tools/windowWatch.js';
import { editorWriter } from './tools/workspace/editorWriter.js';
import { previewEdit } from './tools/workspace/previewEdit.js';
import { Log } from './window/log.js';
import { sharedStorage } from './window/storageRoot.js';
import { localTime, sha256, systemClock } from './window/systemPorts.js';
import { systemRandom } from './window/systemRandom.js';

export type WindowServices = ReturnType<typeof windowServices>;

export function windowServices(context: vscode.ExtensionContext, channel: vscode.LogOutputChannel) {
  const log = new Log(channel);
  const writerId = randomUUID();
  const logError = log.error.bind(log);
  const settings = new SettingsReader(PRACTICE_STANDARD.ref);
  const files = (): WorkspaceFiles => new WorkspaceFiles(folderPaths());
  const writer = editorWriter(files);
  const toolbox = new WindowToolbox({ context, files, writer, sha256, logError });
  const editDocuments = new EditDocuments();
  context.subscriptions.push(editDocuments);
  return {
    log,
    logError,
    showLog: log.show.bind(log),
    logInfo: log.info.bind(log),
    notify: (text: string): void => {
      // Do not wait until the user closes the notification.
      void vscode.window.showInformationMessage(text);
    },
    settings,
    introduction: new Introduction({ memory: context.globalState, isWanted: () => settings.introduction(), logError }),
    files,
    catalog: new WorkspaceCatalog({
      files,
      findNested: findNestedRules,
      servers: () => toolbox.servers(),
      isTrusted: () => vscode.workspace.isTrusted,
      includes: () => settings.includes(),
      logInfo: log.info.bind(log),
      logError,
    }),
    toolbox,
    watchFiles: () => new ChangedFiles({ files, open: openPlaces, watch: watchWorkspace, sha256, logInfo: log.info.bind(log), logError }),
    writer,
    /** Shows what an edit would change, or what it has changed. */
    edits: {
      preview: (args: JsonObject) => previewEdit(args, editedFiles(files)),
      show: editDocuments.show.bind(editDocuments),
    },
    // Without an open folder, VS Code has no storage for the workspace. Chats are then in the global storage.
    root: sharedStorage((context.storageUri ?? context.globalStorageUri).fsPath),
    writerId,
    storeAt: (root: string) =>
      new ChatStore({
        root,
        clock: systemClock,
        random: systemRandom,
        self: { writerId, pid: process.pid, host: hostname() },
        files: nodeFiles,
        ticker: nodeTicker,
        restoreStep: RESTORE_STEP,
        report: (error) => {
          logError(toLoupeError(error));
        },
      }),
  };
}

type ChatServicesPorts = Pick<WindowServices, 'root' | 'storeAt' | 'logError' | 'files'> &
  Pick<ChatsPorts, 'writerId' | 'catalog' | 'toolbox' | 'watchFiles' | 'models' | 'meaning'> & {
    readonly settings: Pick<SettingsReader, 'current' | 'spendLimits'>;
  };

/** Creates the list of chats and updates it with changes by other VS Code windows. */
export function chatServices(
  context: Pick<vscode.ExtensionContext, 'subscriptions'>,
  { root, writerId, storeAt, logError, settings, files, catalog, toolbox, watchFiles, models, meaning }: ChatServicesPorts,
): Chats {
  const store = storeAt(root);
  const chats = new Chats(store, {
    clock: systemClock,
    random: systemRandom,
    writerId,
    models,
    sha256,
    loadConverter,
    files: editedFiles(files),
    catalog,
    meaning,
    toolbox,
    watchFiles,
    logError,
    defaults: () => settings.current(),
    spendLimits: () => settings.spendLimits(),
    localTime,
    folders: folderNames,
  });
  const learning = chats.onChange({
    changed: () => {
      if (chats.isListed) {
        learning();
        void learnFromLatest({ chats, store, logError });
      }
    },
  });
  context.subscriptions.push(watchChats(chats, { root, writerId, ticker: nodeTicker, logError }));
  return chats;
}

/** Finds rule files in subfolders. Skips `node_modules`, because the rules of a package apply only to that package. */
async function findNestedRules(): Promise<readonly string[]> {
  const found = await vscode.workspace.findFiles(`*/**/{${NESTED_FILES.join(',')}}`, '**/node_modules/**', MOST_CATALOG_FILES);
  return found.map(({ fsPath }) => fsPath);
}
