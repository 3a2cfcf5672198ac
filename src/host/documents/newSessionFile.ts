import * as vscode from 'vscode';
import { normalizePath } from '../../engine/context/paths.js';
import { failure, toLoupeError } from '../../engine/errors.js';
import type { ChatSession } from '../chat/chatSession.js';
import { openSessionFile } from './sessionFileSystem.js';

/** Asks the user for a name, creates an empty session file and opens it. Does nothing if the user cancels. */
export async function newSessionFile(session: Pick<ChatSession, 'id' | 'files'>): Promise<void> {
  const given = await vscode.window.showInputBox({
    title: 'New session file',
    prompt: 'A file of this chat only, which the model can read and write',
    placeHolder: 'notes/plan.md',
    validateInput: (text) => (text.trim() === '' ? null : problemOf(text.trim(), session)),
  });
  if (given === undefined || given.trim() === '') {
    return;
  }
  const name = normalizePath(given.trim());
  await session.files.putFileContent(name, { bytes: new Uint8Array(), mimeType: null, summary: null });
  await openSessionFile(session, name);
}

/** Returns why a session file cannot have this name, or null. */
function problemOf(given: string, { files }: Pick<ChatSession, 'files'>): string | null {
  try {
    const path = normalizePath(given);
    const isTaken = files.listFiles().some(({ name }) => name === path);
    return isTaken ? failure('sessionFile.exists', { path: JSON.stringify(path) }).message : null;
  } catch (thrown) {
    return toLoupeError(thrown).message;
  }
}
