import { access, constants } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { WorkspaceFiles } from '../../context/files/workspaceFiles.js';
import { changedLines } from './lineChanges.js';
import type { FileWrite, FileWriter, WriteResult } from '../../context/files/fileWriter.js';
import { afterSave, mayWrite } from './notSaved.js';
import { saveDocument } from './saveDocument.js';

const LINE_ENDS = /\r\n|\r|\n/g;
const BYTE_ORDER_MARK = '\uFEFF';

/** Longest wait for an automatic save. Before it, extensions get at most 1.75 s; a remote disk may take seconds. */
const LONGEST_SAVE_MS = 10_000;

/** Returns a writer that changes files in VS Code's editors, open or not, so that the user can undo changes. */
export function editorWriter(files: () => WorkspaceFiles): FileWriter {
  return {
    async write(change) {
      const place = await placeOf(files(), change);
      if (typeof place !== 'string') {
        return place;
      }
      const uri = vscode.Uri.file(place);
      if (change.after === null) {
        return deleted(uri, change);
      }
      return change.before === null
        ? made(uri, change.path, change.after)
        : edited(files(), uri, { ...change, before: change.before, after: change.after });
    },
  };
}

/** Returns the absolute path of a file. Checks links right before writing, because a link can be new. */
async function placeOf(files: WorkspaceFiles, { path, before }: FileWrite): Promise<string | WriteResult> {
  const place = await files.diskPath(path);
  const read = await files.read(path);
  if (place === null || (!read.ok && read.problem.code !== 'missing')) {
    return unchanged(read.ok ? `${path} is not in the workspace.` : read.reason);
  }
  if (read.ok === (before === null)) {
    return unchanged(read.ok ? `${path} is there by now.` : `${path} is not there any more.`);
  }
  return place;
}

async function made(uri: vscode.Uri, path: string, text: string): Promise<WriteResult> {
  const contents = await vscode.workspace.encode(text, { uri });
  if (withoutMark(await vscode.workspace.decode(contents, { uri })) !== withoutMark(text)) {
    return unchanged(lacksCharacters(path));
  }
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { contents });
  return (await vscode.workspace.applyEdit(edit))
    ? { ok: true, hadUnsaved: false }
    : unchanged(`VS Code did not make ${path}: the file is there by now, or its folder cannot be written.`);
}

async function deleted(uri: vscode.Uri, { path, before }: FileWrite): Promise<WriteResult> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (!isSameText(document.getText(), before ?? '')) {
    return unchanged(hasChanged(path));
  }
  const hadUnsaved = document.isDirty;
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(uri);
  return (await vscode.workspace.applyEdit(edit)) ? { ok: true, hadUnsaved } : unchanged(`VS Code did not delete ${path}.`);
}

async function edited(
  files: WorkspaceFiles,
  uri: vscode.Uri,
  { path, before, after }: { readonly path: string; readonly before: string; readonly after: string },
): Promise<WriteResult> {
  if (!(await mayWrite(access(uri.fsPath, constants.W_OK)))) {
    return unchanged(`${path} is read-only on disk, or belongs to another user. The user has to make it writable first.`);
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const earlier = document.getText();
  if (!isSameText(earlier, before)) {
    return unchanged(hasChanged(path));
  }
  if (!(await keepsAll(after, document.encoding))) {
    return unchanged(lacksCharacters(path));
  }
  const hadUnsaved = document.isDirty;
  if (!(await replaced(document, withLineEnds(document, after)))) {
    return unchanged(`VS Code did not take the edit of ${path}.`);
  }
  const saysSaved = await saveDocument(document, LONGEST_SAVE_MS);
  const read = await files.read(path);
  const texts = { before, after, shown: document.getText(), onDisk: read.ok ? read.content : null };
  const outcome = afterSave({ path, ...texts, hadUnsaved, saysSaved });
  if (outcome !== 'readOnly') {
    return outcome;
  }
  const reason = `${path} is read-only in VS Code. The user has to make its editor writable first.`;
  return (await replaced(document, earlier))
    ? unchanged(reason)
    : { ok: false, reason: `${reason} VS Code shows the edit there, and did not take it back.`, isInEditor: true };
}

/** Whether a text is the same after it was saved in an encoding. Encodings replace characters that they lack by `?`. */
async function keepsAll(text: string, encoding: string): Promise<boolean> {
  const saved = await vscode.workspace.encode(text, { encoding });
  return withoutMark(await vscode.workspace.decode(saved, { encoding })) === withoutMark(text);
}

function lacksCharacters(path: string): string {
  return `The encoding of ${path} in VS Code lacks characters of the new text.`;
}

async function replaced(document: vscode.TextDocument, next: string): Promise<boolean> {
  const { start, end, text } = changedLines(document.getText(), next);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  return vscode.workspace.applyEdit(edit);
}

function unchanged(reason: string): WriteResult {
  return { ok: false, reason, isInEditor: false };
}

function hasChanged(path: string): string {
  return `${path} has changed since it was read.`;
}

/** Whether the text of an editor equals `text`, apart from the byte order mark and line ends. */
function isSameText(shown: string, text: string): boolean {
  return withoutMark(text).replaceAll(LINE_ENDS, '\n') === shown.replaceAll(LINE_ENDS, '\n');
}

function withLineEnds({ eol }: vscode.TextDocument, text: string): string {
  return withoutMark(text).replaceAll(LINE_ENDS, eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}

function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
