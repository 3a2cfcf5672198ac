import type { EarlierImport, OtherChat, OtherChatsFound } from './otherChats.js';
import { plain } from './searchRows.js';

/** A row of the list of chats that can be imported, or the heading of those below it. */
export interface ImportRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly choice:
    | { readonly type: 'import'; readonly chat: OtherChat }
    | { readonly type: 'log' }
    | { readonly type: 'none' }
    | { readonly type: 'heading' };
}

/** What was imported already stands last, and says so. Empty when there is nothing to tell. */
export function importRows({ chats, unread, unseen }: OtherChatsFound): readonly ImportRow[] {
  const imported = chats.filter((chat) => chat.imported !== null);
  const fresh = chats.filter((chat) => chat.imported === null);
  const matching = fresh.filter(({ matches }) => matches);
  const others = fresh.filter(({ matches }) => !matches);
  return [
    ...group('Of this workspace’s folders', matching),
    ...group('Of other folders', others),
    ...group('Imported already', imported),
    ...(unread === 0 ? [] : [unreadRow(unread)]),
    ...(unseen === 0 ? [] : [note(`${plural(unseen)} more were not looked at`, 'These are the latest.')]),
  ];
}

export interface AgainRow {
  readonly label: string;
  readonly detail: string;
  readonly choice: 'show' | 'import';
}

/** What can be done with a chat that was imported already. */
export function againRows({ at, hasGrown }: EarlierImport): readonly AgainRow[] {
  const since = hasGrown ? 'With what was added to it since.' : 'Nothing was added to it since.';
  return [
    { label: 'Open the copy that is here', detail: `Imported on ${when(at)}.`, choice: 'show' },
    { label: 'Import it again, as another chat', detail: `${since} The copy that is here stays as it is.`, choice: 'import' },
  ];
}

function group(label: string, chats: readonly OtherChat[]): readonly ImportRow[] {
  return chats.length === 0 ? [] : [{ label, description: '', detail: '', choice: { type: 'heading' } }, ...chats.map(row)];
}

function row(chat: OtherChat): ImportRow {
  const { title, folders, updatedAt, imported } = chat;
  const names = folders.map((folder) => plain(folderName(folder)));
  const before = imported === null ? '' : ` · imported on ${when(imported.at)}${imported.hasGrown ? ', added to since' : ''}`;
  return {
    label: plain(title),
    description: names.length === 0 ? 'no folder' : names.join(', '),
    detail: `Last changed ${when(updatedAt)}${before}`,
    choice: { type: 'import', chat },
  };
}

function unreadRow(count: number): ImportRow {
  return { label: `$(warning) ${plural(count)} could not be read`, description: 'Show the log', detail: '', choice: { type: 'log' } };
}

function note(label: string, detail: string): ImportRow {
  return { label, description: '', detail, choice: { type: 'none' } };
}

function plural(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'chat' : 'chats'}`;
}

/** The last part of a URI, which other programs may have written. */
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
