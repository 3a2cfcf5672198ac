import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import { settingOf } from '../../engine/chat/settings/config.js';
import { SETTINGS_SECTION } from '../window/settingsSection.js';
import type { ChatSession } from './chatSession.js';
import { changedDefaults, DEFAULTS_PREFIX } from './settings.js';
import type { SettingsReader } from './settingsReader.js';

/** Saves a chat's settings as defaults of new chats, in the user settings. Throws when that fails. */
export async function useForNewChats({ state: { config } }: ChatSession, settings: Pick<SettingsReader, 'current'>): Promise<void> {
  const section = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  try {
    for (const { name, value } of changedDefaults(config, settings.current())) {
      await section.update(`${DEFAULTS_PREFIX}${name}`, value, vscode.ConfigurationTarget.Global);
    }
  } catch (thrown) {
    throw failure('settings.notWritten', { cause: thrown });
  }
  const others = changedDefaults(config, settings.current()).map(({ name }) => settingOf(name).label);
  const text =
    others.length === 0
      ? 'New chats start with these settings.'
      : `Saved. This workspace overrides these settings for new chats: ${others.join(', ')}.`;
  void vscode.window.showInformationMessage(text);
}

/** Resets the chat settings to the defaults. Asks first, because written instructions may be lost. */
export async function resetSettings(session: ChatSession, settings: Pick<SettingsReader, 'current'>): Promise<void> {
  const defaults = settings.current();
  const changed = changedDefaults(defaults, session.state.config).map(({ name }) => settingOf(name).label);
  if (changed.length === 0) {
    void vscode.window.showInformationMessage('This chat already has the default settings.');
    return;
  }
  const text = `Reset ${changed.join(', ')} of this chat to the defaults?`;
  if ((await vscode.window.showWarningMessage(text, { modal: true }, 'Reset')) !== undefined) {
    await session.changeConfig(defaults);
  }
}

/** Opens the defaults of new chats in VS Code's settings. */
export async function showDefaults(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', `${SETTINGS_SECTION}.${DEFAULTS_PREFIX.slice(0, -1)}`);
}
