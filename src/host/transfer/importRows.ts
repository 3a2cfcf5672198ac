import { counted } from '../../protocol/numbers.js';
import type { EarlierImport, OtherChat, FoundOtherChats } from './otherChats.js';
import { plainText } from '../window/plainText.js';

/** A row of the import list: a chat of another workspace, *File...*, *Folder...*, a heading or a note. */
export interface ImportRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly choice:
    | { readonly type: 'import'; readonly chat: OtherChat }
    | { readonly type: 'file' | 'folder' }
    | { readonly type: 'log' }
    | { readonly type: 'none' }
    | { readonly type: 'heading' };
}

const EXPORTED: readonly ImportRow[] = [
  { label: '$(file-zip) File...', description: 'a .zip or .jsonl that Loupe has exported', detail: '', choice: { type: 'file' } },
  { label: '$(folder-opened) Folder...', description: 'an unpacked .zip', detail: '', choice: { type: 'folder' } },
];

/** Returns *File...* and *Folder...*, then chats of other workspaces. Chats with an earlier import come last. */
export function importRows({ chats, unread, unseen }: FoundOtherChats): readonly ImportRow[] {
  const imported = chats.filter((chat) => chat.imported !== null);
  const fresh = chats.filter((chat) => chat.imported === null);
  const matching = fresh.filter(({ matches }) => matches);
  const others = fresh.filter(({ matches }) => !matches);
  return [
    ...EXPORTED,
    ...group('From this folder', matching),
    ...group('From other folders', others),
    ...group('Already imported', imported),
    ...(chats.length === 0 && unread === 0 ? [note('No chats in other workspaces', '')] : []),
    ...(unread === 0 ? [] : [unreadRow(unread)]),
    ...(unseen === 0 ? [] : [note(`${unseen.toLocaleString('en')} older chats are not shown`, 'Loupe lists only the latest chats.')]),
  ];
}

export interface AgainRow {
  readonly label: string;
  readonly detail: string;
  readonly choice: 'show' | 'import';
}

export function againRows({ at, hasGrown }: EarlierImport): readonly AgainRow[] {
  const since = hasGrown ? 'The original chat has new messages since the import.' : 'The original chat has not changed since the import.';
  return [
    { label: 'Open the imported chat', detail: `Imported on ${when(at)}.`, choice: 'show' },
    { label: 'Import again as a new chat', detail: `${since} Loupe keeps the imported chat.`, choice: 'import' },
  ];
}

function group(label: string, chats: readonly OtherChat[]): readonly ImportRow[] {
  return chats.length === 0 ? [] : [{ label, description: '', detail: '', choice: { type: 'heading' } }, ...chats.map(row)];
}

function row(chat: OtherChat): ImportRow {
  const { title, folders, updatedAt, imported } = chat;
  const names = folders.map((folder) => plainText(folderName(folder)));
  const before = imported === null ? '' : ` · imported on ${when(imported.at)}${imported.hasGrown ? ', new messages since then' : ''}`;
  return {
    label: plainText(title),
    description: names.length === 0 ? 'no folder' : names.join(', '),
    detail: `Last changed ${when(updatedAt)}${before}`,
    choice: { type: 'import', chat },
  };
}

function unreadRow(count: number): ImportRow {
  return { label: `$(warning) ${counted(count, 'chat')} could not be read`, description: 'Show log', detail: '', choice: { type: 'log' } };
}

function note(label: string, detail: string): ImportRow {
  return { label, description: '', detail, choice: { type: 'none' } };
}

/** Returns the last segment of a URI. The URI may be invalid, because other programs can write it. */
function folderName(uri: string): string {
  const last = uri.split('/').findLast((part) => part !== '') ?? uri;
  try {
    return decodeURIComponent(last);
  } catch (thrown) {
    if (thrown instanceof URIError) {
      return last;
    }
    throw thrown;
  }
}

function when(at: number): string {
  return new Date(at).toLocaleString();
}
