import * as z from 'zod/mini';
import type { FileReader } from '../../../engine/context/fileContents.js';
import type { JsonObject } from '../../../engine/json.js';
import { lineChanges, type LineChanges } from './lineChanges.js';
import { parsedArgs } from './parsedArgs.js';
import { PATH } from './pathArgument.js';

const ARGS = z.object({ path: PATH, old_text: z.string(), new_text: z.string() });

/** What an edit would make of a file. */
export interface EditPreview extends LineChanges {
  /** Within the workspace. */
  readonly path: string;
  /** Null where the edit makes the file. */
  readonly before: string | null;
  readonly after: string;
}

/** An edit as it would be applied now, or why it cannot be, in a sentence for the model and the user. */
export type Previewed = ({ readonly ok: true } & EditPreview) | { readonly ok: false; readonly reason: string };

/** What a call of `edit_file` with these arguments would do to the file as it is now. `files` reads it as the user sees it. Never rejects. */
export async function previewEdit(args: JsonObject, files: FileReader): Promise<Previewed> {
  const parsed = parsedArgs(ARGS, args);
  if (!parsed.ok) {
    return { ok: false, reason: parsed.reason };
  }
  const { path, old_text: oldText, new_text: newText } = parsed.args;
  const read = await files.read(path);
  if (!read.ok) {
    const isNew = read.problem.code === 'missing' && oldText === '';
    return isNew
      ? { ok: true, path, before: null, after: newText, ...lineChanges(null, newText) }
      : { ok: false, reason: read.problem.code === 'missing' ? `${read.reason} To make it, leave old_text empty.` : read.reason };
  }
  const before = read.content;
  const edited = editedText(before, lineEndsOf(before, oldText), lineEndsOf(before, newText));
  if ('reason' in edited) {
    return { ok: false, reason: `${path} ${edited.reason}` };
  }
  return { ok: true, path, before, after: edited.text, ...lineChanges(before, edited.text) };
}

/** A text in which the only occurrence of another one is replaced, or why not, as the rest of a sentence about the file. */
function editedText(before: string, oldText: string, newText: string): { readonly text: string } | { readonly reason: string } {
  if (oldText === '') {
    return before === '' ? { text: newText } : { reason: 'is there already, and it is not empty. Give the text to replace in old_text.' };
  }
  if (oldText === newText) {
    return { reason: 'stays as it is: old_text and new_text are the same.' };
  }
  const at = before.indexOf(oldText);
  if (at === -1) {
    return {
      reason: 'does not have old_text: it has changed since it was read, or old_text is not exactly what stands there. Read it again.',
    };
  }
  const next = before.indexOf(oldText, at + 1);
  if (next !== -1) {
    const lines = [at, next].map((each) => String(before.slice(0, each).split('\n').length));
    return { reason: `has old_text more than once, at lines ${lines.join(' and ')}. Give more of the text around it.` };
  }
  return { text: before.slice(0, at) + newText + before.slice(at + oldText.length) };
}

/** A text with the line ends of a file, where that has the same ones throughout: models write line feeds. */
function lineEndsOf(file: string, text: string): string {
  const feeds = file.split('\n').length - 1;
  const returns = file.split('\r\n').length - 1;
  return feeds > 0 && feeds === returns ? text.replaceAll(/\r?\n/g, '\r\n') : text;
}
