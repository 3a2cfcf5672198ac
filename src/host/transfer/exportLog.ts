import { addBlobNames } from '../../engine/chat/blobNames.js';
import type { ChatEvent } from '../../engine/chat/event.js';
import { failIfAborted, failure, toLoupeError } from '../../engine/errors.js';
import { encodeContentLine } from '../../storage/log/contentLine.js';
import { partOf } from '../../storage/files/copyWatch.js';
import { plainReason } from '../../storage/files/failure.js';
import { encodeNamedLine } from '../../storage/log/line.js';
import type { TakeEvents } from '../../storage/reading/logContents.js';
import type { SegmentFault } from '../../storage/log/segment.js';
import type { ChatSession } from '../chat/chatSession.js';
import { countedAs } from '../../protocol/numbers.js';
import { type ExportContentPorts, type ExportTarget, type MissingParts, damage } from './exportTarget.js';

/** Share of the progress bar for reading the log. The rest is for images and large texts. */
const LOG_SHARE = 0.7;

/**
 * Writes each event of the log as a line of JSON, in order, including unsaved events. Then writes their images and
 * large texts. Throws `storage` if the log cannot be read, and `cancelled`.
 */
export async function exportLines(session: ChatSession, ports: ExportContentPorts, { write, watch }: ExportTarget): Promise<MissingParts> {
  const encode: TakeEvents = (events) => write(Buffer.concat(events.map(encodeNamedLine)));
  const { missing, named } = await readLog(session, { ports, format: 'JSON Lines', take: encode }, partOf(watch, 0, LOG_SHARE));
  const blobs = ports.chats.exported.blobs(session.id);
  const names = (await blobs.names()).filter((name) => named.has(name));
  const contents = partOf(watch, LOG_SHARE, 1);
  let unread = 0;
  for (const [at, name] of names.entries()) {
    failIfAborted(watch.signal, 'export.cancelled');
    try {
      await write(encodeContentLine(name, await blobs.get(name)));
    } catch (thrown) {
      const error = toLoupeError(thrown);
      if (error.code !== 'storage.damagedContent') {
        throw error;
      }
      ports.logError(error);
      unread += 1;
    }
    contents.progress(at, names.length);
  }
  contents.progress(1, 1);
  return unread === 0
    ? missing
    : [...missing, `${countedAs(unread, 'damaged image or large text is', 'damaged images or large texts are')} missing in the export.`];
}

/** Writes the chat with its images and large texts as a zip file. Throws the errors of `exportLines`. */
export async function exportZip(session: ChatSession, ports: ExportContentPorts, { write, watch }: ExportTarget): Promise<MissingParts> {
  let missing: MissingParts = [];
  const namedBlobs = async (): Promise<ReadonlySet<string>> => {
    const log = await readLog(session, { ports, format: 'a zip file', take: () => Promise.resolve() }, partOf(watch, 0, 1 - LOG_SHARE));
    ({ missing } = log);
    return log.named;
  };
  await ports.chats.exported.transfers.writeZip(session.id, { namedBlobs, write, watch: partOf(watch, 1 - LOG_SHARE, 1) });
  return missing;
}

interface LogReading {
  readonly ports: ExportContentPorts;
  /** The name of the format in an error message. */
  readonly format: string;
  readonly take: TakeEvents;
}

interface ReadLog {
  readonly missing: MissingParts;
  /** The images and large texts that events name. The folder may have others, such as removed images of a draft. */
  readonly named: ReadonlySet<string>;
}

async function readLog(session: ChatSession, { ports, format, take }: LogReading, watch: ExportTarget['watch']): Promise<ReadLog> {
  // The loaded messages and attempts that the log on disk does not contain. The export then lacks them, too.
  const { timeline, attempts } = session.state;
  const unseen = new Set([...timeline.flatMap((item) => (item.kind === 'message' ? [item.message.id] : [])), ...attempts.keys()]);
  const seen = { isBegun: false };
  const named = new Set<string>();
  const look: TakeEvents = async (events) => {
    failIfAborted(watch.signal, 'export.cancelled');
    for (const event of events) {
      seen.isBegun ||= event.type === 'chat-created';
      unseen.delete(messageOrAttemptId(event) ?? '');
      addBlobNames(event, named);
    }
    await take(events);
  };
  let faults: readonly SegmentFault[];
  try {
    faults = await ports.chats.exported.transfers.readLog(session.id, look, watch);
  } catch (thrown) {
    const error = toLoupeError(thrown);
    const isOfLog = error.kind === 'storage' && error.code !== 'export.notWritten';
    throw isOfLog ? failure('export.noLog', { format, reason: plainReason(thrown).replace(/\.$/, '') }, { cause: thrown }) : error;
  }
  if (!seen.isBegun) {
    throw failure('export.noLog', { format, reason: 'its file was deleted, or the beginning of the file is missing' });
  }
  const lost = unseen.size === 0 ? [] : ['The file of this chat on disk lacks some messages. Export the chat as Markdown to keep them.'];
  return { missing: [...lost, ...damage(faults)], named };
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
