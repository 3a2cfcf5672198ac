import * as vscode from 'vscode';
import type { TokenCounter } from '../../engine/ports.js';
import type { ModelClient } from '../../engine/run/model.js';
import { LOCAL_ADDRESSES } from '../../providers/local/localServer.js';
import { PRACTICE_MODELS, PRACTICE_PROVIDER, PRACTICE_STANDARD } from '../../providers/practice/models.js';
import type { App } from '../app.js';
import { LanguageModelSource } from '../languageModels/languageModelSource.js';
import { vscodeChatModels } from '../languageModels/vscodeChatModels.js';
import type { Log } from '../log.js';
import { fixedSource, ModelRegistry, type ProviderSource } from '../models.js';
import { PROVIDERS_KEY, SETTINGS_SECTION } from '../settings.js';
import type { SettingsReader } from '../settingsReader.js';
import { systemClock, systemRandom } from '../systemPorts.js';
import { loadCounter } from '../tokens/counters.js';
import { TokenCounters } from '../tokens/tokenCounters.js';
import { ConfiguredProviders } from './configuredProviders.js';
import { KeyStore } from './keyStore.js';
import { askKey, type ProviderPorts } from './providerCommands.js';
import { removeProvider, saveProvider, type SettingsFile } from './providerSettings.js';
import { PROTOCOLS } from './protocols.js';
import type { SetupPorts } from './setup/draft.js';
import { VscodeWizard } from './vscodeWizard.js';

export interface ProviderServices {
  readonly models: ModelRegistry;
  readonly configured: ConfiguredProviders;
  readonly providerPorts: (app: App) => ProviderPorts;
}

/** Builds all that knows of providers: those built in, those of the settings, those of VS Code, and the keys. */
export function createProviders(context: vscode.ExtensionContext, settings: SettingsReader, log: Log): ProviderServices {
  const logError = log.error.bind(log);
  const keys = new KeyStore({
    secrets: context.secrets,
    ask: (provider, why) => askKey(provider.label, `${why} Enter the key for ${new URL(provider.baseUrl).host}.`),
    tell: (text) => {
      // Nobody waits for the notification to be dismissed.
      void vscode.window.showWarningMessage(text);
    },
    logError,
  });
  const configured = new ConfiguredProviders({
    read: () => settings.providers(),
    key: (provider, use) => (use === 'user' ? keys.get(provider) : keys.getQuietly(provider)),
    protocols: PROTOCOLS,
  });
  const languageModels = new LanguageModelSource({ models: vscodeChatModels, clock: systemClock, logError });
  context.subscriptions.push(languageModels);
  const ranks = context.asAbsolutePath('dist/ranks');
  const counter = (): Promise<TokenCounter> => models.counter(PRACTICE_STANDARD.capabilities.counter);
  const counters = new TokenCounters((id) => loadCounter(id, ranks), logError);
  const models = new ModelRegistry([practiceSource(counter), configured, languageModels], counters);
  const setup = setupPorts(configured, keys);
  return { models, configured, providerPorts: (app) => ({ app, configured, keys, setup, providers: () => models.providers() }) };
}

function practiceSource(counter: () => Promise<TokenCounter>): ProviderSource {
  const loadClient = async (): Promise<ModelClient> => {
    const { PracticeModel } = await import('../../providers/practice/practiceModel.js');
    return new PracticeModel(systemClock, systemRandom, counter);
  };
  return fixedSource([{ id: PRACTICE_PROVIDER, label: 'Practice', models: PRACTICE_MODELS, loadClient }]);
}

function setupPorts(configured: ConfiguredProviders, keys: KeyStore): SetupPorts {
  return {
    wizard: new VscodeWizard(),
    protocols: PROTOCOLS,
    keys,
    existing: () => configured.configs(),
    loadCatalog: async () => (await import('../../providers/catalog/catalog.js')).loadCatalog(new Date()),
    findLocalServers: async (signal) =>
      (await import('../../providers/local/findLocalServers.js')).findLocalServers(LOCAL_ADDRESSES, signal),
    async save(provider) {
      await saveProvider(provider, userSettings);
      // The event that tells of the change may come later than whoever waits for this goes on.
      configured.update();
    },
    async remove({ id }) {
      await removeProvider(id, userSettings);
      configured.update();
    },
  };
}

/** `loupe.providers` in the settings of the user: a workspace has no say in where keys go. */
const userSettings: SettingsFile = {
  read: () => vscode.workspace.getConfiguration(SETTINGS_SECTION).inspect(PROVIDERS_KEY)?.globalValue,
  async write(value) {
    await vscode.workspace.getConfiguration(SETTINGS_SECTION).update(PROVIDERS_KEY, value, vscode.ConfigurationTarget.Global);
  },
};
