import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import type { ChatState } from '../../../src/engine/chat/state.js';
import { messageText, type AccountingMessage, type AssistantMessage, type Message } from '../../../src/engine/chat/message/message.js';
import { transcript } from '../../../src/engine/chat/transcript.js';
import type { ToolExecutor } from '../engine/toolExecutor.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { runNote } from '../../../src/host/panel/conversation/runNotes.js';
import type { RunAction } from '../../../src/protocol/panel/entries.js';

/** Returns everything about a chat as a constant value. */
export function wholeState(state: ChatState): unknown {
  return {
    ...state,
    context: [...state.context],
    timeline: [...state.timeline],
    // Their order has no meaning: they are looked up by id.
    runs: Object.fromEntries(state.runs),
    attempts: Object.fromEntries([...state.attempts].map(([id, attempt]) => [id, { ...attempt, reply: [...attempt.reply] }])),
    rewinds: [...state.rewinds],
    problems: [...state.problems],
  };
}

export function messages(state: ChatState): Message[] {
  return state.timeline.flatMap((item) => (item.kind === 'message' ? [item.message] : []));
}

/** The conversation as `role: text` lines, without notes. */
export function conversation(state: ChatState): string[] {
  return messages(state)
    .filter(({ role }) => role === 'user' || role === 'assistant' || role === 'tool-results')
    .map((message) => `${message.role}: ${messageText(message)}`);
}

export function sentTexts(state: ChatState): string[] {
  return transcript(state).messages.map(messageText);
}

export function unsentTexts(state: ChatState): string[] {
  const { unsent } = transcript(state);
  return messages(state)
    .filter(({ id }) => unsent.has(id))
    .map(messageText);
}

export function lastMessage<R extends Message['role']>(state: ChatState, role: R): Extract<Message, { role: R }> {
  const found = messages(state).findLast((message) => message.role === role);
  if (found === undefined) {
    throw new Error(`There is no ${role} message.`);
  }
  return found as Extract<Message, { role: R }>;
}

export const lastUser = (state: ChatState): Message => lastMessage(state, 'user');
export const lastReply = (state: ChatState): AssistantMessage => lastMessage(state, 'assistant');
export const lastAccounting = (state: ChatState): AccountingMessage => lastMessage(state, 'accounting');

export function lastAttempt(state: ChatState): AttemptState {
  const attempt = [...state.attempts.values()].at(-1);
  if (attempt === undefined) {
    throw new Error('Nothing was sent yet.');
  }
  return attempt;
}

export function partialText(session: ChatSession): string {
  const attempt = [...session.state.attempts.values()].at(-1);
  return (attempt?.reply ?? []).map((part) => (part?.type === 'text' ? part.text : '')).join('');
}

export function runStatuses(state: ChatState): string[] {
  return [...state.runs.values()].map(({ status }) => status);
}

/** The buttons of the note about the last run. */
export function actionsOf({ state }: ChatSession): readonly RunAction[] {
  const run = [...state.runs.values()].at(-1);
  const note = run === undefined ? undefined : runNote(run, state, [])[0]?.derive();
  return note?.kind === 'runNote' ? note.actions : [];
}

/** A tool that returns its arguments and counts its calls. */
export class EchoTool implements ToolExecutor {
  readonly calls: string[] = [];

  has(name: string): boolean {
    return name === 'echo';
  }

  call({ args }: Parameters<ToolExecutor['call']>[0]): ReturnType<ToolExecutor['call']> {
    const text = JSON.stringify(args);
    this.calls.push(text);
    return Promise.resolve({ content: [{ type: 'text', text: `Echo of ${text}` }], isError: false });
  }
}

export async function storedText(folder: string, chatId: string): Promise<string> {
  const chat = join(folder, 'chats', chatId);
  const entries = await readdir(chat, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.sort().map((file) => readFile(file, 'utf8')))).join('');
}
