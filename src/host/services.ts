import { type ExtensionContext, type LogOutputChannel, ViewColumn, type WebviewPanel } from 'vscode';
import type { LoupeApi } from '../protocol/api/api.js';
import { createApi } from './api/api.js';
import { chatQuestions } from './chat/chatQuestions.js';
import type { CommandId } from './commands/commandIds.js';
import { runCommand } from './commands/commands.js';
import type { SessionFileSystem } from './documents/sessionFileSystem.js';
import { MeaningRanker } from './context/catalog/meaningRanker.js';
import { createProviders } from './models/providers/createProviders.js';
import { setApiKey } from './models/providers/providerCommands.js';
import type { ChatPeer } from './panel/shell/chatViewProvider.js';
import { sha256, systemClock } from './window/systemPorts.js';
import { featureServices } from './featureServices.js';
import { ChatTabs } from './panel/shell/chatTabs.js';
import { systemRandom } from './window/systemRandom.js';
import { commandsOn, panelServices, watchForPanels } from './panelServices.js';
import { chatServices } from './chatServices.js';
import { chatStores } from './chatStores.js';
import { windowServices } from './windowServices.js';

/** The services of one VS Code window. The Loupe view, the commands and the API use them. */
export interface Services {
  /** The panel of the Loupe view. */
  readonly panel: ChatPeer;
  /** Shows the chat in an editor tab that VS Code restores after a reload. */
  readonly restoreTab: (tab: WebviewPanel, state: unknown) => Promise<void>;
  /** Shows the request in a Request Inspector tab that VS Code restores after a reload. */
  readonly restoreInspector: (tab: WebviewPanel, state: unknown) => Promise<void>;
  readonly sessionFiles: SessionFileSystem;
  readonly api: Omit<LoupeApi, 'version'>;
  runCommand(id: CommandId, args: readonly unknown[]): Promise<unknown>;
  /** Ends runs as interrupted and writes everything to disk. Call it before the VS Code window closes. */
  close(): Promise<void>;
}

/** Creates the services. Adds everything that must end with the VS Code window to `context.subscriptions`. */
export function createServices(context: ExtensionContext, channel: LogOutputChannel): Services {
  const window = windowServices(context, channel);
  const { logError, settings } = window;
  const { models, configured, knownKeys, missingKey, providerPorts, setCountsTokens } = createProviders(context, {
    read: () => settings.providers(),
    readEmbeddings: () => settings.embeddings(),
    addOutside: (request) => chats.usage.addOutside(request),
    logError,
    selectModel: async (key) => questions.model(await panels.current.shown.current(), key),
  });
  const meaning = new MeaningRanker({
    catalog: window.catalog,
    embedder: () => configured.embedder(),
    sha256,
    clock: systemClock,
    logError,
  });
  const ofChats = chatServices(context, { ...window, models, meaning, storeAt: chatStores(window) });
  const { chats, drafts } = ofChats;
  const setKeyOf = (id: string): Promise<boolean> => setApiKey(providerPorts, id, undefined);
  const openBeside = (chatId: string): Promise<void> => tabs.open(chatId, ViewColumn.Beside);
  // Features and panels use each other, but only after both are created.
  const shared = { ...window, ...ofChats, models, setKeyOf };
  const features = featureServices(context, { ...shared, knownKeys, missingKey, panels: () => panels, openBeside });
  const openInEditor = (chatId: string): Promise<void> => tabs.open(chatId, ViewColumn.Active);
  const questions = chatQuestions({ ...shared, providers: providerPorts, banners: () => panels.current.banners });
  const actions = { providers: providerPorts, questions, openInEditor };
  const { panels, attention } = panelServices(context, { ...shared, ...actions, features, setCountsTokens });
  const { view } = panels;
  view.shown.onListed(() => features.otherChats.offer());
  watchForPanels(context, panels, { ...shared, configured });
  const tabs = new ChatTabs({ panels, extensionUri: context.extensionUri, random: systemRandom });
  const commands = { ...window, ...features, ...actions, chats, clock: systemClock };
  return {
    panel: {
      connect: view.panel.channel.connect.bind(view.panel.channel),
      hidden: view.panel.hidden.bind(view.panel),
      onBadge: attention.onBadge.bind(attention),
      receive: view.receive.bind(view),
    },
    restoreTab: tabs.restore.bind(tabs),
    restoreInspector: features.inspectors.restore.bind(features.inspectors),
    sessionFiles: features.sessionFiles,
    api: createApi({ chats, drafts, models, logError, current: () => panels.current.shown.current() }),
    runCommand: (id, args) => runCommand(id, args, { ...commands, ...commandsOn(panels.current, shared) }),
    close: async () => {
      await Promise.all([drafts.flush(), view.shown.flush()]);
      ofChats.closedChats.close();
      await chats.close();
      await window.toolbox.dispose();
    },
  };
}
