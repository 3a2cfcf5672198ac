import { basename, dirname, join } from 'node:path';

/**
 * Matches the storage folder of a second window, in which VS Code adds a number to the workspace's id. The id is an MD5
 * in hex on the desktop, and a signed 32-bit number in hex in a browser.
 */
const NUMBERED_ID = /^([0-9a-f]{32}|-?[0-9a-f]{1,8})-\d+$/;

/**
 * Returns the storage folder that all windows of a workspace share: the folder of the first window. `storage` is
 * `.../workspaceStorage/{id}/{extension}`. A second window on the same remote folder has `{id}-1`.
 */
export function sharedStorage(storage: string): string {
  const workspace = dirname(storage);
  const base = NUMBERED_ID.exec(basename(workspace))?.[1];
  return base === undefined ? storage : join(dirname(workspace), base, basename(storage));
}
