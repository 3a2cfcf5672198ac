import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import { type Around, insertion, insertionBelow, splitsLine } from './insertion.js';
import { openEditor } from './openFile.js';
import { SETTINGS_SECTION } from './settingsSection.js';

/* What Loupe asks of VS Code's editors. */

/** Replaces the selection of the active editor, or inserts at its cursor without splitting code, in one step of Undo. Throws `invalidInput` when there is no editor to write to. */
export async function insertAtCursor(text: string): Promise<void> {
  const editor = openEditor();
  if (editor === undefined) {
    throw failure('editor.none');
  }
  const done = await editor.edit((builder) => {
    for (const selection of editor.selections) {
      const line = around(editor.document, selection);
      if (selection.isEmpty && splitsLine(text, line)) {
        builder.insert(editor.document.lineAt(selection.end.line).range.end, insertionBelow(text, line));
      } else {
        builder.replace(selection, insertion(text, line));
      }
    }
  });
  if (!done) {
    throw failure('editor.refused');
  }
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

function around(document: vscode.TextDocument, { start, end }: vscode.Selection): Around {
  return {
    before: document.lineAt(start.line).text.slice(0, start.character),
    after: document.lineAt(end.line).text.slice(end.character),
  };
}

/** Opens the text as a new untitled file. An unknown language becomes plain text. */
export async function newFile(text: string, language: string): Promise<void> {
  const known = await vscode.languages.getLanguages();
  const id = LANGUAGE_IDS[language.toLowerCase()] ?? language.toLowerCase();
  const document = await vscode.workspace.openTextDocument({
    content: text,
    ...(known.includes(id) ? { language: id } : {}),
  });
  await vscode.window.showTextDocument(document);
}

/** Fence languages whose name is not VS Code's language id. */
const LANGUAGE_IDS: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  jsx: 'javascriptreact',
  py: 'python',
  sh: 'shellscript',
  bash: 'shellscript',
  yml: 'yaml',
  md: 'markdown',
  rs: 'rust',
  cs: 'csharp',
  'c++': 'cpp',
};

const SAFE_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto']);

/** Opens a link of a reply after VS Code's own question. Refuses all links but web and mail. */
export async function openLink(href: string): Promise<void> {
  const uri = vscode.Uri.parse(href, true);
  if (!SAFE_SCHEMES.has(uri.scheme)) {
    throw failure('link.refused', { scheme: uri.scheme });
  }
  await vscode.env.openExternal(uri);
}

/** Opens the settings of what is spent. */
export async function showSpendSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', `${SETTINGS_SECTION}.spend`);
}

/** Opens Loupe's section of VS Code's settings. */
export async function showSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', SETTINGS_SECTION);
}
