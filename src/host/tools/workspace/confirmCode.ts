import * as vscode from 'vscode';
import type { CodeChange } from './applyCode.js';

/** Asks at the top of the window, so that the difference below stays in sight. */
export async function confirmCode({ path, place, added, removed }: CodeChange): Promise<boolean> {
  const write = { label: `$(check) Write to ${path}`, description: `${place} · +${String(added)} −${String(removed)}` };
  const picked = await vscode.window.showQuickPick([write, { label: '$(close) Do not write' }], {
    title: 'Apply code from the reply',
    placeHolder: 'The difference is in the editor below.',
    // A click into the difference keeps the question.
    ignoreFocusOut: true,
  });
  return picked === write;
}

export async function offerUndoOfCode({ path, added, removed }: CodeChange): Promise<boolean> {
  const text = `Wrote the code to ${path} (+${String(added)} −${String(removed)}).`;
  return (await vscode.window.showInformationMessage(text, 'Undo')) === 'Undo';
}
