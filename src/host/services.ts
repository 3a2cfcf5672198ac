import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import * as vscode from 'vscode';
import { toLoupeError, type LoupeError } from '../engine/errors.js';
import type { LoupeApi } from '../protocol/api.js';
import type { ToWebview } from '../protocol/toWebview.js';
import { PRACTICE_STANDARD } from '../providers/practice/models.js';
import { ChatStore } from '../storage/chatStore.js';
import { CurrentChatFile } from '../storage/currentChat.js';
import { DraftFiles } from '../storage/drafts.js';
import { nodeFiles } from '../storage/files.js';
import { nodeTicker } from '../storage/liveness.js';
import { RESTORE_STEP } from '../storage/restorePoint.js';
import { createApi } from './api.js';
import { App } from './app.js';
import { Chats } from './chat/chats.js';
import type { CommandId } from './commandIds.js';
import { runCommand, type CommandPorts } from './commands.js';
import { loadConverter } from './converters.js';
import { editorFiles } from './editorFiles.js';
import { WorkspaceFiles } from './files/workspaceFiles.js';
import { Log } from './log.js';
import type { ModelRegistry } from './models.js';
import { NO_TOOLS } from './noTools.js';
import { OtherChats, otherStorages, workspaceStorageFolder } from './otherChats.js';
import { panelActions } from './panelActions.js';
import { panelHandlers } from './panelHandlers.js';
import { createProviders } from './providers/createProviders.js';
import { RequestDocuments } from './requestDocuments.js';
import { ResultDocuments } from './resultDocuments.js';
import { SettingsReader } from './settingsReader.js';
import { showCopying } from './showCopying.js';
import { sharedStorage } from './storageRoot.js';
import { sha256, systemClock, systemRandom } from './systemPorts.js';
import { Drafts } from './view/drafts.js';
import { Panel } from './view/panel.js';
import { watchChats } from './watchChats.js';
import { watchContextFiles } from './watchFiles.js';

/** Everything behind the view, the commands and the API: one object graph for each window. */
export interface Services {
  readonly panel: Panel;
  readonly api: Omit<LoupeApi, 'version'>;
  runCommand(id: CommandId, args: readonly unknown[]): Promise<unknown>;
  /** Ends runs as interrupted and brings everything to the disk, before the window closes. */
  close(): Promise<void>;
}

export interface ServicePorts {
  readonly channel: vscode.LogOutputChannel;
  /** Posts to the panel's webview, if there is one. */
  readonly post: (message: ToWebview) => void;
}

/** Builds the services. What has to end with the window is put into `context.subscriptions`. */
export function createServices(context: vscode.ExtensionContext, { channel, post }: ServicePorts): Services {
  const log = new Log(channel);
  const settings = new SettingsReader(PRACTICE_STANDARD.ref);
  const files = (): WorkspaceFiles => new WorkspaceFiles(folderUris().map((uri) => uri.fsPath));
  const { models, configured, providerPorts } = createProviders(context, settings, log);
  const writerId = randomUUID();
  const chats = createChats(context, { log, models, settings, files, writerId });
  const logError = log.error.bind(log);
  const chatsWatch = watchChats(chats, { root: storageRoot(context), writerId, ticker: nodeTicker, logError });
  const drafts = new Drafts(new DraftFiles(storageRoot(context)), {
    logError,
    changed: () => {
      panel.changed();
    },
  });
  const currentChat = new CurrentChatFile(storageRoot(context));
  const panel: Panel = new Panel({
    chats,
    models,
    drafts,
    post,
    logError,
    handle: (message) => handle(message),
    remember: (chatId) => {
      currentChat.write(chatId).catch((thrown: unknown) => {
        logError(toLoupeError(thrown));
      });
    },
  });
  const app = new App({ chats, drafts, panel, storage: currentChat });
  const documents = new RequestDocuments(chats, drafts);
  const results = new ResultDocuments(chats);
  const otherChats = createOtherChats(context, app, logError);
  const commandPorts: CommandPorts = { panel, otherChats, sha256, files, app, models, documents, log, providers: providerPorts(app) };
  const handle = panelHandlers(app, panelActions({ ...commandPorts, results }));
  const endOfModelChanges = models.onChange(() => {
    // Another window of the model is another next request.
    panel.draftChanged();
  });
  const settingsWatch = settings.watch(log, () => {
    configured.update();
  });
  context.subscriptions.push(watchFolders(app), chatsWatch, documents, results, panel, watchContextFiles(panel, files), settingsWatch, {
    dispose: endOfModelChanges,
  });
  app.onFolders(() => otherChats.offer());
  return {
    panel,
    api: createApi(app),
    runCommand: (id, args) => runCommand(id, args, commandPorts),
    close: async () => {
      await drafts.flush();
      await chats.close();
    },
  };
}

function watchFolders(app: App): vscode.Disposable {
  return vscode.workspace.onDidChangeWorkspaceFolders(() => {
    app.foldersChanged().catch((thrown: unknown) => {
      app.panel.fail(toLoupeError(thrown));
    });
  });
}

interface ChatParts {
  readonly log: Log;
  readonly models: ModelRegistry;
  readonly settings: SettingsReader;
  readonly files: () => WorkspaceFiles;
  readonly writerId: string;
}

function createChats(context: vscode.ExtensionContext, { log, models, settings, files, writerId }: ChatParts): Chats {
  const system = { clock: systemClock, random: systemRandom };
  const store = new ChatStore({
    ...system,
    root: storageRoot(context),
    self: { writerId, pid: process.pid, host: hostname() },
    files: nodeFiles,
    ticker: nodeTicker,
    restoreStep: RESTORE_STEP,
    report: (error) => {
      log.error(toLoupeError(error));
    },
  });
  return new Chats(store, {
    ...system,
    writerId,
    models,
    sha256,
    loadConverter,
    files: editorFiles(files),
    tools: NO_TOOLS,
    logError: log.error.bind(log),
    defaults: () => settings.current(),
    folders: folderNames,
  });
}

/** Without an open folder chats live in the global storage. */
function storageRoot(context: vscode.ExtensionContext): string {
  return sharedStorage((context.storageUri ?? context.globalStorageUri).fsPath);
}

/** Those of other workspaces: a workspace has another one as soon as it has a second folder. */
function storagesOfOthers(context: vscode.ExtensionContext): Promise<readonly string[]> {
  const global = context.globalStorageUri.fsPath;
  return otherStorages(storageRoot(context), global, workspaceStorageFolder(context.storageUri?.fsPath, global));
}

function folderNames(): readonly string[] {
  return folderUris().map((uri) => uri.toString());
}

function folderUris(): readonly vscode.Uri[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
}

function createOtherChats(context: vscode.ExtensionContext, app: App, logError: (error: LoupeError) => void): OtherChats {
  return new OtherChats({
    app,
    logError,
    root: storageRoot(context),
    folders: folderNames,
    storages: () => storagesOfOthers(context),
    copying: showCopying,
  });
}
