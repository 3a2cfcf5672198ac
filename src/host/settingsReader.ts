import * as vscode from 'vscode';
import type { ChatConfig, ModelRef } from '../engine/chat/config.js';
import type { Log } from './log.js';
import type { ProviderConfig } from './providers/providerConfig.js';
import { readSettings, SETTINGS_SECTION } from './settings.js';

/** The settings as they are now. A wrong one is named once, in one warning, each time the settings change. */
export class SettingsReader {
  readonly #builtInModel: ModelRef;

  constructor(builtInModel: ModelRef) {
    this.#builtInModel = builtInModel;
  }

  current(): ChatConfig {
    return readSettings(section(), this.#builtInModel).settings;
  }

  /** The providers that the settings describe, without what is not valid. */
  providers(): readonly ProviderConfig[] {
    return readSettings(section(), this.#builtInModel).providers;
  }

  /** Warns now and after each change; `changed` is called after each change. */
  watch(log: Log, changed: () => void): vscode.Disposable {
    this.#warn(log);
    return vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SETTINGS_SECTION)) {
        this.#warn(log);
        changed();
      }
    });
  }

  #warn(log: Log): void {
    const { problems } = readSettings(section(), this.#builtInModel);
    if (problems.length === 0) {
      return;
    }
    const text = `Loupe settings: ${problems.join(' ')}`;
    log.info(text);
    void vscode.window.showWarningMessage(text, 'Open settings').then((choice) => {
      if (choice !== undefined) {
        void vscode.commands.executeCommand('workbench.action.openSettings', SETTINGS_SECTION);
      }
    });
  }
}

function section(): unknown {
  return vscode.workspace.getConfiguration().get(SETTINGS_SECTION);
}
