import { findMessage } from '../../engine/chat/branch.js';
import { contentText } from '../../engine/chat/message/message.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { WholeChat } from '../../engine/chat/state.js';
import { failure } from '../../engine/errors.js';
import type { Blobs } from '../../storage/blobs.js';
import { attemptOfReply, canRebuild, rebuildRequest, type RebuildPorts, type RebuiltRequest } from '../request/rebuildRequest.js';
import type { SessionLog } from './sessionLog.js';

export interface ChatRecordsPorts extends RebuildPorts {
  readonly blobs: Pick<Blobs, 'get' | 'put'>;
  readonly log: Pick<SessionLog, 'state' | 'checkWritable'>;
  readonly whole: () => Promise<WholeChat>;
}

/** What a chat stored about its past: requests, results of tools, and blobs. */
export class ChatRecords {
  readonly #ports: ChatRecordsPorts;

  constructor(ports: ChatRecordsPorts) {
    this.#ports = ports;
  }

  /** Returns the request behind a reply. `id` is the id of the reply's message or of its attempt. */
  async request(id: string): Promise<{ readonly attempt: AttemptState; readonly rebuilt: RebuiltRequest }> {
    const { log, whole } = this.#ports;
    const state = canRebuild(log.state, id) ? log.state : await whole();
    const attempt = attemptOfReply(state, id);
    if (attempt === undefined) {
      throw failure('chat.noRequestRecord');
    }
    return { attempt, rebuilt: await rebuildRequest(state, attempt, this.#ports) };
  }

  /** Returns a full tool result. Rejects with `storage` when it is unreadable, or `invalidInput` when it is missing. */
  async resultText(messageId: string, callId: string): Promise<string> {
    const { log, whole, blobs } = this.#ports;
    const message = findMessage(log.state, messageId) ?? findMessage(await whole(), messageId);
    const part = message?.role === 'tool-results' ? message.parts.find((each) => each.callId === callId) : undefined;
    if (part === undefined) {
      throw failure('chat.resultGone');
    }
    const texts = part.content.map(async (item) =>
      item.type === 'blob' ? Buffer.from(await blobs.get(item.blob)).toString('utf8') : contentText(item),
    );
    return (await Promise.all(texts)).join('\n');
  }

  /** Stores bytes in the chat's folder and returns their SHA-256. Throws `invalidInput` when the chat is read-only. */
  keepBlob(bytes: Uint8Array): Promise<string> {
    const { log, blobs } = this.#ports;
    log.checkWritable();
    return blobs.put(bytes);
  }

  /** Reads a stored blob, such as an image, by its SHA-256. Rejects with `storage` when missing or damaged. */
  blob(sha: string): Promise<Uint8Array> {
    return this.#ports.blobs.get(sha);
  }
}
