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

/** Returns the format for a file extension. Markdown for unknown extensions, because every editor can show it. */
export function exportFormat(path: string): ExportFormat {
  return FORMATS[/\.(\w+)$/.exec(path.toLowerCase())?.[1] ?? ''] ?? 'markdown';
}

/**
 * Characters that must not be in a file name: those that Windows, the strictest system, forbids, and those that reverse
 * the direction of text and so can hide the real file extension.
 */
const REFUSED = /[<>:"/\\|?*\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;
/** Names of devices on Windows. They are not allowed as file names, not even with a file extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Maximum length of a name in bytes. File systems allow 255. The rest is for the extension and what the user adds. */
const MOST_BYTES = 200;

export function exportName(title: string): string {
  // A name with a leading dot is hidden, and Windows removes dots and spaces at the end of names.
  const name = cut(title.replace(REFUSED, '_').replace(/\s+/gu, ' ')).replace(/^[. ]+|[. ]+$/g, '');
  const safe = DEVICE.test(name) ? `_${name}` : name;
  return `${safe === '' ? 'Chat' : safe}.md`;
}

/** Returns the start of the name that fits into `MOST_BYTES`, without cutting a character. */
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
