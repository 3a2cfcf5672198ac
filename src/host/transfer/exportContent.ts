import { chatText } from '../chat/chatText.js';
import type { ChatSession } from '../chat/chatSession.js';
import { type ExportContentPorts, type ExportTarget, type MissingParts, damage } from './exportTarget.js';
import { exportLines, exportZip } from './exportLog.js';
import { setImmediate } from 'node:timers/promises';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { type LoupeError, failIfAborted, failureOrCancel, toLoupeError } from '../../engine/errors.js';
import { type EndedAttempt, type SpanTexts, attemptSpan } from '../../engine/telemetry/attemptSpan.js';
import { otlpFrame } from '../../engine/telemetry/otlp.js';
import { type CopyWatch, partOf } from '../../storage/files/copyWatch.js';
import { sha256 } from '../window/systemPorts.js';

/** Share of the progress bar for reading the chat. The rest is for writing. */
const READ_SHARE = 0.5;

/**
 * Writes the ended attempts of a chat as OTLP/JSON spans, without attempts that a fork copied. Includes texts only with
 * `withTexts`. Throws `storage` for a chat that cannot be read, and `cancelled`.
 */
async function exportSpans(
  session: ChatSession,
  withTexts: boolean,
  ports: ExportContentPorts,
  { write, watch }: ExportTarget,
): Promise<MissingParts> {
  const failure = await readOn(session, partOf(watch, 0, READ_SHARE));
  if (failure !== null) {
    throw failure;
  }
  const own = [...session.state.attempts.values()].filter(({ inheritedFrom }) => inheritedFrom === null);
  const ended = own.filter(hasEnded);
  const writing = partOf(watch, READ_SHARE, 1);
  const frame = otlpFrame('loupe');
  let unbuilt = 0;
  await write(Buffer.from(frame.before));
  for (const [at, attempt] of ended.entries()) {
    failIfAborted(watch.signal, 'export.cancelled');
    const texts = withTexts ? await textsOf(session, attempt, ports) : null;
    unbuilt += texts?.prompt === null ? 1 : 0;
    const span = attemptSpan(attempt, { chatId: session.id, sha256 }, texts);
    await write(Buffer.from(`${at === 0 ? '' : ',\n'}${JSON.stringify(span)}`));
    writing.progress(at + 1, ended.length);
    await setImmediate();
  }
  await write(Buffer.from(frame.after));
  const running = own.length - ended.length;
  return [
    ...(running === 0 ? [] : ['The export does not contain the reply that the model is still writing.']),
    ...(unbuilt === 0
      ? []
      : [`The text of ${String(unbuilt)} of ${String(ended.length)} requests is missing, because Loupe could not rebuild it.`]),
    ...damage(session.faults),
  ];
}

function hasEnded(attempt: AttemptState): attempt is EndedAttempt {
  return attempt.end !== null;
}

async function textsOf(session: ChatSession, { id }: EndedAttempt, ports: ExportContentPorts): Promise<SpanTexts> {
  try {
    return { prompt: (await session.records.request(id)).rebuilt.prompt };
  } catch (thrown) {
    // Exports the reply even without its request.
    ports.logError(toLoupeError(thrown));
    return { prompt: null };
  }
}

/**
 * Writes a chat in a format. Returns the missing parts of the export. Throws `storage` if the format needs data that
 * cannot be read, `cancelled`, and errors of the target.
 */
export function exportContent(
  session: ChatSession,
  format: ExportFormat,
  ports: ExportContentPorts,
  target: ExportTarget,
): Promise<MissingParts> {
  switch (format) {
    case 'markdown':
      return exportMarkdown(session, ports, target);
    case 'jsonLines':
      return exportLines(session, ports, target);
    case 'zip':
      return exportZip(session, ports, target);
    case 'openTelemetry':
    case 'openTelemetryWithTexts':
      return exportSpans(session, format === 'openTelemetryWithTexts', ports, target);
  }
}

/** Writes the conversation. If the whole chat cannot be read, writes the messages in memory. */
async function exportMarkdown(session: ChatSession, ports: ExportContentPorts, { write, watch }: ExportTarget): Promise<MissingParts> {
  const failure = await readOn(session, watch);
  if (failure !== null) {
    ports.logError(failure);
  }
  const unread = failure === null ? [] : [failure.message];
  await write(Buffer.from(chatText(session.state)));
  return [...unread, ...damage(session.faults)];
}

/** Reads the whole chat. Returns a failure to read it, otherwise null. Throws `cancelled`. */
async function readOn(session: ChatSession, watch: CopyWatch): Promise<LoupeError | null> {
  failIfAborted(watch.signal, 'export.cancelled');
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
    return failureOrCancel(thrown);
  } finally {
    stopListening();
    watch.signal.removeEventListener('abort', cancel);
  }
}

/**
 * The export formats:
 * - `markdown`: the conversation, for reading.
 * - `jsonLines`: all events of the log, then images and large texts.
 * - `zip`: the files of the chat.
 * - `openTelemetry`: a span for each attempt, in OTLP/JSON, with or without texts.
 */
export type ExportFormat = 'markdown' | 'jsonLines' | 'zip' | 'openTelemetry' | 'openTelemetryWithTexts';

export const EXPORT_FILTERS: Readonly<Record<string, string[]>> = {
  Markdown: ['md'],
  'Zip (can be imported)': ['zip'],
  'JSON Lines (can be imported)': ['jsonl'],
  'OpenTelemetry (OTLP/JSON)': ['json'],
};

const FORMATS: Readonly<Record<string, ExportFormat>> = { zip: 'zip', jsonl: 'jsonLines', json: 'openTelemetry' };

/** Returns the format for a file extension. Markdown for an unknown extension, because all editors show Markdown. */
export function exportFormat(path: string): ExportFormat {
  return FORMATS[/\.(\w+)$/.exec(path.toLowerCase())?.[1] ?? ''] ?? 'markdown';
}

/**
 * Matches characters that a file name must not contain: characters that Windows forbids (the strictest system), and
 * characters that reverse the text direction and can hide the real file extension.
 */
const REFUSED = /[<>:"/\\|?*\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;
/** Matches names of devices on Windows, which are invalid file names, even with a file extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Maximum length of a name in bytes. File systems allow 255. The rest is for the extension and the user's changes. */
const MOST_BYTES = 200;

export function exportName(title: string): string {
  // A leading dot would hide the file. Windows removes dots and spaces at the end of a name.
  const name = cut(title.replace(REFUSED, '_').replace(/\s+/gu, ' ')).replace(/^[. ]+|[. ]+$/g, '');
  const safe = DEVICE.test(name) ? `_${name}` : name;
  return `${safe === '' ? 'Chat' : safe}.md`;
}

/** Returns the start of a name that fits into `MOST_BYTES`, without splitting a character. */
function cut(name: string): string {
  let bytes = 0;
  let kept = '';
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > MOST_BYTES) {
      break;
    }
    kept += character;
  }
  return kept;
}
