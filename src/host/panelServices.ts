import * as vscode from 'vscode';
import { failure, toLoupeError } from '../engine/errors.js';
import { isObject, parseForeignJson } from '../engine/json.js';
import type { SessionContextItem } from '../engine/record/item.js';
import { CurrentChatFile } from '../storage/currentChat.js';
import type { Chats } from './chat/chats.js';
import type { ChatSession } from './chat/chatSession.js';
import { watchCatalog } from './context/catalog/watchCatalog.js';
import { contextActions } from './context/contextActions.js';
import type { WorkspaceFiles } from './context/files/workspaceFiles.js';
import type { createProviders } from './models/providers/createProviders.js';
import { panelActions } from './panel/shell/actions.js';
import { Attention } from './panel/shell/attention.js';
import { createChatPanel, type ChatPanel, type PanelPlace } from './panel/shell/chatPanel.js';
import { ChatPanels } from './panel/shell/chatPanels.js';
import { focusChatView, showBusy } from './window/chatView.js';
import { noticeSummaries } from './panel/summary/summaryNotices.js';
import { openImage } from './documents/imageDocuments.js';
import { showChangedTool } from './documents/changedTool.js';
import { watchAnyChange } from './tools/windowWatch.js';
import { ASK_FOR_EXPORT, exportChat, type ExportWish } from './transfer/exportChat.js';
import { serverPrompts } from './tools/prompts/serverPrompts.js';
import { PanelSearch } from './search/panelSearch.js';
import { watchOpenFile } from './window/openFile.js';
import { sha256, systemClock } from './window/systemPorts.js';
import type { FeatureServices, SharedServices } from './featureServices.js';
import type { WindowServices } from './windowServices.js';

interface PanelServicesPorts extends SharedServices {
  readonly features: FeatureServices;
  setKeyOf(providerId: string): Promise<void>;
  setCountsTokens(providerId: string, isOn: boolean): Promise<void>;
}

/** Creates the chat panels, and the notifications about chats that no panel shows. */
export function panelServices(ports: PanelServicesPorts) {
  const { root, files, settings, chats, features } = ports;
  const shared = {
    ...ports,
    openFile: watchOpenFile((path) => files().relative(path)),
    fontSize: settings.fontSize.bind(settings),
    defaults: settings.current.bind(settings),
    restores: features.restores,
    shownServers: ports.toolbox,
    clock: systemClock,
    previewEdits: { preview: ports.edits.preview, watch: watchAnyChange },
    actions: (own: OwnParts) => actionsOn(own, ports),
    nextRequest: (chatId: string): void => {
      features.documents.nextChanged(chatId);
      features.inspectors.nextChanged(chatId);
      features.lens.changed();
    },
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
    seen: () => {
      attention.seen();
    },
    currentChanged: () => {
      features.lens.changed();
    },
    chatOnShow: (chatId) => {
      void features.inspectors.chatSelected(chatId);
    },
  });
  const isVisible = panels.isVisible.bind(panels);
  const notify = (text: string, chatId: string): void => {
    void offerChat(text, chatId, panels).catch((thrown: unknown) => {
      panels.current.banners.fail(toLoupeError(thrown), null);
    });
  };
  noticeSummaries({ chats, isVisible, notify });
  const attention = new Attention({
    chats,
    isVisible,
    isFocused: () => vscode.window.state.focused,
    notify: ({ id, title }, what) => {
      notify(what === 'ended' ? `The reply in "${title}" has ended.` : `"${title}" needs approval.`, id);
    },
    progress: showBusy,
  });
  return { panels, attention };
}

/** Shows a notification about a chat, with a button that opens the chat. */
async function offerChat(text: string, chatId: string, panels: ChatPanels): Promise<void> {
  const show = 'Show';
  if ((await vscode.window.showInformationMessage(text, show)) === show) {
    await panels.present(chatId);
  }
}

type OwnParts = Pick<ChatPanel, 'panel' | 'banners'>;

function actionsOn({ panel, banners }: OwnParts, { chats, features, ...ports }: PanelServicesPorts) {
  const { results, toolTexts, otherChats } = features;
  const { servers } = ports.toolbox.mcp;
  const tell = panel.channel.tell.bind(panel.channel);
  const search = new PanelSearch({ chats, clock: systemClock, tell });
  return panelActions({
    ...ports,
    chats,
    prompts: serverPrompts({ toolbox: ports.toolbox, clock: systemClock, tell, banners }),
    context: contextActions({
      adding: { ...ports, sha256, banners },
      writer: ports.writer,
      catalog: ports.catalog,
      resources: ports.toolbox.resources,
      clock: systemClock,
      tell,
    }),
    inspectors: features.inspectors,
    documents: {
      showResult: results.open.bind(results),
      openImage: (image) => openImage(chats, image),
      showTool: toolTexts.showTool.bind(toolTexts),
      showResource: toolTexts.showResource.bind(toolTexts),
      showServerLog: toolTexts.showLog.bind(toolTexts),
    },
    edits: {
      compareRestored: (chatId, messageId, path) => features.restores.show(chatId, messageId, { path, what: 'restoring' }),
      viewChange: (args) => viewChange(args, ports.edits),
      showWritten: features.replyFiles.show.bind(features.replyFiles),
      undoWritten: features.replyFiles.undo.bind(features.replyFiles),
      showUnapplied: features.replyFiles.showUnapplied.bind(features.replyFiles),
      compareTool: async (chatId, callId) =>
        showChangedTool((await chats.open(chatId)).state, callId, { ...ports, show: ports.edits.show }),
    },
    servers: {
      // Restarts run until VS Code's window closes. Loupe does not wait for them, so nothing aborts this signal.
      restart: (name) => servers.restart(name, new AbortController().signal),
      start: (name) => servers.start(name, new AbortController().signal),
      stop: servers.stop.bind(servers),
      answer: ports.toolbox.answerStart.bind(ports.toolbox),
    },
    searchMessages: search.query.bind(search),
    transfer: {
      importOffered: otherChats.importOffered.bind(otherChats),
      exportChat: async (session) => {
        await exportChat(session, ASK_FOR_EXPORT, { ...ports, chats, banners });
      },
    },
  });
}

/** Shows a diff of an `edit_file` call with these arguments. Rejects with the reason if the call would fail. */
async function viewChange(args: string, { preview, show }: WindowServices['edits']): Promise<void> {
  const parsed = parseForeignJson(args);
  const previewed = await preview(isObject(parsed) ? parsed : {});
  if (!previewed.ok) {
    throw failure('restore.refused', { reason: previewed.reason });
  }
  const { path, before, after } = previewed;
  await show({ path, before, after, label: 'edit_file' });
}

/** Returns what commands need from the panel that the user used last. */
export function commandsOn(panel: ChatPanel, ports: WindowServices & { readonly chats: Chats }) {
  const { banners } = panel;
  return {
    ...panel,
    revealPanel: panel.reveal.bind(panel),
    context: { ...ports, sha256, banners },
    exportChat: (session: ChatSession, wish: ExportWish) => exportChat(session, wish, { ...ports, banners }),
  };
}

/** Updates the panels when settings, files or workspace folders change. */
export function watchForPanels(
  context: vscode.ExtensionContext,
  panels: ChatPanels,
  { settings, log, logError, catalog, files, toolbox, configured }: WindowServices & Pick<ReturnType<typeof createProviders>, 'configured'>,
): void {
  const requestsChanged = (): void => {
    for (const { panel } of panels.all()) {
      panel.requestChanged();
    }
  };
  toolbox.onChange(requestsChanged);
  context.subscriptions.push(
    panels,
    settings.watch(log, () => {
      configured.update();
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
    watchContextFiles({
      files,
      items: () => panels.all().flatMap(({ shown }) => [...(shown.session?.state.context.values() ?? [])]),
      changed: requestsChanged,
    }),
  );
}

interface FileWatchPorts {
  readonly files: () => WorkspaceFiles;
  /** Returns the context items of the chats in all panels. */
  readonly items: () => readonly SessionContextItem[];
  /** Called when a file in the context of a chat has changed. The next request and the file's chip may change too. */
  readonly changed: () => void;
}

/** Calls `changed` when a context file of a shown chat changes, on disk or in an editor. */
function watchContextFiles({ files, items, ...ports }: FileWatchPorts): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const changed = (uri: vscode.Uri): void => {
    const path = uri.scheme === 'file' ? files().relative(uri.fsPath) : null;
    if (path === null) {
      return;
    }
    // VS Code sends no events for the files in a folder that was deleted or renamed.
    if (items().some(({ type, name }) => type === 'file' && (name === path || name.startsWith(`${path}/`)))) {
      ports.changed();
    }
  };
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(changed),
    watcher.onDidCreate(changed),
    watcher.onDidDelete(changed),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      changed(document.uri);
    }),
  );
}
