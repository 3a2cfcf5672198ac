import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import * as vscode from 'vscode';
import { toLoupeError } from '../engine/errors.js';
import type { LoupeApi } from '../protocol/api.js';
import { parseToHost } from '../protocol/toHost.js';
import { ECHO_TOOL } from '../providers/practice/echoTool.js';
import { PRACTICE_STANDARD } from '../providers/practice/models.js';
import { ChatStore } from '../storage/chatStore.js';
import { CurrentChatFile } from '../storage/currentChat.js';
import { DraftFiles } from '../storage/drafts.js';
import { nodeFiles } from '../storage/files.js';
import { nodeTicker } from '../storage/liveness.js';
import { RESTORE_STEP } from '../storage/restorePoint.js';
import { createApi } from './api/api.js';
import { Chats, type ChatsPorts } from './chat/chats.js';
import type { ChatSession } from './chat/chatSession.js';
import { Drafts } from './chat/drafts.js';
import { Proofs } from './chat/proofs.js';
import { SettingsReader } from './chat/settingsReader.js';
import { watchChats } from './chat/watchChats.js';
import type { CommandId } from './commands/commandIds.js';
import { runCommand } from './commands/commands.js';
import { revealPanel } from './commands/revealPanel.js';
import { editedFiles } from './context/editedFiles.js';
import { watchCatalog } from './context/catalog/watchCatalog.js';
import { contextActions } from './context/contextActions.js';
import { findNestedRules } from './context/catalog/findNestedRules.js';
import { MeaningRanker } from './context/catalog/meaningRanker.js';
import { WorkspaceCatalog } from './context/catalog/workspaceCatalog.js';
import { WorkspaceFiles } from './context/files/workspaceFiles.js';
import { watchContextFiles } from './context/watchFiles.js';
import { RequestDocuments } from './documents/requestDocuments.js';
import { RuleLens } from './documents/ruleLens.js';
import { requestOutline } from './documents/requestOutline.js';
import { ResultDocuments } from './documents/resultDocuments.js';
import { loadConverter } from './models/converters.js';
import { createProviders } from './models/providers/createProviders.js';
import { setApiKey } from './models/providers/providerCommands.js';
import { panelActions } from './panel/actions.js';
import { Attention } from './panel/attention.js';
import type { ChatPeer } from './panel/chatViewProvider.js';
import { showBusy } from './window/chatView.js';
import { ContextRemovals } from './panel/contextRemovals.js';
import { DraftActions } from './panel/draftActions.js';
import { panelHandlers } from './panel/handlers.js';
import { Introduction } from './panel/introduction.js';
import { Panel } from './panel/panel.js';
import { ShownChat } from './panel/shownChat.js';
import { noticeSummaries } from './panel/summaryNotices.js';
import { copyChat, exportChat } from './transfer/exportChat.js';
import { PanelSearch } from './search/panelSearch.js';
import { OtherChats, otherStorages, workspaceStorageFolder } from './transfer/otherChats.js';
import { UsagePanel } from './usage/usagePanel.js';
import { Banners } from './window/banners.js';
import { watchOpenFile } from './window/openFile.js';
import { folderNames, folderPaths } from './window/folders.js';
import { Log } from './window/log.js';
import { receiver } from './window/receiver.js';
import { showCopyProgress } from './window/copyProgress.js';
import { sharedStorage } from './window/storageRoot.js';
import { sha256, systemClock } from './window/systemPorts.js';
import { systemRandom } from './window/systemRandom.js';

/** Everything behind the view, the commands and the API: one object graph for each window. */
export interface Services {
  readonly panel: ChatPeer;
  readonly api: Omit<LoupeApi, 'version'>;
  runCommand(id: CommandId, args: readonly unknown[]): Promise<unknown>;
  /** Ends runs as interrupted and writes everything to disk, before the window closes. */
  close(): Promise<void>;
}

/** Builds the services, each from those before it. `context.subscriptions` gets all that must end with the window. */
export function createServices(context: vscode.ExtensionContext, channel: vscode.LogOutputChannel): Services {
  const window = windowServices(context, channel);
  const { logError, settings, files } = window;
  const { models, configured, embedder, providerPorts, setCountsTokens } = createProviders(context, {
    read: () => settings.providers(),
    readEmbeddings: () => settings.embeddings(),
    logError,
  });
  const meaning = new MeaningRanker({ catalog: window.catalog, embedder, sha256, clock: systemClock, logError });
  const chats = chatServices(context, { ...window, models, meaning });
  const proofs = new Proofs({ chats, clock: systemClock, pricesOf: (ref) => models.listed(ref)?.prices ?? null });
  const panel = panelServices({ ...window, chats, models, proofs });
  const { shown, drafts } = panel;
  const features = featureServices(context, { ...window, ...panel, chats, models, proofs });
  const setKeyOf = (id: string): Promise<void> => setApiKey(providerPorts, id, undefined);
  const handlers = panelHandlers({
    ...window,
    ...panel,
    chats,
    actions: panelActions({ ...window, ...features, chats, setKeyOf, setCountsTokens }),
  });
  const commands = { ...window, ...panel, ...features.commands, chats, models, clock: systemClock, providers: providerPorts };
  context.subscriptions.push(
    settings.watch(window.log, () => {
      configured.update();
      panel.panel.channel.changed();
    }),
    // Before the folders: a chat that is given to them reads the catalog.
    watchCatalog({ catalog: window.catalog, changed: panel.panel.requestChanged.bind(panel.panel) }),
    watchFolders(shown, window.banners),
    watchContextFiles({
      files,
      context: () => shown.session?.state.context ?? null,
      changed: panel.panel.requestChanged.bind(panel.panel),
    }),
  );
  return {
    panel: {
      connect: panel.panel.channel.connect.bind(panel.panel.channel),
      hidden: panel.panel.hidden.bind(panel.panel),
      onBadge: panel.attention.onBadge.bind(panel.attention),
      receive: receiver(parseToHost, handlers, window),
    },
    api: createApi({ chats, drafts, current: shown.current.bind(shown) }),
    runCommand: (id, args) => runCommand(id, args, commands),
    close: async () => {
      await Promise.all([drafts.flush(), shown.flush()]);
      await chats.close();
    },
  };
}

type WindowServices = ReturnType<typeof windowServices>;

/** The parts of the window that any feature may need. */
function windowServices(context: vscode.ExtensionContext, channel: vscode.LogOutputChannel) {
  const log = new Log(channel);
  const logError = log.error.bind(log);
  const banners = new Banners({
    logError,
    notify: (text) => {
      // Nobody waits for the notification to be dismissed.
      void vscode.window.showInformationMessage(text);
    },
  });
  const settings = new SettingsReader(PRACTICE_STANDARD.ref);
  const files = (): WorkspaceFiles => new WorkspaceFiles(folderPaths());
  return {
    log,
    logError,
    banners,
    showLog: log.show.bind(log),
    logInfo: log.info.bind(log),
    fail: banners.fail.bind(banners),
    succeeded: banners.succeeded.bind(banners),
    settings,
    introduction: new Introduction({ memory: context.globalState, isWanted: () => settings.introduction(), logError }),
    files,
    catalog: new WorkspaceCatalog({
      files,
      findNested: findNestedRules,
      isTrusted: () => vscode.workspace.isTrusted,
      logInfo: log.info.bind(log),
      logError,
    }),
    // Without an open folder chats live in the global storage.
    root: sharedStorage((context.storageUri ?? context.globalStorageUri).fsPath),
  };
}

/** The chats, kept up to date with other windows. */
function chatServices(
  context: vscode.ExtensionContext,
  { root, logError, settings, files, catalog, models, meaning }: WindowServices & Pick<ChatsPorts, 'models' | 'meaning'>,
): Chats {
  const writerId = randomUUID();
  const system = { clock: systemClock, random: systemRandom };
  const store = new ChatStore({
    ...system,
    root,
    self: { writerId, pid: process.pid, host: hostname() },
    files: nodeFiles,
    ticker: nodeTicker,
    restoreStep: RESTORE_STEP,
    report: (error) => {
      logError(toLoupeError(error));
    },
  });
  const chats = new Chats(store, {
    ...system,
    writerId,
    models,
    sha256,
    loadConverter,
    files: editedFiles(files),
    catalog,
    meaning,
    tools: ECHO_TOOL,
    logError,
    defaults: () => settings.current(),
    topicModel: () => settings.topicModel(),
    titles: { titleModel: () => settings.titleModel(), writesTitles: () => settings.writesTitles() },
    folders: folderNames,
  });
  context.subscriptions.push(watchChats(chats, { root, writerId, ticker: nodeTicker, logError }));
  return chats;
}

type ChatParts = Pick<ChatsPorts, 'models'> & { readonly chats: Chats; readonly proofs: Proofs };
type PanelServices = ReturnType<typeof panelServices>;

function panelServices({
  root,
  logError,
  banners,
  files,
  introduction,
  settings,
  chats,
  models,
  catalog,
  proofs,
}: WindowServices & ChatParts) {
  const drafts = new Drafts(new DraftFiles(root), logError);
  const openFile = watchOpenFile((path) => files().relative(path));
  const setContext = (key: string, value: boolean): void => {
    void vscode.commands.executeCommand('setContext', key, value);
  };
  const panel = new Panel({
    chats,
    models,
    drafts,
    banners,
    openFile,
    introduction,
    setContext,
    catalog,
    proofs,
    logError,
    fontSize: settings.fontSize.bind(settings),
    defaults: settings.current.bind(settings),
  });
  const shown = new ShownChat({ chats, drafts, panel, banners, lastShown: new CurrentChatFile(root), logError });
  const isVisible = (): boolean => panel.channel.isReady;
  const notify = (text: string, chatId: string): void => {
    void offerChat(text, chatId, shown).catch((thrown: unknown) => {
      banners.fail(toLoupeError(thrown), null);
    });
  };
  noticeSummaries({ chats, isVisible, notify });
  const attention = new Attention({
    chats,
    isVisible,
    isFocused: () => vscode.window.state.focused,
    notify: ({ id, title }) => {
      notify(`The reply in "${title}" has ended.`, id);
    },
    progress: showBusy,
  });
  const removals = new ContextRemovals(banners);
  return { drafts, panel, shown, attention, removals, draftActions: new DraftActions(drafts, panel.focusComposer.bind(panel)) };
}

/** Tells something about a chat, and shows the chat when the user wants that. */
async function offerChat(text: string, chatId: string, shown: ShownChat): Promise<void> {
  const show = 'Show';
  if ((await vscode.window.showInformationMessage(text, show)) === show) {
    await revealPanel();
    await shown.show(chatId);
  }
}

/** The features beside the panel: documents, import, export, usage. */
function featureServices(
  context: vscode.ExtensionContext,
  { chats, drafts, shown, panel, proofs, ...window }: WindowServices & PanelServices & ChatParts,
) {
  const { banners, logError, root, files } = window;
  const documents = new RequestDocuments(chats, drafts);
  const lens = new RuleLens({ files, catalog: window.catalog, proofs, clock: systemClock, chat: () => shown.session?.state ?? null });
  panel.onNextRequest((chatId) => {
    documents.nextChanged(chatId);
    lens.changed();
  });
  const results = new ResultDocuments(chats);
  const search = new PanelSearch({ chats, clock: systemClock, tell: panel.channel.tell.bind(panel.channel) });
  const storages = (): Promise<readonly string[]> => storagesOfOthers(context, root);
  const otherChats = new OtherChats({ ...window, chats, shown, folders: folderNames, storages, copying: showCopyProgress });
  shown.onListed(() => otherChats.offer());
  const usage = new UsagePanel({
    ...window,
    chats,
    extensionUri: context.extensionUri,
    random: systemRandom,
    showRequest: documents.showRequest.bind(documents),
    writeMessage: () => revealPanel().then(panel.focusComposer.bind(panel)),
  });
  context.subscriptions.push(documents, requestOutline(), results, usage, panel, lens.register());
  const adding = { ...window, sha256 };
  const write = (session: ChatSession, target: unknown): Promise<vscode.Uri | null> =>
    exportChat(session, target, { chats, banners, logError });
  return {
    context: contextActions({ adding, catalog: window.catalog, clock: systemClock, tell: panel.channel.tell.bind(panel.channel) }),
    documents: {
      showRequest: documents.showRequest.bind(documents),
      showNext: documents.showNext.bind(documents),
      showResult: results.open.bind(results),
    },
    searchMessages: search.query.bind(search),
    transfer: {
      importOffered: otherChats.importOffered.bind(otherChats),
      exportChat: async (session: ChatSession) => {
        await write(session, undefined);
      },
    },
    commands: {
      documents,
      otherChats,
      context: adding,
      exportChat: write,
      copyChat: (session: ChatSession) => copyChat(session, { chats, logError }),
      usage,
    },
  };
}

function watchFolders(shown: ShownChat, banners: Banners): vscode.Disposable {
  return vscode.workspace.onDidChangeWorkspaceFolders(() => {
    shown.foldersChanged().catch((thrown: unknown) => {
      banners.fail(toLoupeError(thrown), null);
    });
  });
}

/** The storages of other workspaces. VS Code gives a workspace a new storage when it gets a second folder. */
function storagesOfOthers(context: vscode.ExtensionContext, root: string): Promise<readonly string[]> {
  const global = context.globalStorageUri.fsPath;
  return otherStorages(root, global, workspaceStorageFolder(context.storageUri?.fsPath, global));
}
