import * as vscode from 'vscode';
import { countedAs } from '../../../protocol/numbers.js';

const ALL = 'Undo all';
const UNCHANGED = 'Keep the changed files';

/** Asks whether to undo also in files that changed after the turn. `others`: the number of unchanged files. */
export async function askChanged(paths: readonly string[], others: number): Promise<'all' | 'unchanged' | null> {
  const text = `${countedAs(paths.length, 'file has', 'files have')} changed since the assistant wrote ${paths.length === 1 ? 'it' : 'them'}. Undo all the same?`;
  const detail = `${paths.join('\n')}\n\n"${ALL}" also removes these later changes.`;
  const buttons = others === 0 ? [ALL] : [ALL, UNCHANGED];
  const answer = await vscode.window.showWarningMessage(text, { modal: true, detail }, ...buttons);
  return answer === undefined ? null : answer === ALL ? 'all' : 'unchanged';
}

/** Offers to redo what was undone. Resolves to false when the user closes the offer. */
export async function offerRedo(paths: readonly string[]): Promise<boolean> {
  const text = `Loupe undid the changes of the assistant in ${countedAs(paths.length, 'file', 'files')}.`;
  return (await vscode.window.showInformationMessage(text, 'Redo')) !== undefined;
}
