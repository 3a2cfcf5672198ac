import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import { SETTINGS_SECTION } from './settingsSection.js';
import { openAddress } from './openAddress.js';

/** Opens a text as a new untitled file. An unknown language becomes plain text. */
export async function newFile(text: string, language: string): Promise<void> {
  const known = await vscode.languages.getLanguages();
  const id = LANGUAGE_IDS[language.toLowerCase()] ?? language.toLowerCase();
  const document = await vscode.workspace.openTextDocument({
    content: text,
    ...(known.includes(id) ? { language: id } : {}),
  });
  await vscode.window.showTextDocument(document);
}

/** Languages of code blocks whose names differ from VS Code's language ids. */
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

/** Opens a link of a reply after VS Code's confirmation. Opens only web and mail links. */
export async function openLink(href: string): Promise<void> {
  const uri = vscode.Uri.parse(href, true);
  if (!SAFE_SCHEMES.has(uri.scheme)) {
    throw failure('link.refused', { scheme: uri.scheme });
  }
  await openAddress(href);
}

export async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
}

export async function manageTrust(): Promise<void> {
  await vscode.commands.executeCommand('workbench.trust.manage');
}

export async function showSpendSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', `${SETTINGS_SECTION}.spend`);
}

export async function showDefaults(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', `${SETTINGS_SECTION}.defaults`);
}

export async function showSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', SETTINGS_SECTION);
}
