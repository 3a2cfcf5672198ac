import * as vscode from 'vscode';
import { SETTINGS_SECTION } from '../../window/settingsSection.js';
import { PROVIDERS_KEY } from './providerSettings.js';

/** Opens the setting that has the prices of models. */
export async function showPriceSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', `@id:${SETTINGS_SECTION}.${PROVIDERS_KEY}`);
}
