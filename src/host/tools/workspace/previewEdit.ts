import * as z from 'zod/mini';
import type { UnappliedEdit, WhyUnapplied } from '../../../engine/chat/calls/toolEdit.js';
import type { FileRead, FileReader } from '../../../engine/context/fileContents.js';
import { isNotebook, notebookCells } from '../../../engine/context/notebook.js';
import { failure } from '../../../engine/errors.js';
import { isObject, type JsonObject, parseForeignJson } from '../../../engine/json.js';
import type { FileDifference } from '../editDocuments.js';
import { type LineChanges, lineChanges } from './lineChanges.js';
import { PATH, parsedArgs } from './toolArguments.js';

const ARGS = z.object({ path: PATH, old_text: z.string(), new_text: z.string() });

export interface EditPreview extends LineChanges {
  readonly path: string;
  /** The text before the edit. Null when the edit creates the file. */
  readonly before: string | null;
  readonly after: string;
}

/** An edit that can be applied now. Otherwise the reason, as a sentence for the model and the user. */
export type PreviewOutcome = ({ readonly ok: true } & EditPreview) | UnappliedPreview;

interface UnappliedPreview {
  readonly ok: false;
  readonly reason: string;
  /** The file of the rejected edit. Null when the arguments contain no file name. */
  readonly unapplied: UnappliedEdit | null;
}

/** Returns the effect of an `edit_file` call on the current file, including unsaved changes. Never rejects. */
export async function previewEdit(args: JsonObject, files: FileReader): Promise<PreviewOutcome> {
  const parsed = parsedArgs(ARGS, args);
  if (!parsed.ok) {
    return { ok: false, reason: parsed.reason, unapplied: namedOutside(args) };
  }
  const { path, old_text: oldText, new_text: newText } = parsed.args;
  const read = await files.read(path);
  if (!read.ok) {
    const isNew = read.problem.code === 'missing' && oldText === '';
    return isNew ? { ok: true, path, before: null, after: newText, ...lineChanges(null, newText) } : unreadable(path, read);
  }
  const before = read.content;
  // Models see the cells of a notebook, not its JSON, which an edit of a cell's text would damage.
  if (isNotebook(path) && notebookCells(before) !== null) {
    return { ok: false, reason: `${path} is a notebook. edit_file cannot edit notebooks.`, unapplied: { path, why: 'notebook' } };
  }
  const edited = editedText(before, lineEndsOf(before, oldText), lineEndsOf(before, newText));
  if ('reason' in edited) {
    return { ok: false, reason: `${path} ${edited.reason}`, unapplied: { path, why: edited.why } };
  }
  return { ok: true, path, before, after: edited.text, ...lineChanges(before, edited.text) };
}

/** Returns the file of an edit that was rejected because its path leads out of the workspace. */
function namedOutside({ path }: JsonObject): UnappliedEdit | null {
  const isNamed = typeof path === 'string' && path.trim() !== '';
  return isNamed && !PATH.safeParse(path).success ? { path: path.slice(0, LONGEST_PATH), why: 'outside' } : null;
}

/** Maximum number of characters of a path in rejected arguments. The model can write any length. */
const LONGEST_PATH = 300;

function unreadable(path: string, { problem, reason }: Extract<FileRead, { readonly ok: false }>): UnappliedPreview {
  const isGone = problem.code === 'missing';
  const why = isGone ? 'gone' : problem.code === 'leadsOut' || problem.code === 'absolutePath' ? 'outside' : 'unreadable';
  return { ok: false, reason: isGone ? `${reason} To make it, leave old_text empty.` : reason, unapplied: { path, why } };
}

interface EditProblem {
  /** The end of a sentence that begins with the path. */
  readonly reason: string;
  readonly why: WhyUnapplied;
}

/** Replaces the only occurrence of `oldText`. Otherwise returns the reason. */
function editedText(before: string, oldText: string, newText: string): { readonly text: string } | EditProblem {
  if (oldText === '') {
    return before === ''
      ? { text: newText }
      : { reason: 'is there already, and it is not empty. Give the text to replace in old_text.', why: 'there' };
  }
  if (oldText === newText) {
    return { reason: 'stays as it is: old_text and new_text are the same.', why: 'same' };
  }
  const at = before.indexOf(oldText);
  if (at === -1) {
    return {
      reason: 'does not have old_text: it has changed since it was read, or old_text is not exactly what stands there. Read it again.',
      why: 'changed',
    };
  }
  const next = before.indexOf(oldText, at + 1);
  if (next !== -1) {
    const lines = [at, next].map((each) => String(before.slice(0, each).split('\n').length));
    return { reason: `has old_text more than once, at lines ${lines.join(' and ')}. Give more of the text around it.`, why: 'repeated' };
  }
  return { text: before.slice(0, at) + newText + before.slice(at + oldText.length) };
}

/** Converts the line feeds of a text to the line ends of a file, unless the file has mixed line ends. */
export function lineEndsOf(file: string, text: string): string {
  const feeds = file.split('\n').length - 1;
  const returns = file.split('\r\n').length - 1;
  return feeds > 0 && feeds === returns ? text.replaceAll(/\r?\n/g, '\r\n') : text;
}

interface ViewEditPorts {
  readonly preview: (args: JsonObject) => Promise<PreviewOutcome>;
  readonly show: (difference: FileDifference) => Promise<void>;
}

/** Shows a diff of an `edit_file` call with these arguments. Rejects with the reason if the call would fail. */
export async function viewEdit(args: string, { preview, show }: ViewEditPorts): Promise<void> {
  const parsed = parseForeignJson(args);
  const previewed = await preview(isObject(parsed) ? parsed : {});
  if (!previewed.ok) {
    throw failure('restore.refused', { reason: previewed.reason });
  }
  const { path, before, after } = previewed;
  await show({ path, before, after, label: 'edit_file' });
}
