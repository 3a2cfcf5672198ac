import * as vscode from 'vscode';
import { toLoupeError } from '../engine/errors.js';
import { CurrentChatFile } from '../storage/currentChat.js';
import type { ChatSession } from './chat/chatSession.js';
import { watchCatalog } from './context/catalog/watchCatalog.js';
import { contextActions } from './context/contextActions.js';
import type { PanelFeatures } from './panel/shell/panelFeatures.js';
import { Introduction } from './panel/shell/introduction.js';
import { Attention, noticeSummaries } from './panel/shell/attention.js';
import { createChatPanel, type ChatPanel, type PanelPlace } from './panel/shell/chatPanel.js';
import { ChatPanels } from './panel/shell/chatPanels.js';
import { showIdleNotices } from './panel/idle/showIdleNotices.js';
import { focusChatView, showBusy } from './window/chatView.js';
import { serverActions } from './tools/configureServers.js';
import { addProvider, editProvider, type ProviderPorts, showModelSettings } from './models/providers/providerCommands.js';
import * as editors from './window/editors.js';
import { watchAnyChange } from './tools/windowWatch.js';
import { ASK_FOR_EXPORT, copyChat, exportChat, type ExportWish } from './transfer/exportChat.js';
import { panelPrompts } from './tools/prompts/panelPrompts.js';
import { PanelSearch } from './search/panelSearch.js';
import { watchOpenFile } from './window/openFile.js';
import { textWithoutLinks } from './window/plainText.js';
import { sha256, systemClock } from './window/systemPorts.js';
import { folderUris } from './tools/windowToolbox.js';
import type { FeatureServices, SharedServices } from './featureServices.js';

interface PanelServicesPorts extends SharedServices, Pick<PanelFeatures, 'questions' | 'openInEditor'> {
  readonly features: FeatureServices;
  readonly providers: ProviderPorts;
  readonly setCountsTokens: (providerId: string, isOn: boolean) => Promise<void>;
}

/** Creates the chat panels, and the notifications about chats that no panel shows. */
export function panelServices(context: Pick<vscode.ExtensionContext, 'globalState' | 'subscriptions'>, ports: PanelServicesPorts) {
  const { root, files, settings, chats, features, logError } = ports;
  const shared = {
    ...ports,
    openFile: watchOpenFile((path) => files().relative(path), ports.openEditor),
    introduction: new Introduction({ memory: context.globalState, isWanted: () => settings.introduction(), logError }),
    folders: folderUris,
    fontSize: settings.fontSize.bind(settings),
    defaults: settings.current.bind(settings),
    restores: features.restores,
    shownServers: ports.toolbox,
    previewEdits: { preview: ports.edits.preview, watch: watchAnyChange },
    features: (own: OwnParts) => featuresOn(own, ports),
  };
  const view: PanelPlace = {
    id: 'view',
    lastShown: new CurrentChatFile(root),
    reveal: focusChatView,
    shows: () => undefined,
    close: null,
  };
  const panels = new ChatPanels(view, {
    create: (place, told) => createChatPanel(place, told, shared),
    setContext: (key, value) => {
      void vscode.commands.executeCommand('setContext', key, value);
    },
    visibilityChanged: () => {
      attention.seen();
      idleNotices.update();
    },
    currentChanged: () => {
      features.lens.changed();
    },
    chatOnShow: (chatId) => {
      void features.inspectors.chatSelected(chatId);
    },
  });
  chats.nextChanges.add((chatId) => {
    features.documents.nextChanged(chatId);
    features.inspectors.nextChanged(chatId);
    features.lens.changed();
  });
  const isVisible = panels.isVisible.bind(panels);
  const fail = (thrown: unknown): void => {
    panels.current.banners.fail(toLoupeError(thrown), null);
  };
  const notify = (text: string, chatId: string): void => void offerChat(text, chatId, panels).catch(fail);
  const idleNotices = showIdleNotices({ chats, isVisible, fail }, context);
  noticeSummaries({ chats, isVisible, notify });
  const attention = new Attention({
    chats,
    isVisible,
    isFocused: () => vscode.window.state.focused,
    notify: ({ id, title }, what) => {
      notify(what === 'ended' ? `The reply in "${title}" has ended.` : `The chat "${title}" needs your approval.`, id);
    },
    progress: showBusy,
  });
  return { panels, attention };
}

/** Shows a notification about a chat, with a button that opens the chat. */
async function offerChat(text: string, chatId: string, panels: ChatPanels): Promise<void> {
  const show = 'Show';
  if ((await vscode.window.showInformationMessage(textWithoutLinks(text), show)) === show) {
    await panels.present(chatId);
  }
}

type OwnParts = Pick<ChatPanel, 'panel' | 'banners'>;

function featuresOn({ panel, banners }: OwnParts, { chats, features, ...ports }: PanelServicesPorts): PanelFeatures {
  const { toolbox } = ports;
  const tell = panel.channel.tell.bind(panel.channel);
  return {
    ...features,
    ...ports,
    editors,
    prompts: panelPrompts({ ...ports, clock: systemClock, tell, banners }),
    search: new PanelSearch({ chats, clock: systemClock, tell }),
    context: contextActions({
      adding: { ...ports, sha256, banners },
      writer: ports.writer,
      catalog: ports.catalog,
      resources: toolbox.resources,
      pages: ports.pages,
      clock: systemClock,
      tell,
    }),
    servers: serverActions(toolbox),
    providers: {
      add: () => addProvider(ports.providers, undefined, undefined),
      edit: (provider) => editProvider(ports.providers, provider, undefined),
      editModel: (provider, model) => editProvider(ports.providers, provider, model),
      setKey: ports.setKeyOf,
      setCountsTokens: ports.setCountsTokens,
      showSettings: showModelSettings,
    },
    exportChat: (session) => exportChat(session, ASK_FOR_EXPORT, { ...ports, chats, banners }),
  };
}

/** Returns what commands need from the panel that the user used last. */
export function commandsOn(panel: ChatPanel, ports: SharedServices) {
  const { banners } = panel;
  return {
    ...panel,
    revealPanel: panel.reveal.bind(panel),
    context: { ...ports, sha256, banners },
    exportChat: (session: ChatSession, wish: ExportWish) => exportChat(session, wish, { ...ports, banners }),
    copyChat: (session: ChatSession) => copyChat(session, ports),
  };
}

/** Returns a function that composes the next requests of all panels again. */
function requestsChangedIn(panels: ChatPanels): () => void {
  return () => {
    for (const { panel } of panels.all()) {
      panel.requestChanged();
    }
  };
}

/** Updates the panels when settings, files or workspace folders change. */
export function watchForPanels(
  context: vscode.ExtensionContext,
  panels: ChatPanels,
  {
    chats,
    settings,
    log,
    logError,
    catalog,
    files,
    toolbox,
    repository,
    onEditorChange,
    configured,
  }: SharedServices & Pick<ProviderPorts, 'configured'>,
): void {
  const requestsChanged = requestsChangedIn(panels);
  toolbox.onChange(requestsChanged);
  repository.onChange(() => {
    for (const { session } of panels.all().map(({ shown }) => shown)) {
      session?.next.inputsChanged();
    }
  });
  onEditorChange((parts) => {
    for (const { session } of panels.all().map(({ shown }) => shown)) {
      if (session !== null && parts.some((part) => session.state.config[part] === 'on')) {
        session.next.inputsChanged();
      }
    }
  });
  context.subscriptions.push(
    panels,
    settings.watch(log, () => {
      configured.update();
      chats.limitsChanged();
      // The include modes are settings too and may have changed.
      requestsChanged();
    }),
    // Register this before the folder listener: a chat that gets new folders reads the catalog.
    watchCatalog({ catalog, changed: requestsChanged, logError }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      for (const { shown, banners } of panels.all()) {
        shown.foldersChanged().catch((thrown: unknown) => {
          banners.fail(toLoupeError(thrown), null);
        });
      }
    }),
    watchAnyChange((place) => {
      const path = files().relative(place);
      const items = panels.all().flatMap(({ shown }) => [...(shown.session?.state.context.values() ?? [])]);
      // VS Code sends no events for the files in a folder that was deleted or renamed.
      if (path !== null && items.some(({ type, name }) => type === 'file' && (name === path || name.startsWith(`${path}/`)))) {
        requestsChanged();
      }
    }),
  );
}
