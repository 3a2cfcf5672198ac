import { setImmediate } from 'node:timers/promises';
import type { ChatEvent } from '../../engine/chat/event.js';
import { chatText } from '../chat/chatText.js';
import { failure, refuseAborted, toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { CopyWatch } from '../../storage/copyChat.js';
import { plainReason } from '../../storage/failure.js';
import type { LogContents } from '../../storage/logContents.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Chats } from '../chat/chats.js';
import type { ExportFormat } from './exportName.js';

/** The content of an export. */
export interface ExportContent {
  /** UTF-8. */
  readonly bytes: Uint8Array;
  /** The parts of the chat that are missing, as whole sentences; empty when none are. */
  readonly missing: readonly string[];
}

export interface ExportContentPorts {
  readonly chats: Pick<Chats, 'readLog'>;
  logError(error: LoupeError): void;
}

/** Events encoded in one step: some milliseconds, so that nothing else is held up. */
const ENCODED_AT_ONCE = 500;

/** The file content of an export. Throws `storage` when the format needs something unreadable, and `cancelled`. */
export function exportContent(
  session: ChatSession,
  format: ExportFormat,
  ports: ExportContentPorts,
  watch: CopyWatch,
): Promise<ExportContent> {
  return format === 'markdown' ? asMarkdown(session, ports, watch) : asJsonLines(session, ports, watch);
}

/** The conversation in memory, after an attempt to read the rest. */
async function asMarkdown(session: ChatSession, ports: ExportContentPorts, watch: CopyWatch): Promise<ExportContent> {
  const failure = await readOn(session, watch);
  if (failure !== null) {
    ports.logError(failure);
  }
  const unread = failure === null ? [] : [failure.message];
  return { bytes: Buffer.from(chatText(session.state)), missing: [...unread, ...damage(session.faults)] };
}

/** Reads the whole chat. Returns the failure, or null; throws `cancelled`. */
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

/** The events of the chat in order, including unsaved ones, each as a line of JSON. */
async function asJsonLines(session: ChatSession, { chats }: ExportContentPorts, watch: CopyWatch): Promise<ExportContent> {
  // The least that the log should hold: the messages in memory, and the attempts to answer them.
  const { timeline, attempts } = session.state;
  const shown = [...timeline.flatMap((item) => (item.kind === 'message' ? [item.message.id] : [])), ...attempts.keys()];
  const { events, faults } = await readLog(session.id, chats, watch);
  const logged = new Set(events.map(messageOrAttemptId));
  const lost = shown.filter((id) => !logged.has(id)).length;
  const missing = lost === 0 ? [] : ['Some messages are missing in the file on disk. Export the chat as Markdown to keep them.'];
  return { bytes: await encode(events, watch.signal), missing: [...missing, ...damage(faults)] };
}

async function readLog(chatId: string, chats: ExportContentPorts['chats'], watch: CopyWatch): Promise<LogContents> {
  let log: LogContents;
  try {
    log = await chats.readLog(chatId, watch);
  } catch (thrown) {
    throw toLoupeError(thrown).kind === 'cancelled'
      ? thrown
      : failure('export.notAsJsonLines', { reason: plainReason(thrown).replace(/\.$/, '') }, { cause: thrown });
  }
  if (!log.events.some(({ type }) => type === 'chat-created')) {
    throw failure('export.notAsJsonLines', { reason: 'its file was deleted, or the beginning of it is missing' });
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

/** Unlike a line in a segment, it names its writer, since it stands among those of other writers, and has no checksum. */
function jsonLine({ v, seq, id, at, writer, type, ...members }: ChatEvent): string {
  return `${JSON.stringify({ v, seq, id, at, writer, type, ...members })}\n`;
}

function messageOrAttemptId(event: ChatEvent): string | null {
  switch (event.type) {
    case 'message':
      return event.message.id;
    case 'attempt-started':
      return event.attemptId;
    default:
      return null;
  }
}

/** A byte order mark is a fault, but loses nothing. */
function damage(faults: LogContents['faults']): string[] {
  const places = faults.filter(({ kind }) => kind !== 'bom').length;
  if (places === 0) {
    return [];
  }
  return [
    `${places === 1 ? 'One place' : `${String(places)} places`} in its log could not be read and ${places === 1 ? 'is' : 'are'} missing.`,
  ];
}
