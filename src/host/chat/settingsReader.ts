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

/**
 * The current settings. Keeps them until VS Code reports a change, because each key press needs them. A change of the
 * settings shows at most one warning, about all invalid settings.
 */
export class SettingsReader {
  readonly #builtInModel: ModelRef;
  readonly #watching: vscode.Disposable;
  #kept: ReturnType<typeof readSettings> | null = null;
  #includes: ChosenIncludes | null = null;

  /** Create this before other listeners for changes of the settings: they are called later, and read the settings. */
  constructor(builtInModel: ModelRef) {
    this.#builtInModel = builtInModel;
    this.#watching = vscode.workspace.onDidChangeConfiguration(() => {
      this.#kept = null;
      this.#includes = null;
    });
  }

  dispose(): void {
    this.#watching.dispose();
  }

  get #read(): ReturnType<typeof readSettings> {
    return (this.#kept ??= readSettings(section(), this.#builtInModel));
  }

  current(): ChatConfig {
    return this.#read.settings;
  }

  /** Returns the configured providers without their invalid parts. */
  providers(): readonly ProviderConfig[] {
    return this.#read.providers;
  }

  introduction(): boolean {
    return this.#read.introduction;
  }

  fontSize(): number | null {
    return this.#read.fontSize;
  }

  embeddings(): ModelRef | null {
    return this.#read.embeddings;
  }

  /** Returns the include modes of all chats. The include modes of an agent override these. */
  includes(): ChosenIncludes {
    const inspect = (): unknown => vscode.workspace.getConfiguration(SETTINGS_SECTION).inspect(INCLUDE_MODES_KEY)?.workspaceValue;
    return (this.#includes ??= chosenIncludes(this.#read.includes, inspect()));
  }

  ruleFamilies(): UsedFamilies {
    return this.#read.ruleFamilies;
  }

  userFamilies(): ReadonlySet<UserFamily> {
    return this.#read.userFamilies;
  }

  spendLimits(): SpendLimits {
    return this.#read.spendLimits;
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
    const { problems } = this.#read;
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
