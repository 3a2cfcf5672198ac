import type { FileReader } from '../../../engine/context/fileContents.js';
import { isNotebook } from '../../../engine/context/notebook.js';
import { failure, type LoupeError } from '../../../engine/errors.js';
import type { FileWriter } from '../../context/files/fileWriter.js';
import type { FileDifference } from '../editDocuments.js';
import { type LineChanges, lineChanges } from './lineChanges.js';
import { lineEndsOf } from './previewEdit.js';
import { PATH } from './toolArguments.js';

/** Code of a reply for a file that the model named. */
interface CodeForFile {
  readonly path: string;
  readonly text: string;
}

export interface CodeChange extends LineChanges {
  readonly path: string;
  /** What the code replaces: `new file`, `whole file`, or lines such as `lines 3 to 12`. */
  readonly place: string;
}

interface ApplyCodePorts {
  readonly files: FileReader;
  readonly writer: FileWriter;
  readonly show: (difference: FileDifference) => Promise<void>;
  /** Asks whether to write the change that is on show. */
  readonly confirm: (change: CodeChange) => Promise<boolean>;
  /** Says that the change was written. Resolves to true when the user wants it undone. */
  readonly offerUndo: (change: CodeChange) => Promise<boolean>;
}

/**
 * Shows what code of a reply would change in its file, asks, and writes the change. Rejects with the reason when the
 * file cannot be read or written.
 */
export async function applyCode(code: CodeForFile, { files, writer, show, confirm, offerUndo }: ApplyCodePorts): Promise<void> {
  const parsed = PATH.safeParse(code.path);
  if (!parsed.success) {
    throw refused(`${code.path} is not in the workspace.`);
  }
  const path = parsed.data;
  const read = await files.read(path);
  if ((!read.ok && read.problem.code !== 'missing') || isNotebook(path)) {
    throw refused(read.ok || isNotebook(path) ? `${path} is a notebook. Copy the code into a cell.` : read.reason);
  }
  const before = read.ok ? read.content : null;
  const { text: after, place } = withCode(before, code.text);
  if (after === before) {
    throw refused(`${path} already contains this code.`);
  }
  const change = { path, place, ...lineChanges(before, after) };
  await show({ path, before, after, label: 'Apply' });
  if (!(await confirm(change))) {
    return;
  }
  await write(writer, { path, before, after });
  if (await offerUndo(change)) {
    await write(writer, { path, before: after, after: before });
  }
}

/**
 * Returns a file with the code. When the first and the last line of the code each occur once in the file, the code
 * replaces the lines between them. Otherwise it replaces the whole file.
 */
export function withCode(before: string | null, code: string): { readonly text: string; readonly place: string } {
  if (before === null) {
    return { text: `${code}\n`, place: 'new file' };
  }
  const range = rangeOf(before.split(/\r?\n/), code.split('\n'));
  if (range === null) {
    return { text: lineEndsOf(before, `${code}\n`), place: 'whole file' };
  }
  const lines = before.split('\n');
  const lineEnd = lines[range.last]?.endsWith('\r') === true ? '\r' : '';
  const text = lineEndsOf(before, code.replace(/^\n+|\n+$/g, '')) + lineEnd;
  return {
    text: [...lines.slice(0, range.first), text, ...lines.slice(range.last + 1)].join('\n'),
    place: `lines ${String(range.first + 1)} to ${String(range.last + 1)}`,
  };
}

/** Returns the lines of a file, from 0, that begin and end as the code does. Null unless both lines occur once. */
function rangeOf(file: readonly string[], code: readonly string[]): { readonly first: number; readonly last: number } | null {
  const [firstLine, lastLine] = [code.find(hasText), code.findLast(hasText)];
  const [first, last] = [placeOf(file, firstLine), placeOf(file, lastLine)];
  return first === null || last === null || first > last ? null : { first, last };
}

function placeOf(file: readonly string[], line: string | undefined): number | null {
  const at = line === undefined ? -1 : file.indexOf(line);
  return at === -1 || file.includes(line ?? '', at + 1) ? null : at;
}

function hasText(line: string): boolean {
  return line.trim() !== '';
}

async function write(writer: FileWriter, change: Parameters<FileWriter['write']>[0]): Promise<void> {
  const wrote = await writer.write(change);
  if (!wrote.ok) {
    throw refused(wrote.reason);
  }
}

function refused(reason: string): LoupeError {
  return failure('restore.refused', { reason });
}
