/**
 * `markdown`: the conversation, for reading. `jsonLines`: all events of the log, then images and large texts. `zip`: the
 * files of the chat. `openTelemetry`: a span for each attempt, in OTLP/JSON, with or without what was said.
 */
export type ExportFormat = 'markdown' | 'jsonLines' | 'zip' | 'openTelemetry' | 'openTelemetryWithTexts';

/** The file extensions of the formats, in the form of a save dialog. */
export const EXPORT_FILTERS: Readonly<Record<string, string[]>> = {
  Markdown: ['md'],
  'Zip (can be imported)': ['zip'],
  'JSON Lines (can be imported)': ['jsonl'],
  'OpenTelemetry (OTLP/JSON)': ['json'],
};

/** The formats by file extension. */
const FORMATS: Readonly<Record<string, ExportFormat>> = { zip: 'zip', jsonl: 'jsonLines', json: 'openTelemetry' };

/** The file's extension decides; an unknown one means Markdown, which everybody can read. */
export function exportFormat(path: string): ExportFormat {
  return FORMATS[/\.(\w+)$/.exec(path.toLowerCase())?.[1] ?? ''] ?? 'markdown';
}

/**
 * Characters that Windows, the strictest system, refuses, and those that reverse the text, so that a name seems to
 * end otherwise.
 */
const REFUSED = /[<>:"/\\|?*\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;
/** Device names on Windows, whatever the extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** File systems allow 255 bytes; the rest is for the extension and for what the user adds. */
const MOST_BYTES = 200;

/** A file name for a chat that is valid on every file system. */
export function exportName(title: string): string {
  // Leading dots hide a file, and Windows drops dots and blanks at the end.
  const name = cut(title.replace(REFUSED, '_').replace(/\s+/gu, ' ')).replace(/^[. ]+|[. ]+$/g, '');
  const safe = DEVICE.test(name) ? `_${name}` : name;
  return `${safe === '' ? 'Chat' : safe}.md`;
}

/** The longest beginning of whole characters within `MOST_BYTES`. */
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
