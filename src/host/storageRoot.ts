import { basename, dirname, join } from 'node:path';

/**
 * A workspace storage folder of a second window: VS Code appends a number to the workspace's id. That is an MD5 in hex
 * on the desktop, and in a browser a signed number of 32 bits in hex.
 */
const NUMBERED_ID = /^([0-9a-f]{32}|-?[0-9a-f]{1,8})-\d+$/;

/**
 * The folder that all windows of a workspace share. `storage` is `.../workspaceStorage/{id}/{extension}`; a second
 * window on the same remote folder gets `{id}-1`, and all of them use the base `{id}`.
 */
export function sharedStorage(storage: string): string {
  const workspace = dirname(storage);
  const base = NUMBERED_ID.exec(basename(workspace))?.[1];
  return base === undefined ? storage : join(dirname(workspace), base, basename(storage));
}
