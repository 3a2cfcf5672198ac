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

/** Returns the format of a file by its extension. Unknown extensions mean Markdown, which every editor can show. */
export function exportFormat(path: string): ExportFormat {
  return FORMATS[/\.(\w+)$/.exec(path.toLowerCase())?.[1] ?? ''] ?? 'markdown';
}

/**
 * Characters that Windows, the strictest system, does not allow, and those that reverse text and can hide the real end
 * of a name.
 */
const REFUSED = /[<>:"/\\|?*\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;
/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** File systems allow 255 bytes. The rest is for the extension and for the user's additions. */
const MOST_BYTES = 200;

export function exportName(title: string): string {
  // Leading dots hide a file, and Windows removes trailing dots and spaces.
  const name = cut(title.replace(REFUSED, '_').replace(/\s+/gu, ' ')).replace(/^[. ]+|[. ]+$/g, '');
  const safe = DEVICE.test(name) ? `_${name}` : name;
  return `${safe === '' ? 'Chat' : safe}.md`;
}

/** Returns the longest start of whole characters within `MOST_BYTES`. */
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
