import type { TextEditor } from 'vscode';
import type { StoredText } from '../../engine/record/item.js';
import { LoupeError, failure } from '../../engine/errors.js';
import type { Sha256 } from '../../engine/ports.js';
import type { ContextTarget } from './addPaths.js';
import { MAX_FILE_BYTES } from './files/readFile.js';
import type { WorkspaceFiles } from './files/workspaceFiles.js';
import type { FindEditor } from '../window/openFile.js';
import { selectionName } from './selectionName.js';

export interface AddSelectionPorts {
  readonly files: () => WorkspaceFiles;
  readonly sha256: Sha256;
  readonly openEditor: FindEditor;
}

export interface SelectionTarget extends ContextTarget {
  readonly context: ContextTarget['context'] & { store(text: string): Promise<StoredText> };
}

export interface SelectedText {
  /** The name of the context item, such as `src/a.ts:10-20`. */
  readonly name: string;
  readonly text: string;
}

/**
 * Adds the text selected in the editor to a chat. Later changes of the file do not change the added text. Throws
 * `invalidInput`, without calling `chat`, if the editor has no selected text of a workspace file.
 */
export async function addSelection(chat: () => Promise<SelectionTarget>, { files, sha256, openEditor }: AddSelectionPorts): Promise<void> {
  const selected = selectedText(files(), openEditor());
  if (selected instanceof LoupeError) {
    throw selected;
  }
  await addSelectedText(await chat(), selected, sha256);
}

export async function addSelectedText(chat: SelectionTarget, { name, text }: SelectedText, sha256: Sha256): Promise<void> {
  await chat.context.add({ type: 'file', name, includeMode: 'manual', addedHash: sha256(text), given: await chat.context.store(text) });
}

/** Returns the text selected in an editor. Otherwise returns an error with the reason. */
export function selectedText(files: WorkspaceFiles, editor: TextEditor | undefined): SelectedText | LoupeError {
  if (editor === undefined || editor.selection.isEmpty) {
    return failure('editor.noSelection');
  }
  const { document, selection } = editor;
  const path = document.uri.scheme === 'file' ? files.relative(document.uri.fsPath) : null;
  if (path === null) {
    return failure('editor.selectionOutside');
  }
  const text = document.getText(selection);
  if (Buffer.byteLength(text, 'utf8') > MAX_FILE_BYTES) {
    return failure('editor.selectionTooLarge');
  }
  // A selection that ends at the start of a line does not include that line.
  const endsBefore = selection.end.character === 0;
  return { name: selectionName(path, selection.start.line + 1, selection.end.line + (endsBefore ? 0 : 1)), text };
}
