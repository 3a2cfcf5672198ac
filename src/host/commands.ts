import * as vscode from 'vscode';
import { ledgerTotals } from '../engine/accounting/ledger.js';
import { lastRun } from '../engine/chat/branch.js';
import { chatTitle } from '../engine/chat/opening.js';
import type { BranchState, TimelineItem } from '../engine/chat/timeline.js';
import type { Message } from '../engine/chat/message.js';
import { failure, toLoupeError } from '../engine/errors.js';
import type { Model } from '../engine/run/model.js';
import { member } from '../providers/json.js';
import { addUris, pickFiles, type AddFilesPorts } from './addFiles.js';
import type { App } from './app.js';
import type { CommandId } from './commandIds.js';
import type { ChatSession } from './chat/chatSession.js';
import { CHAT_VIEW_ID } from './chatView.js';
import { MAX_FILE_BYTES } from './files/readFile.js';
import { exportChat } from './exportChat.js';
import { importChat } from './importChat.js';
import { modelKey } from '../engine/chat/config.js';
import type { ModelRegistry } from './models.js';
import { modelMenu } from './providers/modelMenu.js';
import { addProvider, removeApiKey, setApiKey, type ProviderPorts } from './providers/providerCommands.js';
import type { OtherChats } from './otherChats.js';
import type { RequestDocuments } from './requestDocuments.js';
import { selectionName } from './selectionName.js';
import { systemClock } from './systemPorts.js';

export interface CommandPorts extends AddFilesPorts {
  readonly app: App;
  readonly models: ModelRegistry;
  readonly providers: ProviderPorts;
  readonly documents: RequestDocuments;
  readonly otherChats: OtherChats;
}

type Command = (ports: CommandPorts, ...args: unknown[]) => Promise<unknown>;

/**
 * The commands. They take what a keybinding or another extension would pass; what is missing is asked for, or is
 * the chat on show.
 */
const COMMANDS: Readonly<Record<CommandId, Command>> = {
  'loupe.newChat': async ({ app }) => {
    await reveal();
    return (await app.newChat()).id;
  },
  'loupe.openChat': openChat,
  'loupe.clearChat': async ({ app }, chatId) => (await app.clear(await chatOf(app, chatId))).id,
  'loupe.renameChat': renameChat,
  'loupe.deleteChat': async ({ app }, chatId) => app.deleteChat((await chatOf(app, chatId)).id),
  'loupe.forkChat': forkChat,
  'loupe.searchHistory': searchChats,
  'loupe.exportChat': async (ports, chatId, target) => exportChat(await chatOf(ports.app, chatId), target, ports),
  'loupe.importChat': async ({ otherChats }, chat) => {
    const chatId = await importChat(otherChats, chat);
    await reveal();
    return chatId;
  },
  'loupe.sendMessage': sendMessage,
  'loupe.editMessage': editMessage,
  'loupe.retry': retry,
  'loupe.stop': async ({ app }, chatId) => (await chatOf(app, chatId)).conversation.stop(),
  'loupe.addFileToContext': addFileToContext,
  'loupe.addSelectionToContext': addSelectionToContext,
  'loupe.removeFromContext': removeFromContext,
  'loupe.selectModel': selectModel,
  'loupe.addProvider': ({ providers }, config, key) => addProvider(providers, config, key),
  'loupe.setApiKey': ({ providers }, providerId, key) => setApiKey(providers, providerId, key),
  'loupe.removeApiKey': ({ providers }, providerId) => removeApiKey(providers, providerId),
  'loupe.showRequest': showRequest,
  'loupe.previewNextRequest': async ({ app, documents }, chatId) => documents.showNext((await chatOf(app, chatId)).id),
  'loupe.showUsage': showUsage,
  'loupe.showLog': ({ log }) => {
    log.show();
    return Promise.resolve();
  },
};

/**
 * Runs a command. A failure is logged, shown in the panel, and thrown on to the caller. What the user cancels is none:
 * VS Code would show it as one. It then gives undefined.
 */
export async function runCommand(id: CommandId, args: readonly unknown[], ports: CommandPorts): Promise<unknown> {
  try {
    return await COMMANDS[id](ports, ...args);
  } catch (thrown) {
    const error = toLoupeError(thrown);
    ports.panel.fail(error);
    if (error.kind === 'cancelled') {
      return undefined;
    }
    throw thrown;
  }
}

async function openChat({ app }: CommandPorts, chatId: unknown): Promise<void> {
  if (typeof chatId === 'string') {
    await reveal();
    await app.show(chatId);
    return;
  }
  await app.current();
  await app.chats.refresh();
  const items = app.chats.list().map(({ id, title, preview }) => ({ id, label: title, detail: preview }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: 'Open a chat', matchOnDetail: true });
  if (picked !== undefined) {
    await reveal();
    await app.show(picked.id);
  }
}

async function renameChat({ app }: CommandPorts, chatId: unknown, title: unknown): Promise<void> {
  const session = await chatOf(app, chatId);
  const value = chatTitle(session.state);
  const named = typeof title === 'string' ? title : await vscode.window.showInputBox({ prompt: 'Name of the chat', value });
  if (named !== undefined) {
    await session.rename(named);
  }
}

async function forkChat({ app }: CommandPorts, chatId: unknown, messageId: unknown): Promise<string> {
  const session = await chatOf(app, chatId);
  const at = typeof messageId === 'string' ? messageId : await lastMessage(session, 'assistant');
  if (at === null) {
    throw failure('chat.noReply');
  }
  return (await app.fork(session, at)).id;
}

/** With a query it resolves to what it finds; without one the user searches while typing. */
async function searchChats({ app, log }: CommandPorts, query: unknown, options: unknown): Promise<unknown> {
  const { checkedQuery, searchHistory } = await import('./searchHistory.js');
  if (query !== undefined && query !== null) {
    return (await searchHistory(app.chats, checkedQuery(query, options), new AbortController().signal)).results;
  }
  const { pickFromHistory } = await import('./searchPick.js');
  const choice = await pickFromHistory(app.chats, systemClock);
  if (choice?.type === 'chat') {
    await reveal();
    await app.show(choice.chatId);
    await (choice.messageId === null ? undefined : app.panel.reveal(choice.messageId));
  } else if (choice?.type === 'log') {
    log.show();
  }
  return undefined;
}

async function sendMessage({ app }: CommandPorts, text: unknown, options: unknown): Promise<void> {
  const session = await chatOf(app, member(options, 'chatId'));
  if (typeof text === 'string') {
    await session.conversation.send(text);
  } else {
    await reveal();
    app.panel.focusComposer();
  }
}

async function editMessage({ app }: CommandPorts, messageId: unknown, text: unknown, options: unknown): Promise<void> {
  const session = await chatOf(app, member(options, 'chatId'));
  const id = typeof messageId === 'string' ? messageId : await lastUserMessage(session);
  if (typeof text === 'string') {
    await session.conversation.edit(id, text);
  } else {
    await reveal();
    await app.beginEdit(session, id);
  }
}

async function retry({ app }: CommandPorts, messageId: unknown, options: unknown): Promise<void> {
  const session = await chatOf(app, member(options, 'chatId'));
  await session.conversation.retry(typeof messageId === 'string' ? messageId : await lastUserMessage(session));
}

/** From the explorer: the item clicked and all that are selected; from the editor title: its file; else the active editor's. */
async function addFileToContext(ports: CommandPorts, uri: unknown, uris: unknown): Promise<void> {
  const selected = Array.isArray(uris) ? uris.filter((each) => each instanceof vscode.Uri) : [];
  const clicked = uri instanceof vscode.Uri ? [uri] : [];
  const active = vscode.window.activeTextEditor?.document.uri;
  const all = selected.length > 0 ? selected : clicked.length > 0 ? clicked : active === undefined ? [] : [active];
  const session = await ports.app.current();
  if (all.length === 0) {
    await pickFiles(session, ports);
  } else {
    await addUris(session, all, ports);
  }
  await reveal();
}

/** The selected text as it is now: later changes of the file do not change it. */
async function addSelectionToContext({ app, files, sha256 }: CommandPorts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) {
    throw failure('editor.noSelection');
  }
  const { document, selection } = editor;
  const path = document.uri.scheme === 'file' ? files().relative(document.uri.fsPath) : null;
  if (path === null) {
    throw failure('editor.selectionOutside');
  }
  const text = document.getText(selection);
  if (Buffer.byteLength(text, 'utf8') > MAX_FILE_BYTES) {
    throw failure('editor.selectionTooLarge');
  }
  // A selection that ends before the first character of a line holds nothing of that line.
  const endsBefore = selection.end.character === 0;
  const name = selectionName(path, selection.start.line + 1, selection.end.line + (endsBefore ? 0 : 1));
  const session = await app.current();
  await session.addContext({ type: 'file', name, includeMode: 'manual', addedHash: sha256(text), given: await session.keepGiven(text) });
  await reveal();
}

async function removeFromContext({ app }: CommandPorts, key: unknown, options: unknown): Promise<void> {
  const session = await chatOf(app, member(options, 'chatId'));
  const keys = [...session.state.context.keys()];
  if (keys.length === 0) {
    throw failure('chat.noFiles');
  }
  const picked = typeof key === 'string' ? key : await vscode.window.showQuickPick(keys, { placeHolder: 'Remove from the chat' });
  const item = picked === undefined ? undefined : session.state.context.get(picked);
  if (item !== undefined) {
    await session.removeContext(item);
  } else if (typeof key === 'string') {
    throw failure('chat.fileNotAdded', { key });
  }
}

async function selectModel({ app, models, providers }: CommandPorts, key: unknown, options: unknown): Promise<void> {
  const session = await chatOf(app, member(options, 'chatId'));
  if (typeof key === 'string') {
    const find = (): Model | undefined => models.list().find(({ ref }) => modelKey(ref) === key);
    if (find() === undefined) {
      await models.ready();
    }
    const model = find();
    if (model === undefined) {
      throw failure('model.unknown', { key });
    }
    await session.changeConfig({ model: model.ref });
    return;
  }
  const lines = modelMenu(models.providers(), modelKey(session.state.config.model));
  const kind = vscode.QuickPickItemKind.Separator;
  const items = lines.map((line) => (line.type === 'provider' ? { label: line.label, kind, line } : { ...line, line }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: 'Model of this chat', matchOnDescription: true });
  if (picked?.line.type === 'model') {
    await session.changeConfig({ model: picked.line.model.ref });
  } else if (picked?.line.type === 'add') {
    await addProvider(providers, undefined, undefined);
  }
}

async function showRequest({ app, documents }: CommandPorts, chatId: unknown, messageId: unknown): Promise<void> {
  const session = await chatOf(app, chatId);
  const attempt = (lastRun(session.state) ?? lastRun(await session.whole()))?.attemptIds.at(-1);
  const id = typeof messageId === 'string' ? messageId : attempt;
  if (id === undefined) {
    throw failure('chat.noRequest');
  }
  await documents.showRequest(session.id, id);
}

async function showUsage({ app }: CommandPorts, chatId: unknown): Promise<void> {
  const { state } = await chatOf(app, chatId);
  const totals = ledgerTotals(state);
  const count = (tokens: number): string => tokens.toLocaleString('en-US');
  const cost = totals.cost === null ? '' : `, $${totals.cost.toPrecision(4)}`;
  const unknown =
    totals.unknownAttempts === 0 ? '' : ` ${String(totals.unknownAttempts)} of the requests reported no usage or have no price.`;
  // Nobody waits for the notification to be dismissed.
  void vscode.window.showInformationMessage(
    `${chatTitle(state)}: ${count(totals.attempts)} requests, ` +
      `${count(totals.promptTokens)} fresh, ${count(totals.cacheReadInputTokens)} cached and ` +
      `${count(totals.cacheCreationInputTokens)} written tokens in, ${count(totals.completionTokens)} out${cost}.${unknown}`,
  );
}

async function chatOf(app: App, chatId: unknown): Promise<ChatSession> {
  return typeof chatId === 'string' ? app.chats.open(chatId) : app.current();
}

async function lastUserMessage(session: ChatSession): Promise<string> {
  const id = await lastMessage(session, 'user');
  if (id === null) {
    throw failure('chat.noMessage');
  }
  return id;
}

/** The id of the last message of a role; null when there is none in the conversation. */
async function lastMessage(session: ChatSession, role: Message['role']): Promise<string | null> {
  const find = ({ timeline }: BranchState): TimelineItem | undefined =>
    timeline.findLast((item) => item.kind === 'message' && item.message.role === role);
  const item = find(session.state) ?? find(await session.whole());
  return item?.kind === 'message' ? item.message.id : null;
}

async function reveal(): Promise<void> {
  await vscode.commands.executeCommand(`${CHAT_VIEW_ID}.focus`);
}
