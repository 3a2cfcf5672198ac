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
