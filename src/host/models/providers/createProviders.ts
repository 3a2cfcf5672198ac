import * as vscode from 'vscode';
import type { AttemptUsage } from '../../../engine/accounting/attemptUsage.js';
import type { ModelRef } from '../../../engine/model/modelRef.js';
import { newId } from '../../../engine/chat/order/ids.js';
import type { LoupeError } from '../../../engine/errors.js';
import type { TokenCounter } from '../../../engine/ports.js';
import type { ModelClient } from '../../../engine/model/model.js';
import { LOCAL_ADDRESSES } from '../../../providers/local/localAddresses.js';
import { PRACTICE_MODELS, PRACTICE_PROVIDER, PRACTICE_STANDARD } from '../../../providers/practice/models.js';
import { LanguageModelSource } from '../languageModels/languageModelSource.js';
import { vscodeChatModels } from '../languageModels/vscodeChatModels.js';
import { ModelRegistry, type ProviderSource, fixedSource } from '../registry.js';
import { SETTINGS_SECTION } from '../../window/settingsSection.js';
import { systemClock } from '../../window/systemPorts.js';
import { systemRandom } from '../../window/systemRandom.js';
import { TokenCounters, loadCounter } from '../tokens/counters.js';
import { type ConfiguredPorts, ConfiguredProviders } from './configuredProviders.js';
import { missingKey } from './missingKey.js';
import { KeyStore } from './keyStore.js';
import { type ProviderPorts, askKey } from './providerCommands.js';
import type { ProviderConfig } from './providerConfig.js';
import { PROVIDERS_KEY, type SettingsFile, removeProvider, saveProvider, setCountsTokens } from './providerSettings.js';
import { PROTOCOLS } from './protocols.js';
import type { SetupPorts } from './setup/answers.js';
import { VscodeWizard } from './vscodeWizard.js';

export type ProviderServices = ReturnType<typeof createProviders>;

export interface CreateProvidersPorts {
  readonly read: () => readonly ProviderConfig[];
  readonly readEmbeddings: () => ModelRef | null;
  /** Records the usage of a request that belongs to no chat. Never rejects. */
  readonly addOutside: (request: AttemptUsage) => Promise<void>;
  readonly logError: (error: LoupeError) => void;
  readonly selectModel: ProviderPorts['selectModel'];
}

/** Creates the providers of all sources (built in, settings, VS Code), and the store of their keys. */
export function createProviders(
  context: vscode.ExtensionContext,
  { read, readEmbeddings, addOutside, logError, selectModel }: CreateProvidersPorts,
) {
  const keys = new KeyStore({
    secrets: context.secrets,
    ask: (provider, why) => askKey(provider.label, `${why} Enter the key again for ${new URL(provider.baseUrl).host}.`),
    tell: (text) => {
      // Without a wait, because the notification stays open until the user closes it.
      void vscode.window.showWarningMessage(text);
    },
    logError,
  });
  const key: ConfiguredPorts['key'] = (provider, use) => (use === 'user' ? keys.get(provider) : keys.getQuietly(provider));
  const configured = new ConfiguredProviders({ read, embeddings: readEmbeddings, key, protocols: PROTOCOLS });
  const languageModels = new LanguageModelSource({ models: vscodeChatModels, clock: systemClock, logError });
  context.subscriptions.push(languageModels);
  const ranks = context.asAbsolutePath('dist/ranks');
  const counter = (): Promise<TokenCounter> => models.counter(PRACTICE_STANDARD.capabilities.counter);
  const counters = new TokenCounters((id) => loadCounter(id, ranks), logError);
  const models = new ModelRegistry([practiceSource(counter), configured, languageModels], counters);
  const providerPorts = {
    configured,
    keys,
    selectModel,
    setup: setupPorts({ configured, keys, addOutside }),
    providers: () => models.providers(),
  };
  return {
    models,
    configured,
    knownKeys: async () => {
      const known = await Promise.all(configured.configs().map((config) => keys.known(config)));
      return known.filter((stored) => stored !== null);
    },
    missingKey: (ref: ModelRef) => missingKey(ref, { configured, keys }),
    providerPorts,
    /** Sets `ProviderConfig.countsTokens`. Rejects for a provider outside the user's settings. */
    setCountsTokens: async (id: string, isOn: boolean): Promise<void> => {
      await setCountsTokens(id, isOn, userSettings);
      configured.update();
    },
  };
}

function practiceSource(counter: () => Promise<TokenCounter>): ProviderSource {
  const loadClient = async (): Promise<ModelClient> => {
    const { PracticeModel } = await import('../../../providers/practice/practiceModel.js');
    return new PracticeModel(systemClock, systemRandom, counter);
  };
  return fixedSource([{ id: PRACTICE_PROVIDER, label: 'Practice', countsTokens: false, models: PRACTICE_MODELS, loadClient }]);
}

function setupPorts({
  configured,
  keys,
  addOutside,
}: Pick<CreateProvidersPorts, 'addOutside'> & Pick<ProviderPorts, 'configured' | 'keys'>): SetupPorts {
  return {
    // The signal never aborts, so only the user closes the dialog.
    wizard: new VscodeWizard(new AbortController().signal),
    protocols: PROTOCOLS,
    keys,
    existing: () => configured.configs(),
    loadPriceList: async () => (await import('../../../providers/priceList/priceList.js')).loadPriceList(new Date()),
    findLocalServers: async (signal) =>
      (await import('../../../providers/local/findLocalServers.js')).findLocalServers(LOCAL_ADDRESSES, signal),
    recordUsage: (model, spent) =>
      addOutside({ id: newId(systemClock, systemRandom), at: systemClock.now(), purpose: 'probe', model, isDiscarded: false, ...spent }),
    async save(provider) {
      await saveProvider(provider, userSettings);
      // Updates now, because VS Code's change event can arrive after the caller continues.
      configured.update();
    },
    async remove({ id }) {
      await removeProvider(id, userSettings);
      configured.update();
    },
  };
}

/** `loupe.providers` in the user's settings. A workspace must not decide which address gets a key. */
const userSettings: SettingsFile = {
  read: () => vscode.workspace.getConfiguration(SETTINGS_SECTION).inspect(PROVIDERS_KEY)?.globalValue,
  async write(value) {
    await vscode.workspace.getConfiguration(SETTINGS_SECTION).update(PROVIDERS_KEY, value, vscode.ConfigurationTarget.Global);
  },
};
