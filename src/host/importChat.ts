import * as vscode from 'vscode';
import type { OtherChat, OtherChats } from './otherChats.js';

/**
 * Imports a chat of another workspace: the one named by its folder's path or its id, or one that is picked. Returns
 * the id it has here; null when nothing was picked.
 */
export async function importChat(others: OtherChats, chat: unknown): Promise<string | null> {
  if (typeof chat === 'string') {
    return (await others.import(chat)).id;
  }
  const found = await others.find();
  if (found.length === 0) {
    // Nobody waits for the notification to be dismissed.
    void vscode.window.showInformationMessage('No other workspace on this machine has chats.');
    return null;
  }
  const options = { placeHolder: 'Import a chat of another workspace', matchOnDescription: true, matchOnDetail: true };
  const picked = await vscode.window.showQuickPick(menu(found), options);
  return picked?.path === undefined ? null : (await others.import(picked.path)).id;
}

type Line = vscode.QuickPickItem & { readonly path?: string };

function menu(found: readonly OtherChat[]): Line[] {
  const here = found.filter(({ matches }) => matches);
  const elsewhere = found.filter(({ matches }) => !matches);
  return [...group('Of this workspace’s folders', here), ...group('Of other folders', elsewhere)];
}

function group(label: string, chats: readonly OtherChat[]): Line[] {
  const separator = { label, kind: vscode.QuickPickItemKind.Separator };
  return chats.length === 0 ? [] : [separator, ...chats.map(line)];
}

function line({ title, folders, updatedAt, path }: OtherChat): Line {
  const names = folders.map((folder) => decodeURIComponent(folder.split('/').findLast((part) => part !== '') ?? folder));
  return { label: title, description: names.length === 0 ? 'no folder' : names.join(', '), detail: new Date(updatedAt).toLocaleString(), path };
}
