import * as vscode from 'vscode';
import type { Clock } from '../../engine/ports.js';
import type { ChatQuestions } from '../chat/chatQuestions.js';
import type { ChatSession } from '../chat/chatSession.js';
import { lastReply } from '../chat/lastMessage.js';
import type { Chats } from '../chat/chats.js';
import type { Panel } from '../panel/shell/panel.js';
import type { ShownChat } from '../panel/shell/shownChat.js';
import type { ExportWish } from '../transfer/exportChat.js';
import { chatRow } from './chatRow.js';
import { pickFromHistory } from '../search/pickFromHistory.js';
import { checkedQuery, searchHistory } from '../search/searchHistory.js';

export interface ChatCommandPorts {
  readonly chats: Pick<Chats, 'search' | 'titleOf'>;
  readonly shown: ShownChat;
  readonly panel: Pick<Panel, 'reveal' | 'typeIn'>;
  readonly revealPanel: () => Promise<void>;
  readonly openInEditor: (chatId: string) => Promise<void>;
  readonly questions: ChatQuestions;
  readonly importChat: (chat: unknown) => Promise<string | null>;
  readonly clock: Clock;
  readonly exportChat: (session: ChatSession, wish: ExportWish) => Promise<vscode.Uri | null>;
  readonly copyChat: (session: ChatSession) => Promise<void>;
  readonly showLog: () => void;
}

export const CHAT_COMMANDS = {
  'loupe.newChat': async ({ shown, revealPanel }: ChatCommandPorts) => {
    await revealPanel();
    return (await shown.newChat()).id;
  },
  'loupe.openChat': openChat,
  'loupe.openInEditor': async ({ shown, openInEditor }: ChatCommandPorts, chatId: unknown) => openInEditor((await shown.named(chatId)).id),
  'loupe.clearChat': async ({ shown }: ChatCommandPorts, chatId: unknown) => (await shown.clear(await shown.named(chatId))).id,
  'loupe.renameChat': async ({ shown, questions }: ChatCommandPorts, chatId: unknown, title: unknown) =>
    questions.title(await shown.named(chatId), title),
  'loupe.generateTitle': async ({ shown }: ChatCommandPorts, chatId: unknown) => (await shown.named(chatId)).titler.generate(),
  'loupe.deleteChat': async ({ shown }: ChatCommandPorts, chatId: unknown) => shown.delete((await shown.named(chatId)).id),
  'loupe.forkChat': forkChat,
  'loupe.searchHistory': searchChats,
  'loupe.findInChat': async ({ shown, panel, revealPanel }: ChatCommandPorts) => {
    await revealPanel();
    await shown.current();
    panel.typeIn('find');
  },
  'loupe.focusQuestion': async ({ panel, revealPanel }: ChatCommandPorts) => {
    await revealPanel();
    panel.typeIn('focusQuestion');
  },
  'loupe.exportChat': async ({ shown, exportChat }: ChatCommandPorts, chatId: unknown, target: unknown, options: unknown) =>
    exportChat(await shown.named(chatId), { target, options }),
  'loupe.copyChat': async ({ shown, copyChat }: ChatCommandPorts, chatId: unknown) => copyChat(await shown.named(chatId)),
  'loupe.importChat': ({ importChat }: ChatCommandPorts, chat: unknown) => importChat(chat),
};

async function openChat({ shown, clock, revealPanel }: ChatCommandPorts, chatId: unknown): Promise<void> {
  if (typeof chatId === 'string') {
    await revealPanel();
    await shown.show(chatId);
    return;
  }
  await shown.current();
  const items = (await shown.listed()).map((chat) => chatRow(chat, clock.now()));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: 'Open a chat', matchOnDetail: true });
  if (picked !== undefined) {
    await revealPanel();
    await shown.show(picked.id);
  }
}

async function forkChat({ shown }: ChatCommandPorts, chatId: unknown, messageId: unknown): Promise<string> {
  const session = await shown.named(chatId);
  return (await shown.fork(session, typeof messageId === 'string' ? messageId : await lastReply(session))).id;
}

/** Returns the results for `query`. Without a query, opens a list that searches while the user types. */
async function searchChats(ports: ChatCommandPorts, query: unknown, options: unknown): Promise<unknown> {
  const { chats, shown, panel, clock, revealPanel, showLog } = ports;
  if (query !== undefined && query !== null) {
    return (await searchHistory(chats, checkedQuery(query, options), new AbortController().signal)).results;
  }
  const choice = await pickFromHistory(chats, clock);
  if (choice?.type === 'chat') {
    await revealPanel();
    await shown.show(choice.chatId);
    await (choice.messageId === null ? undefined : panel.reveal(choice.messageId, choice.text));
  } else if (choice?.type === 'log') {
    showLog();
  }
  return undefined;
}
