import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import type { App } from '../app.js';
import { modelKey } from '../../engine/chat/config.js';
import type { Provider } from '../models.js';
import type { ConfiguredProviders } from './configuredProviders.js';
import type { KeyStore } from './keyStore.js';
import { parseProvider } from './parseProviders.js';
import type { ProviderConfig } from './providerConfig.js';
import { keyRemark } from './setup/connectionSteps.js';
import type { SetupPorts } from './setup/draft.js';

/** What the commands about providers work with. */
export interface ProviderPorts {
  readonly app: App;
  readonly configured: ConfiguredProviders;
  readonly keys: KeyStore;
  /** All providers, also those that are not configured. */
  readonly providers: () => readonly Provider[];
  readonly setup: SetupPorts;
}

/**
 * `addProvider(config?, key?)`: with a configuration it is checked and saved without a question, in place of a
 * provider with its id; else the user is led through it. Resolves to the id of the provider that was saved, if any.
 */
export async function addProvider(ports: ProviderPorts, config: unknown, key: unknown): Promise<string | undefined> {
  if (config === undefined || config === null) {
    return setUpWithUser(ports);
  }
  if (key !== undefined && typeof key !== 'string') {
    throw failure('setup.keyNoText');
  }
  // The warning of an address without encryption comes when the settings are read; everything else has to be right here.
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

async function setUpWithUser(ports: ProviderPorts): Promise<string | undefined> {
  const { setupProvider } = await import('./setup/setupProvider.js');
  const result = await setupProvider(ports.setup);
  if (result === null) {
    return undefined;
  }
  if (result.type === 'removed') {
    void vscode.window.showInformationMessage(`${result.provider.label} was removed, and its key with it.`);
    return undefined;
  }
  // Nobody waits for the notification to be dismissed.
  void offerModel(result.provider, result.tested, ports.app);
  return result.provider.id;
}

async function offerModel({ id, label, models }: ProviderConfig, tested: string | null, app: App): Promise<void> {
  const [first] = models;
  const said = `${label} is set up.${tested === null ? '' : ` ${tested}`}`;
  if (first === undefined) {
    void vscode.window.showInformationMessage(said);
    return;
  }
  const use = `Use ${first.label} in this chat`;
  const chosen = await vscode.window.showInformationMessage(said, use);
  if (chosen === use) {
    await vscode.commands.executeCommand('loupe.selectModel', modelKey({ provider: id, model: first.id }), {
      chatId: (await app.current()).id,
    });
  }
}

/** `setApiKey(providerId?, key?)`: what is missing is asked for. */
export async function setApiKey(ports: ProviderPorts, providerId: unknown, key: unknown): Promise<void> {
  const provider = await pickProvider(ports, providerId, 'Set the key of');
  if (provider === null) {
    return;
  }
  const given = typeof key === 'string' ? key : await askKey(provider.label, `The key for ${new URL(provider.baseUrl).host}`);
  if (given === null) {
    return;
  }
  if (given.trim() === '') {
    throw failure('setup.keyEmpty');
  }
  checkKey(given);
  await ports.keys.set(provider, given.trim());
}

/** `removeApiKey(providerId?)`: asks first, unless the provider is named. */
export async function removeApiKey(ports: ProviderPorts, providerId: unknown): Promise<void> {
  const provider = await pickProvider(ports, providerId, 'Remove the key of');
  if (provider === null) {
    return;
  }
  if (typeof providerId !== 'string') {
    const text = `Remove the key of ${provider.label}? It cannot be brought back.`;
    if ((await vscode.window.showWarningMessage(text, { modal: true }, 'Remove')) === undefined) {
      return;
    }
  }
  await ports.keys.remove(provider);
}

/** Asks for a key, typed unseen; null when the user gives up. */
export async function askKey(label: string, prompt: string): Promise<string | null> {
  const validateInput = (text: string): string | undefined => keyRemark(text)?.text;
  const options = { title: `Key of ${label}`, prompt, password: true, ignoreFocusOut: true, validateInput };
  return (await vscode.window.showInputBox(options))?.trim() ?? null;
}

function checkKey(key: string): void {
  if (keyRemark(key) !== null) {
    throw failure('setup.keyCharacters');
  }
}

/** The provider of that id, or the one that the user picks; null when the user picks none. */
async function pickProvider({ configured, providers }: ProviderPorts, id: unknown, placeHolder: string): Promise<ProviderConfig | null> {
  const configs = configured.configs();
  if (typeof id === 'string') {
    const found = configs.find((config) => config.id === id);
    if (found === undefined) {
      const other = providers().find((provider) => provider.id === id);
      throw other === undefined ? failure('setup.unknownProvider', { id }) : failure('setup.takesNoKey', { label: other.label });
    }
    return found;
  }
  if (configs.length === 0) {
    throw failure('setup.noProvider');
  }
  const items = configs.map((config) => ({ label: config.label, description: config.baseUrl, config }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.config ?? null;
}
