import type { ChatConfig } from '../../engine/chat/settings/config.js';
import { forkEvents, forkEventsBefore } from '../../engine/request/fork.js';
import type { UserMessage } from '../../engine/chat/message/message.js';
import type { ResentMessage } from '../../engine/chat/slices/slice.js';
import type { NewEvent } from '../../engine/chat/slices/table.js';
import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Blobs } from '../../storage/blobs.js';
import type { ChatSession } from './chatSession.js';

type Origin = Pick<Extract<NewEvent, { readonly type: 'chat-created' }>, 'config' | 'parent'>;

export interface ForkPorts {
  create(origin: Origin, more: readonly NewEvent[]): Promise<ChatSession>;
  /** Deletes a new chat after a failed copy. */
  discard(chatId: string): Promise<void>;
  blobs(chatId: string): Blobs;
  logError(error: LoupeError): void;
}

/** A fork that ends just before a user message and gets a change. */
export interface ForkPoint {
  readonly message: UserMessage;
  readonly config: ChatConfig;
  readonly sentAgain: ResentMessage;
  readonly more: readonly NewEvent[];
}

/**
 * Creates a chat with the settings, context and conversation of another, up to a message (by id) or before one. Each
 * chat has its own blobs, which are copied before the log lines that name them. After a failure, deletes the new chat
 * and rejects with `storage`. Rejects with `cancelled` as `ChatSession.whole` does.
 */
export async function forkChat(session: ChatSession, at: string | ForkPoint, ports: ForkPorts): Promise<ChatSession> {
  const state = await session.whole();
  const { chatId } = state;
  const newEvents = typeof at === 'string' ? forkEvents(state, at) : [...forkEventsBefore(state, at.message.id), ...at.more];
  const origin =
    typeof at === 'string'
      ? { config: state.config, parent: { chatId, messageId: at } }
      : { config: at.config, parent: { chatId, messageId: at.message.id, sentAgain: at.sentAgain } };
  // The fork sends the message itself again.
  const names = blobNames(typeof at === 'string' ? newEvents : [at.message, ...newEvents]);
  if (names.size === 0) {
    return ports.create(origin, newEvents);
  }
  const fork = await ports.create(origin, []);
  try {
    await copyBlobs(names, ports.blobs(state.chatId), ports.blobs(fork.id), ports);
  } catch (thrown) {
    // If this fails too, an empty chat remains. The caller reports the first failure.
    await ports.discard(fork.id).catch((failed: unknown) => {
      ports.logError(toLoupeError(failed));
    });
    throw thrown;
  }
  await fork.record(newEvents);
  return fork;
}

/** Collects blobs of messages, items, session files and request records. Each is named in a member `blob`. */
function blobNames(value: unknown): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) {
    return new Set();
  }
  const own = 'blob' in value && typeof value.blob === 'string' ? [value.blob] : [];
  return new Set([...own, ...Object.values(value).flatMap((member) => [...blobNames(member)])]);
}

async function copyBlobs(names: ReadonlySet<string>, from: Blobs, to: Blobs, ports: ForkPorts): Promise<void> {
  for (const name of names) {
    let bytes: Uint8Array;
    try {
      bytes = await from.get(name);
    } catch (thrown) {
      // The original lacks the blob as well. Requests of both chats report it.
      ports.logError(toLoupeError(thrown));
      continue;
    }
    await to.put(bytes);
  }
}
