import { betweenPoints } from '../chat/message/textBegin.js';
import type { SessionFile } from '../chat/slices/sessionFiles.js';
import { failure } from '../errors.js';

/** Maximum bytes of a session file. Loupe writes a whole file at each change, and keeps contents in memory. */
const MOST_BYTES = 5 * 1024 * 1024;

/** Maximum length of a derived summary in UTF-16 units. */
const MOST_SUMMARY_LENGTH = 120;

/** What lists show of a session file. */
export interface SessionFileEntry {
  /** Relative path with forward slashes, unique in the chat. */
  readonly name: string;
  readonly mimeType: string;
  readonly summary: string;
  readonly isText: boolean;
  readonly bytes: number;
  /** SHA-256 of the content, or the content itself if the log has it inline. Changes with the content. */
  readonly version: string;
}

/** Content for a session file. Null: Loupe derives the MIME type from the name, and the summary from the first line. */
export interface NewSessionFile {
  readonly bytes: Uint8Array;
  readonly mimeType: string | null;
  readonly summary: string | null;
}

export interface SessionFilesListener {
  fileChanged(entry: SessionFileEntry): void;
  fileDeleted(name: string): void;
}

/** The session files of one chat. Names are canonical (`normalizePath`). */
export interface SessionFileManager {
  /** Returns all files in the order in which they were created. */
  listFiles(): readonly SessionFileEntry[];
  /** Returns the content of a file. Rejects with `sessionFile.missing`, or with `storage` if it cannot be read. */
  getFileContent(name: string): Promise<Uint8Array>;
  /** Creates or replaces a file. Rejects with `sessionFile.tooLarge`, or with `storage` if it cannot be written. */
  putFileContent(name: string, file: NewSessionFile): Promise<void>;
  /** Rejects with `sessionFile.missing`. */
  deleteFile(name: string): Promise<void>;
  /** Adds a listener for changes, for as long as the chat is open. */
  onChange(listener: SessionFilesListener): void;
}

/** MIME types by extension. Files with another extension get `text/plain`, or a general type if they are not text. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['css', 'text/css'],
  ['csv', 'text/csv'],
  ['gif', 'image/gif'],
  ['htm', 'text/html'],
  ['html', 'text/html'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['js', 'text/javascript'],
  ['json', 'application/json'],
  ['md', 'text/markdown'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['webp', 'image/webp'],
  ['xml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
]);

const TEXT_TYPE = /^text\/|[/+](?:json|xml|yaml)$|\/(?:javascript|typescript|sql|toml)$/;

/** Whether content of the type is text. A model sends other content as Base64. */
export function isTextType(mimeType: string): boolean {
  return TEXT_TYPE.test(mimeType);
}

export function mimeTypeOf(name: string, isText: boolean): string {
  const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return TYPES.get(extension) ?? (isText ? 'text/plain' : 'application/octet-stream');
}

/** Returns the first line of a text that is not blank, without the mark of a Markdown heading. Cut if it is long. */
export function derivedSummary(text: string): string {
  const line =
    /^.*\S.*$/m
      .exec(text)?.[0]
      .trim()
      .replace(/^#+\s+/, '') ?? '';
  return line.length > MOST_SUMMARY_LENGTH ? `${line.slice(0, betweenPoints(line, MOST_SUMMARY_LENGTH - 1))}…` : line;
}

/** Returns the entry of a logged file. Logs of version 2 have neither type nor summary. */
export function sessionFileEntry({ path: name, content, mimeType, summary, isBinary }: SessionFile): SessionFileEntry {
  const isText = isBinary !== true;
  return {
    name,
    mimeType: mimeType ?? mimeTypeOf(name, isText),
    summary: summary ?? ('inline' in content ? derivedSummary(content.inline) : ''),
    isText,
    bytes: 'inline' in content ? new TextEncoder().encode(content.inline).length : content.bytes,
    version: 'inline' in content ? content.inline : content.blob,
  };
}

/** Returns what later requests hold in place of the content of a file that the model has read. */
export function sessionFileReference(name: string): string {
  return `file+session://./${name}`;
}

const INTRODUCTION =
  'Files can be read/written as required. Create new files conservatively, ' +
  'usually when complex content is requested. Use base64 for binary (image,' +
  'pdf), ascii for text formats (html,markdown). ' +
  'Available files:\n';

/** The id of the fragment of the system prompt that lists the files. */
export const SESSION_FILES_FRAGMENT = 'file_manager';

/** The tool that reads a file. Without it, a request does not list the files. */
export const READ_SESSION_FILE = 'get_session_file';

/** Returns the fragment of the system prompt that lists the files. Empty without files. */
export function sessionFilesPrompt(files: readonly SessionFileEntry[]): string {
  return files.length === 0 ? '' : `${INTRODUCTION}${sessionFileLines(files)}`;
}

export function sessionFileLines(files: readonly SessionFileEntry[]): string {
  const lines = files.map(({ name, mimeType, summary }) => `${[name, mimeType, summary].map(quotedValue).join(',')}\n`);
  return `name,type,summary\n${lines.join('')}`;
}

/** Quotes a value as in CSV (RFC 4180), if it holds a comma, a quote or a line feed. */
function quotedValue(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

const MEGABYTE = 1024 * 1024;

/** Throws `sessionFile.tooLarge` if a file has too many bytes. */
export function checkSessionFileSize(name: string, bytes: number): void {
  if (bytes > MOST_BYTES) {
    const inMegabytes = (count: number): string => `${String(Math.ceil(count / MEGABYTE))} MB`;
    throw failure('sessionFile.tooLarge', { path: JSON.stringify(name), size: inMegabytes(bytes), most: inMegabytes(MOST_BYTES) });
  }
}
