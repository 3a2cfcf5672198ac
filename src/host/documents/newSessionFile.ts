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
  // The model can have created the file while the user typed.
  if (isTaken(name, session)) {
    throw failure('sessionFile.exists', { path: JSON.stringify(name) });
  }
  await session.files.putFileContent(name, { bytes: new Uint8Array(), mimeType: null, summary: null });
  await openSessionFile(session, name);
}

/** Returns why a session file cannot have this name, or null. */
function problemOf(given: string, session: Pick<ChatSession, 'files'>): string | null {
  try {
    const path = normalizePath(given);
    return isTaken(path, session) ? failure('sessionFile.exists', { path: JSON.stringify(path) }).message : null;
  } catch (thrown) {
    return toLoupeError(thrown).message;
  }
}

function isTaken(path: string, { files }: Pick<ChatSession, 'files'>): boolean {
  return files.listFiles().some(({ name }) => name === path);
}
