import { addBlobNames } from '../../engine/chat/blobNames.js';
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
  /** Deletes the new chat after its copy has failed. */
  discard(chatId: string): Promise<void>;
  blobs(chatId: string): Blobs;
  logError(error: LoupeError): void;
}

/** A fork that ends before a user message, with one change. The fork sends this message again. */
export interface ForkPoint {
  readonly message: UserMessage;
  readonly config: ChatConfig;
  readonly sentAgain: ResentMessage;
  readonly more: readonly NewEvent[];
}

/**
 * Copies a chat with its settings and context up to a message (by id), or to just before a message. Each chat has its
 * own blobs, so blobs are copied before the log lines that name them. After a failure, deletes the new chat and rejects
 * with `storage`. Rejects with `cancelled` as `ChatSession.whole` does.
 */
export async function forkChat(session: ChatSession, at: string | ForkPoint, ports: ForkPorts): Promise<ChatSession> {
  const state = await session.whole();
  const { chatId } = state;
  const newEvents = typeof at === 'string' ? forkEvents(state, at) : [...forkEventsBefore(state, at.message.id), ...at.more];
  const origin =
    typeof at === 'string'
      ? { config: state.config, parent: { chatId, messageId: at } }
      : { config: at.config, parent: { chatId, messageId: at.message.id, sentAgain: at.sentAgain } };
  // The fork will send the message of `at` again, so the blobs of this message are needed too.
  const names = new Set<string>();
  addBlobNames(typeof at === 'string' ? newEvents : [at.message, ...newEvents], names);
  if (names.size === 0) {
    return ports.create(origin, newEvents);
  }
  const fork = await ports.create(origin, []);
  try {
    await copyBlobs(names, ports.blobs(state.chatId), ports.blobs(fork.id), ports);
  } catch (thrown) {
    // If the deletion fails too, an empty chat remains. The caller reports only the first failure.
    await ports.discard(fork.id).catch((failed: unknown) => {
      ports.logError(toLoupeError(failed));
    });
    throw thrown;
  }
  await fork.record(newEvents);
  return fork;
}

async function copyBlobs(names: ReadonlySet<string>, from: Blobs, to: Blobs, ports: ForkPorts): Promise<void> {
  for (const name of names) {
    let bytes: Uint8Array;
    try {
      bytes = await from.get(name);
    } catch (thrown) {
      // The blob is missing in the original chat too. A request that needs the blob reports this in both chats.
      ports.logError(toLoupeError(thrown));
      continue;
    }
    await to.put(bytes);
  }
}
