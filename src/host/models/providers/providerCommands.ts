import * as vscode from 'vscode';
import { type LoupeError, failure } from '../../../engine/errors.js';
import { type ModelRef, modelKey } from '../../../engine/model/modelRef.js';
import { SETTINGS_SECTION } from '../../window/settingsSection.js';
import { makeDefault } from '../pickModel.js';
import type { Provider } from '../registry.js';
import type { ConfiguredProviders } from './configuredProviders.js';
import type { KeyStore } from './keyStore.js';
import { parseProvider } from './parseProviders.js';
import type { ProviderConfig } from './providerConfig.js';
import { PROVIDERS_KEY } from './providerSettings.js';
import { keyRemark } from './setup/connectionSteps.js';
import type { SetupPorts } from './setup/answers.js';
import type { SetupResult } from './setup/setupProvider.js';

export interface ProviderPorts {
  readonly configured: ConfiguredProviders;
  readonly keys: KeyStore;
  readonly providers: () => readonly Provider[];
  readonly setup: SetupPorts;
  /** Selects a model, by its key, for the chat in the panel. */
  readonly selectModel: (key: string) => Promise<void>;
}

/**
 * `addProvider(config?, key?)`: checks and saves a configuration without questions, and replaces a provider with the
 * same id. Without a configuration, asks the user step by step. Resolves to the id of the saved provider.
 */
export async function addProvider(ports: ProviderPorts, config: unknown, key: unknown): Promise<string | undefined> {
  if (config === undefined || config === null) {
    const wizard = await import('./setup/setupProvider.js');
    return reportSaved(await wizard.addProvider(ports.setup), ports);
  }
  if (key !== undefined && typeof key !== 'string') {
    throw failure('setup.keyNoText');
  }
  // Treats all problems as errors, except for the warning about an unencrypted address.
  const { provider, problems } = parseProvider(config, 'provider');
  if (provider === null || problems.length > 0) {
    throw failure('setup.notAdded', { faults: problems.join(' ') });
  }
  const given = (key ?? '').trim();
  checkKey(given);
  await ports.setup.save(provider);
  if (given !== '') {
    await ports.keys.set(provider, given);
  }
  return provider.id;
}

/**
 * `editProvider(providerId?, modelId?)`: asks the user step by step. With a model, asks only for its context size.
 * Resolves to the provider's id after saving.
 */
export async function editProvider(ports: ProviderPorts, providerId: unknown, modelId: unknown): Promise<string | undefined> {
  const provider = await pickProvider(ports, providerId, { placeHolder: 'Choose a provider to edit', refuse: unknownProvider });
  if (provider === null) {
    return undefined;
  }
  const wizard = await import('./setup/setupProvider.js');
  if (typeof modelId !== 'string') {
    return reportSaved(await wizard.editProvider(provider, ports.setup), ports);
  }
  const model = provider.models.find(({ id }) => id === modelId);
  if (model === undefined) {
    throw failure('setup.unknownModel', { label: provider.label, id: modelId });
  }
  if (!(await wizard.editModel({ provider, model }, ports.setup))) {
    return undefined;
  }
  void vscode.window.showInformationMessage(`The context size of ${model.label} is saved.`);
  return provider.id;
}

/** `removeProvider(providerId?)`: after a confirmation, removes the provider and its key. */
export async function removeProvider(ports: ProviderPorts, providerId: unknown): Promise<void> {
  const provider = await pickProvider(ports, providerId, { placeHolder: 'Choose a provider to remove', refuse: unknownProvider });
  const wizard = await import('./setup/setupProvider.js');
  if (provider !== null && (await wizard.removeProvider(provider, ports.setup))) {
    void vscode.window.showInformationMessage(`${provider.label} and its key were removed.`);
  }
}

/** Shows what was saved, and offers to use a model of a new provider. */
async function reportSaved(result: SetupResult | null, { selectModel }: ProviderPorts): Promise<string | undefined> {
  if (result === null) {
    return undefined;
  }
  const { provider, tested, isNew } = result;
  const said = tested === null ? `${provider.label} is saved.` : `${provider.label} works and is saved. ${tested}`;
  const [first] = provider.models;
  if (first === undefined || !isNew) {
    void vscode.window.showInformationMessage(said);
  } else {
    const model = { provider: provider.id, model: first.id };
    if (await offerModel(model, `Use ${first.label}`, said)) {
      await selectModel(modelKey(model));
    }
  }
  return provider.id;
}

/** Asks which chats should use a model of the new provider. Returns whether the chat in the panel should use it. */
async function offerModel(model: ModelRef, use: string, said: string): Promise<boolean> {
  const everywhere = { label: `${use} in this chat and in new chats` };
  const here = { label: `${use} only in this chat` };
  const picked = await vscode.window.showQuickPick([everywhere, here, { label: 'Later' }], { title: said, ignoreFocusOut: true });
  if (picked === everywhere) {
    await makeDefault(model);
  }
  return picked === everywhere || picked === here;
}

/** Opens the setting with the providers and the limits and prices of their models. */
export async function showModelSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', `@id:${SETTINGS_SECTION}.${PROVIDERS_KEY}`);
}

/** `setApiKey(providerId?, key?)`: saves a key. Asks for missing arguments. Resolves to whether it saved a key. */
export async function setApiKey(ports: ProviderPorts, providerId: unknown, key: unknown): Promise<boolean> {
  const provider = await pickProvider(ports, providerId, { placeHolder: 'Choose a provider to set its API key', refuse: takesNoKey });
  if (provider === null) {
    return false;
  }
  const given = typeof key === 'string' ? key : await askKey(provider.label, `API key for ${new URL(provider.baseUrl).host}`);
  if (given === null) {
    return false;
  }
  if (given.trim() === '') {
    throw failure('setup.keyEmpty');
  }
  checkKey(given);
  await ports.keys.set(provider, given.trim());
  void vscode.window.showInformationMessage(`Loupe has stored the API key of ${provider.label}.`);
  return true;
}

/** `removeApiKey(providerId?)`: after a confirmation, removes a key. Asks the user for a missing provider. */
export async function removeApiKey(ports: ProviderPorts, providerId: unknown): Promise<void> {
  const provider = await pickProvider(ports, providerId, { placeHolder: 'Choose a provider to remove its API key', refuse: takesNoKey });
  if (provider === null) {
    return;
  }
  if (typeof providerId !== 'string') {
    const text = `Remove the API key of ${provider.label}? You cannot undo this.`;
    if ((await vscode.window.showWarningMessage(text, { modal: true }, 'Remove')) === undefined) {
      return;
    }
  }
  await ports.keys.remove(provider);
}

/** Asks for a key in a password input. Null after a cancel. */
export async function askKey(label: string, prompt: string): Promise<string | null> {
  const validateInput = (text: string): string | undefined => keyRemark(text)?.text;
  const options = { title: `API key of ${label}`, prompt, password: true, ignoreFocusOut: true, validateInput };
  return (await vscode.window.showInputBox(options))?.trim() ?? null;
}

function checkKey(key: string): void {
  if (keyRemark(key) !== null) {
    throw failure('setup.keyCharacters');
  }
}

const takesNoKey = ({ label }: Provider): LoupeError => failure('setup.takesNoKey', { label });
const unknownProvider = ({ id }: Pick<Provider, 'id'>): LoupeError => failure('setup.unknownProvider', { id });

/** Returns the provider with the id. Without an id, lets the user choose. Null after a cancel. */
async function pickProvider(
  { configured, providers }: ProviderPorts,
  id: unknown,
  { placeHolder, refuse }: { readonly placeHolder: string; readonly refuse: (provider: Provider) => LoupeError },
): Promise<ProviderConfig | null> {
  const configs = configured.configs();
  if (typeof id === 'string') {
    const found = configs.find((config) => config.id === id);
    if (found === undefined) {
      const other = providers().find((provider) => provider.id === id);
      throw other === undefined ? unknownProvider({ id }) : refuse(other);
    }
    return found;
  }
  if (configs.length === 0) {
    throw failure('setup.noProvider');
  }
  const items = configs.map((config) => ({ label: config.label, description: config.baseUrl, config }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.config ?? null;
}
