import * as vscode from 'vscode';
import { modelKey, type ModelRef } from '../../engine/model/modelRef.js';
import { failure } from '../../engine/errors.js';
import { SETTINGS_SECTION } from '../window/settingsSection.js';

/** Makes a model the default of new chats in the user's settings. Throws when the settings cannot be written. */
export async function makeDefault(model: ModelRef): Promise<void> {
  try {
    await vscode.workspace.getConfiguration(SETTINGS_SECTION).update('defaults.model', modelKey(model), vscode.ConfigurationTarget.Global);
  } catch (thrown) {
    throw failure('settings.notWritten', { cause: thrown });
  }
}
