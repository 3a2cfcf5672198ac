import { forkDrafts } from '../../engine/chat/fork.js';
import type { EventDraft } from '../../engine/chat/slices/table.js';
import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Blobs } from '../../storage/blobs.js';
import type { ChatSession } from './chatSession.js';

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
 * has its blobs in its own folder: those that the fork's lines name are copied before these are written. Rejects with
 * `storage` when that fails, and leaves no chat then; with `cancelled` as `ChatSession.whole` does.
 */
export async function forkChat(session: ChatSession, messageId: string, ports: ForkPorts): Promise<ChatSession> {
  const state = await session.whole();
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
    // When that fails as well an empty chat is left; why there is no fork, the caller says.
    await ports.discard(fork.id).catch((failed: unknown) => {
      ports.logError(toLoupeError(failed));
    });
    throw thrown;
  }
  await fork.record(drafts);
  return fork;
}

/** Of messages, the context, session files and the records of requests: a line names a blob in a member of that name. */
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
      // It is missing in the other chat as well; requests of both say so.
      ports.logError(toLoupeError(thrown));
      continue;
    }
    await to.put(bytes);
  }
}
