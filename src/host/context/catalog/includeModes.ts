import * as vscode from 'vscode';
import { failure } from '../../../engine/errors.js';
import { SETTINGS_SECTION } from '../../window/settingsSection.js';
import { INCLUDE_MODES_KEY } from './includeSetting.js';
import { entriesOf } from './profileIncludes.js';

/** The settings with include modes: those of the folder, and those of the user for all folders. */
export type SettingScope = 'folder' | 'everywhere';

/** Returns the scopes of this window, the narrowest first. */
export function settingScopes(): readonly SettingScope[] {
  return vscode.workspace.workspaceFolders === undefined ? ['everywhere'] : ['folder', 'everywhere'];
}

/** Returns the include modes in a scope, unchecked. A value that is not an object has none. */
export function modesIn(scope: SettingScope): ReadonlyMap<string, unknown> {
  const { workspaceValue, globalValue } = vscode.workspace.getConfiguration(SETTINGS_SECTION).inspect(INCLUDE_MODES_KEY) ?? {};
  return new Map(entriesOf(scope === 'folder' ? workspaceValue : globalValue));
}

/** Writes the mode of an item or server; undefined removes it. All other modes stay. */
export async function writeMode(scope: SettingScope, key: string, include: unknown): Promise<void> {
  const others = [...modesIn(scope)].filter(([other]) => other !== key);
  const modes = [...others, ...(include === undefined ? [] : [[key, include] as const])];
  const target = scope === 'folder' ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  try {
    const value = modes.length === 0 ? undefined : Object.fromEntries(modes);
    await vscode.workspace.getConfiguration(SETTINGS_SECTION).update(INCLUDE_MODES_KEY, value, target);
  } catch (thrown) {
    throw failure('settings.notWritten', { cause: thrown });
  }
}

/**
 * Switches an item or server off in the settings of one scope; null switches it on in all. Returns a function that
 * restores the modes. After a failure, no mode has changed.
 */
export async function switchInSettings(key: string, to: SettingScope | null): Promise<() => Promise<void>> {
  const changes = settingScopes().flatMap((scope) => {
    const before = modesIn(scope).get(key);
    // A mode of the folder would replace the user's for all folders.
    const isReplaced = before === 'off' || (scope === 'folder' && to === 'everywhere');
    const after = scope === to ? 'off' : isReplaced ? undefined : before;
    return after === before ? [] : [{ scope, before, after }];
  });
  const done: typeof changes = [];
  const undo = async (): Promise<void> => {
    for (const { scope, before } of done) {
      await writeMode(scope, key, before);
    }
  };
  try {
    for (const change of changes) {
      await writeMode(change.scope, key, change.after);
      done.push(change);
    }
  } catch (thrown) {
    await undo();
    throw thrown;
  }
  return undo;
}
