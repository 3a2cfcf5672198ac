import * as vscode from 'vscode';
import type { ModelRef } from '../engine/model/modelRef.js';
import type { Chats } from './chat/chats.js';
import type { ChatSession } from './chat/chatSession.js';
import { FileRestores } from './chat/files/fileRestores.js';
import { FileTexts } from './chat/files/fileTexts.js';
import { ReplyFiles } from './chat/files/replyFiles.js';
import { SendAgain } from './chat/sendAgain.js';
import type { Drafts } from './chat/drafts.js';
import type { Proofs } from './chat/proofs.js';
import { editedFiles } from './context/editedFiles.js';
import { ImageDocuments } from './documents/imageDocuments.js';
import { RequestDocuments } from './documents/requestDocuments.js';
import { askToSendAgain, type AskToSendAgainPorts } from './inspector/askToSendAgain.js';
import { Inspectors } from './inspector/inspectors.js';
import { attemptHint, attemptVerdict, diagnosisPorts } from './request/verdict/attemptDiagnosis.js';
import type { ObservedCaches } from './request/forecast/observedCaches.js';
import { RuleLens } from './documents/ruleLens.js';
import { ResultDocuments } from './documents/resultDocuments.js';
import { ToolDocuments } from './documents/toolDocuments.js';
import type { ModelRegistry } from './models/registry.js';
import type { ChatPanels } from './panel/shell/chatPanels.js';
import { copyChat } from './transfer/exportChat.js';
import { ImportedFiles } from './transfer/importedFiles.js';
import { OtherChats, otherStorages, workspaceStorageFolder } from './transfer/otherChats.js';
import { UsagePanel } from './usage/usagePanel.js';
import { folderNames } from './window/folders.js';
import type { ReceiverPorts } from './window/receiver.js';
import { showCopyProgress } from './window/copyProgress.js';
import { sha256, systemClock } from './window/systemPorts.js';
import { systemRandom } from './window/systemRandom.js';
import type { WindowServices } from './windowServices.js';

export type FeatureServices = ReturnType<typeof featureServices>;

interface FeaturePorts extends WindowServices {
  readonly chats: Chats;
  readonly proofs: Proofs;
  readonly models: ModelRegistry;
  readonly drafts: Drafts;
  readonly observed: ObservedCaches;
  readonly knownKeys: () => Promise<readonly string[]>;
  readonly missingKey: (model: ModelRef) => Promise<string | null>;
  readonly setKeyOf: (providerId: string) => Promise<void>;
  readonly panels: () => ChatPanels;
  /** Shows a chat in a new editor tab next to the active one. */
  readonly openBeside: (chatId: string) => Promise<void>;
}

/** The features outside the panels: documents, import, usage. */
export function featureServices(
  context: vscode.ExtensionContext,
  { chats, models, observed, knownKeys, missingKey, setKeyOf, proofs, drafts, panels, openBeside, ...window }: FeaturePorts,
) {
  const { files } = window;
  const documents = new RequestDocuments(chats, drafts);
  const lens = new RuleLens({
    files,
    catalog: window.catalog,
    proofs,
    clock: systemClock,
    chat: () => panels().current.shown.session?.state ?? null,
  });
  const results = new ResultDocuments(chats);
  const toolTexts = new ToolDocuments(window.toolbox);
  const otherChats = chatsOfOthers(context, { chats, panels, ...window });
  const askToSendAgain = sendingAgain({ chats, models, openBeside, missingKey, setKeyOf, ...window });
  const { inspectors, usage } = tabServices(context, {
    askToSendAgain,
    chats,
    models,
    observed,
    knownKeys,
    drafts,
    panels,
    documents,
    ...window,
  });
  context.subscriptions.push(documents, inspectors, results, new ImageDocuments(chats, window.logError), toolTexts, usage, lens.register());
  return {
    ...fileFeatures({ chats, ...window }),
    documents,
    inspectors,
    askToSendAgain,
    results,
    toolTexts,
    otherChats,
    importedFiles: new ImportedFiles({
      show: (path, watch) => panels().current.shown.importFile(path, watch),
      copying: showCopyProgress,
      tell: tellImported,
    }),
    lens,
    copyChat: (session: ChatSession) => copyChat(session, { ...window, chats }),
    usage,
  };
}

/** Returns a function that asks for a change and sends the message of a request again. */
function sendingAgain({
  logError,
  ...asking
}: Omit<AskToSendAgainPorts, 'again'> & Pick<FeaturePorts, 'chats' | 'logError'>): (chatId: string, attemptId: string) => Promise<void> {
  const ports = { ...asking, again: new SendAgain({ chats: asking.chats, logError }) };
  return (chatId, attemptId) => askToSendAgain(chatId, attemptId, ports);
}

/** The editor tabs that show requests and usage. */
function tabServices(
  context: vscode.ExtensionContext,
  {
    chats,
    models,
    observed,
    knownKeys,
    drafts,
    panels,
    documents,
    askToSendAgain,
    ...window
  }: Omit<FeaturePorts, 'proofs' | 'openBeside' | 'missingKey' | 'setKeyOf'> & {
    readonly documents: RequestDocuments;
    readonly askToSendAgain: (chatId: string, attemptId: string) => Promise<void>;
  },
) {
  const told = tellingIn(panels);
  const diagnosis = diagnosisPorts(models, window);
  const inspectors = new Inspectors({
    ...window,
    ...told,
    chats,
    drafts,
    extensionUri: context.extensionUri,
    random: systemRandom,
    sha256,
    now: systemClock.now.bind(systemClock),
    knownKeys,
    serverSecrets: () => window.toolbox.mcp.servers.secrets(),
    blobs: (chatId) => chats.exported.blobs(chatId),
    listed: models.listed.bind(models),
    verdict: (state, attempt) => attemptVerdict(state, attempt, diagnosis),
    hint: (state, attempt) => attemptHint(state, attempt, { ...diagnosis, blobs: chats.exported.blobs(state.chatId) }),
    observation: observed.of.bind(observed),
    sendAgain: askToSendAgain,
    showRaw: documents.show.bind(documents),
  });
  const usage = new UsagePanel({
    ...window,
    chats,
    models,
    extensionUri: context.extensionUri,
    storages: () => storagesOfOthers(context, window.root),
    random: systemRandom,
    ...told,
    showRequest: inspectors.showRequest.bind(inspectors),
    writeMessage: async () => {
      const { current } = panels();
      await current.reveal();
      current.panel.focusComposer();
    },
  });
  return { inspectors, usage };
}

/** Shows failures of other tabs in the panel that was used last. */
function tellingIn(panels: () => ChatPanels): Pick<ReceiverPorts, 'fail' | 'succeeded'> {
  return {
    fail: (error, type) => {
      panels().current.banners.fail(error, type);
    },
    succeeded: (type) => {
      panels().current.banners.succeeded(type);
    },
  };
}

function fileFeatures({ chats, files, writer, edits, logError }: Pick<FeaturePorts, 'chats' | 'files' | 'writer' | 'edits' | 'logError'>) {
  const texts = new FileTexts({ blobs: (chatId) => chats.exported.blobs(chatId), files: editedFiles(files), sha256, logError });
  const ports = { open: chats.open.bind(chats), texts, writer, showDifference: edits.show };
  return { restores: new FileRestores(ports), replyFiles: new ReplyFiles(ports) };
}

/** The chats of other workspaces. Their offer appears in the view. */
function chatsOfOthers(
  context: vscode.ExtensionContext,
  { chats, panels, root, logError }: Pick<FeaturePorts, 'chats' | 'panels' | 'root' | 'logError'>,
): OtherChats {
  return new OtherChats({
    chats,
    root,
    logError,
    shown: {
      current: () => panels().current.shown.current(),
      show: (chatId) => panels().current.shown.show(chatId),
      import: (path, watch) => panels().current.shown.import(path, watch),
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
    storages: () => storagesOfOthers(context, root),
    copying: showCopyProgress,
  });
}

/** Shows the result of an import, without waiting for the user to close it. */
function tellImported(text: string, isWarning: boolean): void {
  void (isWarning ? vscode.window.showWarningMessage(text) : vscode.window.showInformationMessage(text));
}

/** Returns the storages of other workspaces. VS Code gives a workspace a new storage when it gets a second folder. */
function storagesOfOthers(context: vscode.ExtensionContext, root: string): Promise<readonly string[]> {
  const global = context.globalStorageUri.fsPath;
  return otherStorages(root, global, workspaceStorageFolder(context.storageUri?.fsPath, global));
}
