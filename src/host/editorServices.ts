import type * as vscode from 'vscode';
import type { LoupeError } from '../engine/errors.js';
import type { JsonObject } from '../engine/json.js';
import { editedFiles } from './context/editedFiles.js';
import { EditorState } from './context/editorState/editorState.js';
import { VscodeEditor } from './context/editorState/vscodeEditor.js';
import type { FileWriter } from './context/files/fileWriter.js';
import type { WorkspaceFiles } from './context/files/workspaceFiles.js';
import { EditDocuments } from './tools/editDocuments.js';
import { applyCode } from './tools/workspace/applyCode.js';
import { previewEdit, viewEdit } from './tools/workspace/previewEdit.js';
import { confirmCode, offerUndoOfCode } from './tools/workspace/confirmCode.js';
import { insertAtCursor } from './window/insertAtCursor.js';
import { OpenEditor } from './window/openFile.js';
import { localTime, systemClock } from './window/systemPorts.js';

/** Creates what Loupe reads from the editors of the VS Code window, and what it shows or inserts there. */
export function editorServices(
  { subscriptions }: Pick<vscode.ExtensionContext, 'subscriptions'>,
  {
    files,
    writer,
    logError,
  }: { readonly files: () => WorkspaceFiles; readonly writer: FileWriter; readonly logError: (error: LoupeError) => void },
) {
  const documents = new EditDocuments();
  const editors = new OpenEditor();
  const openEditor = editors.current.bind(editors);
  const source = new VscodeEditor({ clock: systemClock, localTime, files, openEditor, logError });
  subscriptions.push(documents, editors, source);
  const show = documents.show.bind(documents);
  const preview = (args: JsonObject): ReturnType<typeof previewEdit> => previewEdit(args, editedFiles(files));
  return {
    openEditor,
    insertAtCursor: (text: string) => insertAtCursor(text, openEditor()),
    applyCode: (path: string, text: string) =>
      applyCode({ path, text }, { files: editedFiles(files), writer, show, confirm: confirmCode, offerUndo: offerUndoOfCode }),
    viewEdit: (args: string) => viewEdit(args, { preview, show }),
    editor: new EditorState({ source, logError }),
    activeFile: source.active.bind(source),
    onEditorChange: source.onChange.bind(source),
    /** Shows what an edit would change, or what it has changed. */
    edits: {
      preview,
      show,
      showAll: documents.showAll.bind(documents),
    },
  };
}
