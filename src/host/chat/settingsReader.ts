import * as vscode from 'vscode';
import type { ChatConfig } from '../../engine/chat/settings/config.js';
import { failure } from '../../engine/errors.js';
import type { ModelRef } from '../../engine/model/modelRef.js';
import type { ChosenIncludes } from '../../engine/context/agentProfile.js';
import type { SpendLimits } from '../../engine/spend/limits.js';
import { chosenIncludes, INCLUDE_MODES_KEY } from '../context/catalog/includeSetting.js';
import type { UsedFamilies } from '../context/catalog/ruleFormats.js';
import type { UserFamily } from '../context/files/userFiles.js';
import type { Log } from '../window/log.js';
import type { ProviderConfig } from '../models/providers/providerConfig.js';
import { showSettings } from '../window/editors.js';
import { SETTINGS_SECTION } from '../window/settingsSection.js';
import { readSettings, SPEND_KEYS } from './settings.js';

/** Reads the current settings. A change of the settings shows at most one warning, about all invalid settings. */
export class SettingsReader {
  readonly #builtInModel: ModelRef;

  constructor(builtInModel: ModelRef) {
    this.#builtInModel = builtInModel;
  }

  current(): ChatConfig {
    return readSettings(section(), this.#builtInModel).settings;
  }

  /** Returns the configured providers without their invalid parts. */
  providers(): readonly ProviderConfig[] {
    return readSettings(section(), this.#builtInModel).providers;
  }

  introduction(): boolean {
    return readSettings(section(), this.#builtInModel).introduction;
  }

  fontSize(): number | null {
    return readSettings(section(), this.#builtInModel).fontSize;
  }

  embeddings(): ModelRef | null {
    return readSettings(section(), this.#builtInModel).embeddings;
  }

  /** Returns the include modes of all chats. The include modes of an agent override these. */
  includes(): ChosenIncludes {
    const { workspaceValue } = vscode.workspace.getConfiguration(SETTINGS_SECTION).inspect(INCLUDE_MODES_KEY) ?? {};
    return chosenIncludes(readSettings(section(), this.#builtInModel).includes, workspaceValue);
  }

  ruleFamilies(): UsedFamilies {
    return readSettings(section(), this.#builtInModel).ruleFamilies;
  }

  userFamilies(): ReadonlySet<UserFamily> {
    return readSettings(section(), this.#builtInModel).userFamilies;
  }

  spendLimits(): SpendLimits {
    return readSettings(section(), this.#builtInModel).spendLimits;
  }

  /** Writes a spend limit to the user settings. Throws when that fails. */
  async writeSpendLimit(name: 'askAbove' | 'capPerDay', usd: number | null): Promise<void> {
    try {
      await vscode.workspace.getConfiguration(SETTINGS_SECTION).update(SPEND_KEYS[name], usd, vscode.ConfigurationTarget.Global);
    } catch (thrown) {
      throw failure('settings.notWritten', { cause: thrown });
    }
  }

  /** Warns about invalid settings now and after each change. Calls `changed` after each change. */
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
