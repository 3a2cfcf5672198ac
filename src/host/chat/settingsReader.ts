import * as vscode from 'vscode';
import type { ChatConfig } from '../../engine/chat/settings/config.js';
import type { ModelRef } from '../../engine/model/modelRef.js';
import type { AgentProfile } from '../../engine/context/agentProfile.js';
import type { SpendLimits } from '../../engine/spend/limits.js';
import type { Log } from '../window/log.js';
import type { ProviderConfig } from '../models/providers/providerConfig.js';
import { showSettings } from '../window/editors.js';
import { SETTINGS_SECTION } from '../window/settingsSection.js';
import { readSettings } from './settings.js';

/** The current settings. Each change of the settings brings at most one warning, which names all invalid ones. */
export class SettingsReader {
  readonly #builtInModel: ModelRef;

  constructor(builtInModel: ModelRef) {
    this.#builtInModel = builtInModel;
  }

  current(): ChatConfig {
    return readSettings(section(), this.#builtInModel).settings;
  }

  /** The providers in the settings, without their invalid parts. */
  providers(): readonly ProviderConfig[] {
    return readSettings(section(), this.#builtInModel).providers;
  }

  /** Whether Loupe explains itself in a new installation. */
  introduction(): boolean {
    return readSettings(section(), this.#builtInModel).introduction;
  }

  /** The size of texts, in pixels; null for that of VS Code. */
  fontSize(): number | null {
    return readSettings(section(), this.#builtInModel).fontSize;
  }

  /** The model for embeddings; null for none. */
  embeddings(): ModelRef | null {
    return readSettings(section(), this.#builtInModel).embeddings;
  }

  /** The include modes of all chats, below what their agents say. */
  includes(): AgentProfile['includes'] {
    return readSettings(section(), this.#builtInModel).includes;
  }

  /** What is asked about, and what is spent at most. */
  spendLimits(): SpendLimits {
    return readSettings(section(), this.#builtInModel).spendLimits;
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
        void showSettings();
      }
    });
  }
}

function section(): unknown {
  return vscode.workspace.getConfiguration().get(SETTINGS_SECTION);
}
