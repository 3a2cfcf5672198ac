import * as vscode from 'vscode';
import { againRows, importRows, type AgainRow, type ImportRow } from './importRows.js';
import type { EarlierImport, OtherChat, OtherChats, OtherChatsFound } from './otherChats.js';

/**
 * Imports a chat of another workspace: the one with the given folder path or id, else the one that the user picks.
 * Returns its id here; null when the user picked none. Throws `cancelled`.
 */
export async function importChat(others: OtherChats, chat: unknown): Promise<string | null> {
  return typeof chat === 'string' ? (await others.import(chat)).id : pickChat(others);
}

async function pickChat(others: OtherChats): Promise<string | null> {
  const choice = await pick(others.find());
  switch (choice?.type) {
    case 'import':
      return importPicked(others, choice.chat);
    case 'log':
      await vscode.commands.executeCommand('loupe.showLog');
      return null;
    case 'heading':
    case 'none':
    case undefined:
      return null;
  }
}

/** The list appears at once, and fills when the chats are found. */
async function pick(finding: Promise<OtherChatsFound>): Promise<ImportRow['choice'] | undefined> {
  const nothing = new vscode.CancellationTokenSource();
  const listing = finding.then((found) => {
    const rows = importRows(found);
    if (rows.length === 0) {
      nothing.cancel();
    }
    return rows.map(item);
  });
  const options = { placeHolder: 'Import a chat from another workspace', matchOnDescription: true, matchOnDetail: true };
  try {
    const picked = await vscode.window.showQuickPick(listing, options, nothing.token);
    if (nothing.token.isCancellationRequested) {
      // Does not wait for the user to dismiss the notification.
      void vscode.window.showInformationMessage('No chats found in other workspaces.');
    }
    return picked?.choice;
  } finally {
    nothing.dispose();
  }
}

function item(row: ImportRow): ImportRow & vscode.QuickPickItem {
  const { Separator, Default } = vscode.QuickPickItemKind;
  return { ...row, kind: row.choice.type === 'heading' ? Separator : Default };
}

async function importPicked(others: OtherChats, { path, imported }: OtherChat): Promise<string | null> {
  const choice = imported === null ? 'import' : await pickAgain(imported);
  switch (choice) {
    case 'import':
      return (await others.import(path)).id;
    case 'show':
      return imported === null ? null : (await others.show(imported)).id;
    case undefined:
      return null;
  }
}

async function pickAgain(imported: EarlierImport): Promise<AgainRow['choice'] | undefined> {
  const picked = await vscode.window.showQuickPick(againRows(imported), { placeHolder: 'This chat was already imported' });
  return picked?.choice;
}
