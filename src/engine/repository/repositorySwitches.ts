import type { ChatConfig } from '../chat/settings/config.js';
import { foldersIn, mappedFolder } from './repositoryTexts.js';

type RepositorySwitches = Pick<ChatConfig, 'repositoryMap' | 'repositoryWithout'>;

/*
 * The chat settings that parts and folders of the repository map need. `keys` are keys of rows: `repository:tree`,
 * `repository:map`, or `repository:map/src/engine/`. If no key is one of these, the result is null.
 */

/** Returns the settings without the parts or folders. The definitions are sent only with the file tree. */
export function omitFromMap({ repositoryWithout }: RepositorySwitches, keys: readonly string[]): Partial<RepositorySwitches> | null {
  if (keys.includes('repository:tree')) {
    return { repositoryMap: 'off' };
  }
  if (keys.includes('repository:map')) {
    return { repositoryMap: 'tree' };
  }
  const folders = foldersOf(keys);
  return folders.length === 0 ? null : { repositoryWithout: [...foldersIn(repositoryWithout), ...folders].join('\n') };
}

/** Returns the settings with the parts or folders. */
export function includeInMap({ repositoryWithout }: RepositorySwitches, keys: readonly string[]): Partial<RepositorySwitches> | null {
  if (keys.includes('repository:map')) {
    return { repositoryMap: 'map' };
  }
  if (keys.includes('repository:tree')) {
    return { repositoryMap: 'tree' };
  }
  const folders = new Set(foldersOf(keys));
  const without = foldersIn(repositoryWithout).filter((folder) => !folders.has(folder));
  return folders.size === 0 ? null : { repositoryWithout: without.join('\n') };
}

function foldersOf(keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => mappedFolder(key) ?? []);
}
