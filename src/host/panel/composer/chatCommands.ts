import { compactionRange } from '../../../engine/compaction/range.js';
import { failure, toLoupeError } from '../../../engine/errors.js';
import { CHAT_COMMANDS, type ChatCommand, COMMANDS_WITH_TEXT } from '../../../protocol/panel/chatCommands.js';
import type { MentionRow } from '../../../protocol/panel/toWebview.js';
import type { ChatSession } from '../../chat/chatSession.js';
import { hasMessage, lastReply } from '../../chat/lastMessage.js';
import { type Fit, fitOf } from '../../context/mentions/fit.js';
import type { RankedRows } from '../../tools/prompts/promptFinder.js';
import type { HandlerRoom } from '../shell/handles.js';

interface CommandTexts {
  readonly about: string;
  /** What the command does with the text after its name. Null for a command without text. */
  readonly withText: string | null;
  /** Other words by which users look for the command. */
  readonly keywords: readonly string[];
}

const TEXTS: Readonly<Record<ChatCommand, CommandTexts>> = {
  summarize: { about: 'Replace older messages, after a preview', withText: null, keywords: ['compact', 'shorten'] },
  new: { about: 'New chat, with the text after /new', withText: 'New chat with this text in the message box', keywords: [] },
  model: { about: 'Choose the model, or search: /model son', withText: 'Search the models for this text', keywords: ['switch'] },
  usage: { about: 'Tokens and cost of this chat', withText: null, keywords: ['cost', 'tokens', 'price'] },
  export: { about: 'Write this chat to a file', withText: null, keywords: ['save', 'download'] },
  clear: { about: 'New chat with these settings and files', withText: null, keywords: ['reset'] },
  fork: { about: 'Copy this chat into a new chat', withText: null, keywords: ['copy', 'branch'] },
};

/** Rank of a command that only a keyword fits. It comes after prompts with the typed text in their name. */
const KEYWORD = 3.5;
/** Rank of a text whose letters are only scattered in the name. */
const LETTERS = 4;

/** Returns the commands that fit a typed text. A text with spaces is a command with its text, as in `model son`. */
export function commandRows(typed: string, session: CommandedChat): RankedRows {
  const [, name = '', text] = /^(\S*)(?:\s+([^]*))?$/.exec(typed) ?? [];
  const found = CHAT_COMMANDS.flatMap((command) => {
    const fit = text === undefined ? fitOfCommand(name.toLowerCase(), command) : fitWithText(name, command);
    return fit === null ? [] : [{ fit, row: rowOf(command, fit, { session, hasText: text !== undefined && text.trim() !== '' }) }];
  });
  return { rows: found.map(({ row }) => row), rank: Math.min(...found.map(({ fit }) => fit.rank)) };
}

/** The part of a chat that decides which commands can run. */
export type CommandedChat = Pick<ChatSession, 'state' | 'whole'>;

function fitOfCommand(text: string, command: ChatCommand): Fit | null {
  const fit = fitOf(text, { name: command, path: '' });
  if (fit !== null && fit.rank < LETTERS) {
    return fit;
  }
  return TEXTS[command].keywords.some((keyword) => keyword.startsWith(text)) ? { rank: KEYWORD, matches: [] } : null;
}

function fitWithText(name: string, command: ChatCommand): Fit | null {
  return name === command && COMMANDS_WITH_TEXT.includes(command) ? fitOf(name, { name: command, path: '' }) : null;
}

interface RowScope {
  readonly session: CommandedChat;
  readonly hasText: boolean;
}

function rowOf(command: ChatCommand, { matches }: Fit, { session, hasText }: RowScope): MentionRow {
  const { about, withText } = TEXTS[command];
  return {
    ...{ key: command, kind: 'command', name: command, about: hasText ? (withText ?? about) : about },
    ...{ matches, isIn: false, tokens: null, problem: problemOf(command, session) },
  };
}

/** Returns why a command cannot run in a chat now. Null when it can. */
function problemOf(command: ChatCommand, session: CommandedChat): string | null {
  switch (command) {
    case 'summarize':
      return summaryProblem(session);
    case 'export':
    case 'clear':
      return hasMessage(session.state, 'user') ? null : failure('chat.noMessage').message;
    case 'fork':
      return hasMessage(session.state, 'assistant') ? null : failure('chat.noReply').message;
    default:
      return null;
  }
}

function summaryProblem({ state }: CommandedChat): string | null {
  // The unloaded part of a long chat has messages to replace.
  if (state.extent !== 'whole') {
    return null;
  }
  try {
    compactionRange(state, null);
    return null;
  } catch (thrown) {
    return toLoupeError(thrown).message;
  }
}

type Run = (session: ChatSession, text: string, room: HandlerRoom) => unknown;

const RUNS: Readonly<Record<ChatCommand, Run>> = {
  summarize: ({ compactor }) => compactor.preview.plan(null),
  new: async (_session, text, { shown, draftActions }) => {
    const session = await shown.newChat();
    if (text !== '') {
      draftActions.insert(session, text, 0);
    }
  },
  model: (session, text, { features }) => features.questions.searchModel(session, text.trim()),
  usage: ({ id }, _text, { features }) => {
    features.usage.show(id);
  },
  export: (session, _text, { features }) => features.exportChat(session),
  clear: (session, _text, { shown }) => shown.clear(session),
  fork: async (session, _text, { shown }) => shown.fork(session, await lastReply(session)),
};

/** Runs a command of the chat, as its button or VS Code command does. */
export async function runChatCommand(
  session: ChatSession,
  { command, text }: { readonly command: ChatCommand; readonly text: string },
  room: HandlerRoom,
): Promise<void> {
  await RUNS[command](session, text, room);
}
