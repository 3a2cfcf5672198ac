import { contentsOf } from '../../engine/chat/contents.js';
import type { EventDraft } from '../../engine/chat/event.js';
import { isSent, type SentMessage } from '../../engine/chat/message.js';
import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Blobs } from '../../storage/blobs.js';
import type { ChatSession } from './chatSession.js';
import { forkDrafts } from './forkDrafts.js';

type Origin = Pick<Extract<EventDraft, { readonly type: 'chat-created' }>, 'config' | 'parent'>;

export interface ForkPorts {
  create(origin: Origin, more: readonly EventDraft[]): Promise<ChatSession>;
  /** Deletes a chat that was created in vain. */
  discard(chatId: string): Promise<void>;
  blobs(chatId: string): Blobs;
  logError(error: LoupeError): void;
}

/**
 * A new chat with the conversation of another up to and including a message, the context and the settings. Each chat
 * has its blobs in its own folder: those of the messages and of the context are copied, before the lines that name them are written.
 * Rejects with `storage` when that fails, and leaves no chat then.
 */
export async function forkChat(session: ChatSession, messageId: string, ports: ForkPorts): Promise<ChatSession> {
  await session.history.whole();
  const { state } = session;
  const drafts = forkDrafts(state, messageId);
  const origin = { config: state.config, parent: { chatId: state.chatId, messageId } };
  const names = blobNames(drafts);
  if (names.size === 0) {
    return ports.create(origin, drafts);
  }
  const fork = await ports.create(origin, []);
  try {
    await copyBlobs(names, ports.blobs(state.chatId), ports.blobs(fork.id), ports);
  } catch (thrown) {
    await discardFork(fork.id, ports);
    throw thrown;
  }
  await fork.record(drafts);
  return fork;
}

function blobNames(drafts: readonly EventDraft[]): ReadonlySet<string> {
  const messages = drafts.flatMap((draft): SentMessage[] => (draft.type === 'message' && isSent(draft.message) ? [draft.message] : []));
  const given = drafts.flatMap((draft) => (draft.type === 'context-added' ? (draft.item.given ?? []) : []));
  return new Set([...contentsOf(messages), ...given].flatMap((content) => ('blob' in content ? [content.blob] : [])));
}

async function copyBlobs(names: ReadonlySet<string>, from: Blobs, to: Blobs, ports: ForkPorts): Promise<void> {
  for (const name of names) {
    let bytes: Uint8Array;
    try {
      bytes = await from.get(name);
    } catch (thrown) {
      // It is missing in the other chat as well; requests of both say so.
      ports.logError(toLoupeError(thrown));
      continue;
    }
    await to.put(bytes);
  }
}

async function discardFork(chatId: string, ports: ForkPorts): Promise<void> {
  try {
    await ports.discard(chatId);
  } catch (thrown) {
    // An empty chat is left; why there is no fork, the caller says.
    ports.logError(toLoupeError(thrown));
  }
}
