import type { ChatConfig } from '../../engine/chat/settings/config.js';
import { forkEvents, forkEventsBefore } from '../../engine/request/fork.js';
import type { UserMessage } from '../../engine/chat/message/message.js';
import type { SentAgain } from '../../engine/chat/slices/slice.js';
import type { NewEvent } from '../../engine/chat/slices/table.js';
import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Blobs } from '../../storage/blobs.js';
import type { ChatSession } from './chatSession.js';

type Origin = Pick<Extract<NewEvent, { readonly type: 'chat-created' }>, 'config' | 'parent'>;

export interface ForkPorts {
  create(origin: Origin, more: readonly NewEvent[]): Promise<ChatSession>;
  /** Deletes a new chat that could not be filled. */
  discard(chatId: string): Promise<void>;
  blobs(chatId: string): Blobs;
  logError(error: LoupeError): void;
}

/** A fork that ends before a message of the user, and is changed. */
export interface ForkBefore {
  readonly message: UserMessage;
  readonly config: ChatConfig;
  /** Why the message is sent again there. */
  readonly sentAgain: SentAgain;
  /** What is logged behind all that is copied. */
  readonly more: readonly NewEvent[];
}

/**
 * Creates a chat with another's settings, context and conversation up to and including a message (by its id), or before one. Each chat keeps its
 * blobs in its own folder, so the blobs are copied before the lines that name them are written. Rejects with
 * `storage` when that fails, and deletes the new chat; rejects with `cancelled` as `ChatSession.whole` does.
 */
export async function forkChat(session: ChatSession, at: string | ForkBefore, ports: ForkPorts): Promise<ChatSession> {
  const state = await session.whole();
  const { chatId } = state;
  const drafts = typeof at === 'string' ? forkEvents(state, at) : [...forkEventsBefore(state, at.message.id), ...at.more];
  const origin =
    typeof at === 'string'
      ? { config: state.config, parent: { chatId, messageId: at } }
      : { config: at.config, parent: { chatId, messageId: at.message.id, sentAgain: at.sentAgain } };
  // The message itself is sent in the fork.
  const names = blobNames(typeof at === 'string' ? drafts : [at.message, ...drafts]);
  if (names.size === 0) {
    return ports.create(origin, drafts);
  }
  const fork = await ports.create(origin, []);
  try {
    await copyBlobs(names, ports.blobs(state.chatId), ports.blobs(fork.id), ports);
  } catch (thrown) {
    // If this fails too, an empty chat remains. The caller reports why there is no fork.
    await ports.discard(fork.id).catch((failed: unknown) => {
      ports.logError(toLoupeError(failed));
    });
    throw thrown;
  }
  await fork.record(drafts);
  return fork;
}

/** The blobs of messages, context items, session files and request records: a line names each in a member `blob`. */
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
      // The original lacks the blob as well; requests of both chats report it.
      ports.logError(toLoupeError(thrown));
      continue;
    }
    await to.put(bytes);
  }
}
