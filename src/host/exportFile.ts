import { failure, type LoupeError } from '../engine/errors.js';
import { plainReason } from '../storage/failure.js';

/** `markdown`: the conversation, to be read. `jsonLines`: all events of the log, nothing hidden. */
export type ExportFormat = 'markdown' | 'jsonLines';

/** The endings of the formats, as a save dialog wants them. */
export const EXPORT_FILTERS: Readonly<Record<string, string[]>> = { Markdown: ['md'], 'JSON Lines': ['jsonl'] };

/** The ending of the file decides; an unknown one gives what everybody can read. */
export function exportFormat(path: string): ExportFormat {
  return path.toLowerCase().endsWith('.jsonl') ? 'jsonLines' : 'markdown';
}

/** What Windows, the strictest, refuses in names, and what turns the direction of a name, so that it seems to end otherwise. */
const REFUSED = /[<>:"/\\|?*\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;
/** Names of devices on Windows, whatever their ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** File systems take 255 bytes; some are left for the ending and for what the user adds. */
const MOST_BYTES = 200;

/** A file name for a chat that every file system takes. */
export function exportName(title: string): string {
  // Dots and blanks in front hide a file, and Windows drops them at the end.
  const name = cut(title.replace(REFUSED, '_').replace(/\s+/gu, ' ')).replace(/^[. ]+|[. ]+$/g, '');
  const safe = DEVICE.test(name) ? `_${name}` : name;
  return `${safe === '' ? 'Chat' : safe}.md`;
}

/** The begin that has no more bytes than that, in whole characters. */
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

/** VS Code names the system's error in its message only. */
const SYSTEM_ERROR = /^(?:Error: )?(E[A-Z]+): /;

/** The error of an export whose file VS Code could not write. */
export function writeError(name: string, thrown: unknown): LoupeError {
  const said = plainReason(thrown);
  const code = SYSTEM_ERROR.exec(said)?.[1];
  const reason = plainReason(code === undefined ? said : Object.assign(new Error(said.replace(/^Error: /, '')), { code }));
  return failure('export.notWritten', { name, reason: reason.replace(/\.$/, '') }, { cause: thrown });
}
