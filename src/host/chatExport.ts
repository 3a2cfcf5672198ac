import { setImmediate } from 'node:timers/promises';
import type { ChatEvent } from '../engine/chat/event.js';
import { chatMarkdown } from '../engine/chat/exported.js';
import { failure, refuseAborted, toLoupeError, type LoupeError } from '../engine/errors.js';
import type { CopyWatch } from '../storage/copyChat.js';
import { plainReason } from '../storage/failure.js';
import type { WholeLog } from '../storage/wholeLog.js';
import type { ChatSession } from './chat/chatSession.js';
import type { Chats } from './chat/chats.js';
import type { ExportFormat } from './exportFile.js';

/** The content of an export. */
export interface ChatExport {
  /** UTF-8. */
  readonly bytes: Uint8Array;
  /** What of the chat is not in it, as whole sentences; empty when all of it is. */
  readonly missing: readonly string[];
}

export interface ChatExportPorts {
  readonly chats: Pick<Chats, 'readLog'>;
  logError(error: LoupeError): void;
}

/** Events encoded at a time: some milliseconds, which hold nothing else up. */
const ENCODED_AT_ONCE = 500;

/** A chat as the content of a file. Throws `storage` when the format needs what cannot be read, and `cancelled`. */
export function chatExport(session: ChatSession, format: ExportFormat, ports: ChatExportPorts, watch: CopyWatch): Promise<ChatExport> {
  return format === 'markdown' ? asMarkdown(session, ports, watch) : asJsonLines(session, ports, watch);
}

/** The conversation as this window holds it, after reading what is still there of the rest. */
async function asMarkdown(session: ChatSession, ports: ChatExportPorts, watch: CopyWatch): Promise<ChatExport> {
  const failure = await readOn(session, watch);
  if (failure !== null) {
    ports.logError(failure);
  }
  const unread = failure === null ? [] : [failure.message];
  return { bytes: Buffer.from(chatMarkdown(session.state)), missing: [...unread, ...damage(session.faults)] };
}

/** Reads all of the chat. Returns why that was not possible; null when it was. */
async function readOn(session: ChatSession, watch: CopyWatch): Promise<LoupeError | null> {
  refuseAborted(watch.signal, 'export.cancelled');
  const cancel = (): void => {
    session.reading?.cancel();
  };
  const stopListening = session.onChange(() => {
    watch.progress(session.reading?.share ?? 1, 1);
  });
  watch.signal.addEventListener('abort', cancel);
  try {
    await session.whole();
    return null;
  } catch (thrown) {
    const error = toLoupeError(thrown);
    if (error.kind === 'cancelled') {
      throw error;
    }
    return error;
  } finally {
    stopListening();
    watch.signal.removeEventListener('abort', cancel);
  }
}

/** The events of the chat in their order, each as a line of JSON, with what waits unsaved. */
async function asJsonLines(session: ChatSession, { chats }: ChatExportPorts, watch: CopyWatch): Promise<ChatExport> {
  // What the log has at least: the messages, and the attempts to answer them.
  const { timeline, attempts } = session.state;
  const shown = [...timeline.flatMap((item) => (item.kind === 'message' ? [item.message.id] : [])), ...attempts.keys()];
  const { events, faults } = await readLog(session.id, chats, watch);
  const logged = new Set(events.map(entryId));
  const lost = shown.filter((id) => !logged.has(id)).length;
  const missing =
    lost === 0 ? [] : ['Its log on the disk no longer has all that this window holds of it: as Markdown that can be exported.'];
  return { bytes: await encode(events, watch.signal), missing: [...missing, ...damage(faults)] };
}

async function readLog(chatId: string, chats: ChatExportPorts['chats'], watch: CopyWatch): Promise<WholeLog> {
  let log: WholeLog;
  try {
    log = await chats.readLog(chatId, watch);
  } catch (thrown) {
    throw toLoupeError(thrown).kind === 'cancelled'
      ? thrown
      : failure('export.notAsJsonLines', { reason: plainReason(thrown).replace(/\.$/, '') }, { cause: thrown });
  }
  if (!log.events.some(({ type }) => type === 'chat-created')) {
    throw failure('export.notAsJsonLines', { reason: 'its log is not on the disk any more, or has lost its beginning' });
  }
  return log;
}

async function encode(events: readonly ChatEvent[], signal: AbortSignal): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for (let from = 0; from < events.length; from += ENCODED_AT_ONCE) {
    refuseAborted(signal, 'export.cancelled');
    const lines = events.slice(from, from + ENCODED_AT_ONCE).map(jsonLine);
    pieces.push(Buffer.from(lines.join('')));
    await setImmediate();
  }
  return Buffer.concat(pieces);
}

/** Unlike a line of a segment it names its writer, since those of all segments are together, and has no checksum. */
function jsonLine({ v, seq, id, at, writer, type, ...members }: ChatEvent): string {
  return `${JSON.stringify({ v, seq, id, at, writer, type, ...members })}\n`;
}

function entryId(event: ChatEvent): string | null {
  switch (event.type) {
    case 'message':
      return event.message.id;
    case 'attempt-started':
      return event.attemptId;
    default:
      return null;
  }
}

/** A byte order mark is named as a fault, but nothing is lost by it. */
function damage(faults: WholeLog['faults']): string[] {
  const places = faults.filter(({ kind }) => kind !== 'bom').length;
  if (places === 0) {
    return [];
  }
  return [`${places === 1 ? 'A place' : `${String(places)} places`} of its log could not be read: what stood there is missing.`];
}
