/*
 * Files dropped on the panel. VS Code lets a drag into a webview only while Shift is held, and gives the files as
 * URIs: its own list first, the web's otherwise.
 */

const VSCODE_LIST = 'application/vnd.code.uri-list';
const LIST = 'text/uri-list';

/** What the host takes in one message. */
const MAX_FILES = 1_000;

/** Whether a drag carries something that could be files. */
export function carriesFiles(types: readonly string[]): boolean {
  return types.some((type) => type === VSCODE_LIST || type === LIST || type === 'Files');
}

/** The dropped URIs; empty when there are none that the host could read. */
export function droppedUris(read: (type: string) => string): string[] {
  const list = read(VSCODE_LIST) === '' ? read(LIST) : read(VSCODE_LIST);
  return list
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, MAX_FILES);
}
