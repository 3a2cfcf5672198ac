import * as vscode from 'vscode';
import type { SessionFile } from '../../engine/chat/slices/sessionFiles.js';
import { sessionFileEntry } from '../../engine/context/sessionFiles.js';
import { fileSize } from '../../protocol/numbers.js';

type Item = vscode.QuickPickItem & { readonly version: SessionFile };

/** Asks which earlier version of a session file to restore. Null after a cancel. */
export async function pickSessionFileVersion(name: string, versions: readonly SessionFile[]): Promise<SessionFile | null> {
  const title = `Restore an earlier version of ${name}`;
  const placeHolder = 'The latest comes first. You can also restore the version that you replace now.';
  const picked = await vscode.window.showQuickPick(versions.map(itemOf), { title, placeHolder, matchOnDescription: true });
  return picked?.version ?? null;
}

function itemOf(version: SessionFile): Item {
  const { summary, bytes } = sessionFileEntry(version);
  const { writtenAt } = version;
  const about = [...(writtenAt === undefined ? [] : [new Date(writtenAt).toLocaleString()]), fileSize(bytes)];
  return { version, label: summary === '' ? 'Without a summary' : summary, description: about.join(' · ') };
}
