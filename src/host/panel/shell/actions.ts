import * as vscode from 'vscode';
import type { AgentInclude } from '../../../engine/context/agentProfile.js';
import type { WrittenType } from '../../../engine/record/item.js';
import { failure, type LoupeError } from '../../../engine/errors.js';
import { settingOf } from '../../../engine/chat/settings/config.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { Chats } from '../../chat/chats.js';
import type { SettingsReader } from '../../chat/settingsReader.js';
import { changedDefaults, DEFAULTS_PREFIX } from '../../chat/settings.js';
import type { ContextTarget } from '../../context/addPaths.js';
import type { SelectionTarget } from '../../context/addSelection.js';
import type { ServerTarget } from '../../context/catalog/catalogChoice.js';
import { configureServers, openServers } from '../../tools/configureServers.js';
import type { DrawableType } from '../../../protocol/images.js';
import type { ToHost } from '../../../protocol/panel/toHost.js';
import type { PanelSearchRole } from '../../../protocol/panel/search.js';
import { showModelSettings } from '../../models/providers/providerCommands.js';
import { insertAtCursor, newFile, openLink, showSettings, showSpendSettings } from '../../window/editors.js';
import { SETTINGS_SECTION } from '../../window/settingsSection.js';
import type { BannerPorts } from './bannerActions.js';
import type { PanelActions } from './handlers.js';

/** The panel's actions that other features provide. */
export interface PanelActionPorts {
  readonly chats: Pick<Chats, 'open'>;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly context: {
    pickFiles(chat: SelectionTarget): Promise<void>;
    addUris(chat: ContextTarget, uris: readonly vscode.Uri[]): Promise<void>;
    findMentions(chat: ChatSession, text: string): Promise<void>;
    mention(chat: ChatSession, key: string): Promise<void>;
    addCatalogItems(chat: ContextTarget, keys: readonly string[]): Promise<void>;
    addServer(chat: ServerTarget, server: string): Promise<void>;
    excludeItems(chat: Pick<ChatSession, 'removeContext'>, keys: readonly string[]): Promise<void>;
    changeInclude(agent: string, change: { readonly key: string; readonly include: AgentInclude }): Promise<void>;
    newCatalogFile(kind: WrittenType): Promise<void>;
    openItem(key: string): Promise<void>;
    compareItem(key: string, source: string): Promise<void>;
    openFile(path: string, line: number): Promise<void>;
  };
  readonly prompts: {
    find(text: string): Promise<void>;
    /** Asks for the arguments of a prompt and returns its text, or null when the user cancels. */
    fill(key: string): Promise<string | null>;
  };
  readonly inspectors: {
    showRequest(chatId: string, messageId: string): Promise<void>;
    showNext(chatId: string): Promise<void>;
    replySelected(chatId: string, messageId: string): Promise<void>;
  };
  readonly documents: {
    showResult(chatId: string, messageId: string, callId: string): Promise<void>;
    openImage(image: { readonly chatId: string; readonly blob: string; readonly mimeType: DrawableType }): Promise<void>;
    showTool(key: string): Promise<void>;
    showResource(key: string): Promise<void>;
    showServerLog(server: string): Promise<void>;
  };
  readonly transfer: {
    importOffered(): Promise<void>;
    exportChat(session: ChatSession): Promise<void>;
  };
  readonly edits: {
    /** Shows how a file would change when it is restored. */
    compareRestored(chatId: string, messageId: string, path: string): Promise<void>;
    /** Shows the change that an edit would make. `args` are the arguments of its call. */
    viewChange(args: string): Promise<void>;
    /** Shows what the tools of a step wrote in a file. */
    showWritten(chatId: string, file: { readonly messageId: string; readonly path: string }): Promise<void>;
    /** Undoes what the tools of a step wrote in a file. */
    undoWritten(chatId: string, file: { readonly messageId: string; readonly path: string }): Promise<void>;
    showUnapplied(chatId: string, callId: string): Promise<void>;
    /** Compares a tool now with its state when the user allowed it. */
    compareTool(chatId: string, callId: string): Promise<void>;
  };
  readonly servers: {
    /** Starts a server, or restarts a running one. */
    restart(name: string): Promise<void>;
    start(name: string): Promise<void>;
    stop(name: string): Promise<void>;
    /** Handles the user's answer whether a server of the workspace may start. */
    answer(question: string, isAllowed: boolean): unknown;
  };
  readonly searchMessages: (text: string, role: PanelSearchRole) => Promise<void>;
  setKeyOf(providerId: string): Promise<void>;
  /** Sets whether Loupe asks a provider to count tokens. */
  setCountsTokens(providerId: string, isOn: boolean): Promise<void>;
  showLog(): void;
  logError(error: LoupeError): void;
}

/** Returns the panel's actions that VS Code and other features carry out. */
export function panelActions(ports: PanelActionPorts): PanelActions & BannerPorts['actions'] {
  const { chats, settings, context, documents, inspectors, transfer } = ports;
  return {
    addFiles: async ({ chatId }) => context.pickFiles(await chats.open(chatId)),
    dropFiles: async ({ chatId, uris }) => context.addUris(await chats.open(chatId), uris.map(parseDropped)),
    ...mentionActions(ports),
    addCatalogItems: async ({ chatId, keys }) => context.addCatalogItems(await chats.open(chatId), keys),
    addServer: async ({ chatId, server }) => context.addServer(await chats.open(chatId), server),
    leaveOutItems: async ({ chatId, keys }) => context.excludeItems(await chats.open(chatId), keys),
    resetSettings: async ({ chatId }) => resetSettings(await chats.open(chatId), settings),
    useForNewChats: async ({ chatId }) => useForNewChats(await chats.open(chatId), settings),
    showDefaults,
    openContextItem: ({ key }) => openItem(key, ports),
    compareItem: ({ key, source }) => context.compareItem(key, source),
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    insertAtCursor: ({ text }) => insertAtCursor(text),
    newFile: ({ text, language }) => newFile(text, language),
    openLink: ({ href }) => openLink(href),
    openFile: ({ path, line }) => context.openFile(path, line),
    showRequest: ({ chatId, messageId }) => inspectors.showRequest(chatId, messageId),
    showPrices: showModelSettings,
    setModelLimit: ({ provider, model }) => vscode.commands.executeCommand('loupe.editProvider', provider, model),
    selectReply: ({ chatId, messageId }) => inspectors.replySelected(chatId, messageId),
    openImage: (image) => documents.openImage(image),
    openResult: ({ chatId, messageId, callId }) => documents.showResult(chatId, messageId, callId),
    ...editActions(ports),
    ...serverActions(ports),
    previewNextRequest: ({ chatId }) => inspectors.showNext(chatId),
    searchChats: ({ text, role }) => ports.searchMessages(text, role),
    showLog: () => {
      ports.showLog();
    },
    openInEditor: ({ chatId }) => vscode.commands.executeCommand('loupe.openInEditor', chatId),
    askExport: ({ chatId }) => vscode.commands.executeCommand('loupe.exportChat', chatId),
    askImport: () => vscode.commands.executeCommand('loupe.importChat'),
    showUsage: ({ chatId }) => vscode.commands.executeCommand('loupe.showUsage', chatId),
    addProvider: () => vscode.commands.executeCommand('loupe.addProvider'),
    changeInclude: async ({ chatId, ...change }) => context.changeInclude((await chats.open(chatId)).state.config.agent, change),
    newCatalogFile: ({ kind }) => context.newCatalogFile(kind),
    askTitle: ({ chatId }) => vscode.commands.executeCommand('loupe.renameChat', chatId),
    manageTrust: () => vscode.commands.executeCommand('workbench.trust.manage'),
    selectAgent: ({ chatId }) => vscode.commands.executeCommand('loupe.selectAgent', undefined, { chatId }),
    selectModel: ({ chatId }) => vscode.commands.executeCommand('loupe.selectModel', undefined, { chatId }),
    webviewError: ({ message }) => {
      ports.logError(failure('internal.defect', { text: `The panel reported: ${message}` }));
    },
    setKeyOf: (providerId) => ports.setKeyOf(providerId),
    setProviderCount: ({ provider, isOn }) => ports.setCountsTokens(provider, isOn),
    importChats: () => transfer.importOffered(),
    exportChat: (session) => transfer.exportChat(session),
    openSettings: showSettings,
    openSpendSettings: showSpendSettings,
  };
}

/** Actions for mentions and prompts in a message. */
function mentionActions({ chats, context, prompts, servers }: PanelActionPorts) {
  const find = async ({
    chatId,
    mark,
    text,
  }: Pick<Extract<ToHost, { readonly type: 'findMentions' }>, 'chatId' | 'mark' | 'text'>): Promise<void> =>
    mark === '/' ? prompts.find(text) : context.findMentions(await chats.open(chatId), text);
  return {
    findMentions: find,
    startToFind: async ({ server, ...asked }) => {
      await Promise.all([servers.start(server), find(asked)]);
      await find(asked);
    },
    fillPrompt: (key) => prompts.fill(key),
    mention: async ({ chatId, key }) => context.mention(await chats.open(chatId), key),
  } satisfies Partial<PanelActions>;
}

function serverActions({ servers, documents }: Pick<PanelActionPorts, 'servers' | 'documents'>) {
  return {
    configureServers: ({ of }) => configureServers(of),
    openServers,
    showServerLog: ({ server }) => documents.showServerLog(server),
    restartServer: ({ server }) => servers.restart(server),
    stopServer: ({ server }) => servers.stop(server),
    answerServer: ({ question, isAllowed }) => servers.answer(question, isAllowed),
  } satisfies Partial<PanelActions>;
}

function editActions({ edits }: Pick<PanelActionPorts, 'edits'>) {
  return {
    compareRestored: ({ chatId, messageId, path }) => edits.compareRestored(chatId, messageId, path),
    viewChange: ({ args }) => edits.viewChange(args),
    showWritten: ({ chatId, messageId, path }) => edits.showWritten(chatId, { messageId, path }),
    undoWritten: ({ chatId, messageId, path }) => edits.undoWritten(chatId, { messageId, path }),
    showUnapplied: ({ chatId, callId }) => edits.showUnapplied(chatId, callId),
    compareTool: ({ chatId, callId }) => edits.compareTool(chatId, callId),
  } satisfies Partial<PanelActions>;
}

function openItem(key: string, { documents, context }: Pick<PanelActionPorts, 'documents' | 'context'>): Promise<void> {
  if (key.startsWith('tool:')) {
    return documents.showTool(key);
  }
  return key.startsWith('resource:') ? documents.showResource(key) : context.openItem(key);
}

/** Parses the URI of a dropped file. VS Code's window names files of a remote connection `vscode-remote:`. */
function parseDropped(text: string): vscode.Uri {
  const uri = vscode.Uri.parse(text, true);
  return uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : uri;
}

/** Saves a chat's settings as defaults of new chats, in the user settings. Throws when that fails. */
async function useForNewChats({ state: { config } }: ChatSession, settings: Pick<SettingsReader, 'current'>): Promise<void> {
  const section = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  try {
    for (const { name, value } of changedDefaults(config, settings.current())) {
      await section.update(`${DEFAULTS_PREFIX}${name}`, value, vscode.ConfigurationTarget.Global);
    }
  } catch (thrown) {
    throw failure('settings.notWritten', { cause: thrown });
  }
  const others = changedDefaults(config, settings.current()).map(({ name }) => settingOf(name).label);
  const text =
    others.length === 0
      ? 'New chats start with these settings.'
      : `Saved. This workspace overrides these settings for new chats: ${others.join(', ')}.`;
  void vscode.window.showInformationMessage(text);
}

/** Resets the chat settings to the defaults. Asks first, because written instructions may be lost. */
async function resetSettings(session: ChatSession, settings: Pick<SettingsReader, 'current'>): Promise<void> {
  const defaults = settings.current();
  const changed = changedDefaults(defaults, session.state.config).map(({ name }) => settingOf(name).label);
  if (changed.length === 0) {
    void vscode.window.showInformationMessage('This chat already has the default settings.');
    return;
  }
  const text = `Reset ${changed.join(', ')} of this chat to the defaults?`;
  if ((await vscode.window.showWarningMessage(text, { modal: true }, 'Reset')) !== undefined) {
    await session.changeConfig(defaults);
  }
}

async function showDefaults(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', `${SETTINGS_SECTION}.${DEFAULTS_PREFIX.slice(0, -1)}`);
}
