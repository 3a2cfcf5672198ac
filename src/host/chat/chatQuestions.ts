import * as vscode from 'vscode';
import { chatTitle } from '../../engine/chat/message/opening.js';
import { settingOf } from '../../engine/chat/settings/config.js';
import type { AgentProfile, AgentProfiles } from '../../engine/context/agentProfile.js';
import { failure } from '../../engine/errors.js';
import type { Model } from '../../engine/model/model.js';
import { modelKey } from '../../engine/model/modelRef.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import { modelOffer } from '../models/modelOffer.js';
import { pickModel } from '../models/pickModel.js';
import { type MenuLine, modelMenu, type ModelPrices } from '../models/providers/modelMenu.js';
import { addProvider, type ProviderPorts } from '../models/providers/providerCommands.js';
import { chatModels, type ModelRegistry } from '../models/registry.js';
import { type Banners, DISMISS } from '../window/banners.js';
import { SETTINGS_SECTION } from '../window/settingsSection.js';
import type { ChatSession } from './chatSession.js';
import { chooseAgent } from './chooseAgent.js';
import { modelPrices, type ModelPricesPorts } from './modelPrices.js';
import { type ProviderQuotas, quotasInWords } from './quota/providerQuotas.js';
import { changedDefaults, DEFAULTS_PREFIX } from './settings.js';
import type { SettingsReader } from './settingsReader.js';

export interface ChatQuestionsPorts extends Pick<ModelPricesPorts, 'toolbox'> {
  readonly catalog: Pick<CatalogSource, 'isRestricted' | 'profiles' | 'ofChat' | 'includesOf'>;
  readonly models: Pick<ModelRegistry, 'list' | 'providers' | 'ready'>;
  readonly providers: ProviderPorts;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly quotas: Pick<ProviderQuotas, 'now'>;
  readonly banners: () => Pick<Banners, 'show' | 'hide'>;
}

export type ChatQuestions = ReturnType<typeof chatQuestions>;

/** Returns questions to the user about a chat. If a command passes the answer, Loupe does not ask the user. */
export function chatQuestions(ports: ChatQuestionsPorts) {
  return {
    title: askTitle,
    agent: (session: ChatSession, name: unknown) => selectAgent(session, name, ports),
    model: (session: ChatSession, key: unknown) => selectModel(session, key, ports),
    /** Lets the user choose a model, with `text` in the search field. */
    searchModel: (session: ChatSession, text: string) => askModel(session, text, ports),
    reset: (session: ChatSession) => resetSettings(session, ports.settings),
    useForNewChats: (session: ChatSession) => useForNewChats(session, ports.settings),
  };
}

async function askTitle(session: ChatSession, title: unknown): Promise<void> {
  const value = chatTitle(session.state);
  const named = typeof title === 'string' ? title : await vscode.window.showInputBox({ prompt: 'Chat title', value });
  if (named !== undefined) {
    await session.titler.rename(named);
  }
}

/** Sets the agent of a chat. With a `name`, asks no question. An empty name removes the agent. */
async function selectAgent(session: ChatSession, name: unknown, { catalog, models, banners }: ChatQuestionsPorts): Promise<void> {
  if (catalog.isRestricted()) {
    throw failure('catalog.restricted');
  }
  const profiles = await catalog.profiles();
  if (typeof name === 'string' && name !== '' && !profiles.has(name)) {
    throw failure('catalog.noAgent', { name });
  }
  const agent = typeof name === 'string' ? name : await pickAgent(profiles, session.state.config.agent);
  if (agent !== null) {
    const profile = profiles.get(agent) ?? null;
    await chooseAgent(session, profile, catalog);
    await offerModel(session, profile, { models, banners });
  }
}

/** Id of the banner with the model of the agent that the user has selected. */
const AGENT_MODEL = 'agentModel';

/** Shows a banner with the model that the agent names, unless the chat has this model. */
async function offerModel(
  { state: chat }: Pick<ChatSession, 'state'>,
  profile: AgentProfile | null,
  { models, banners }: Pick<ChatQuestionsPorts, 'models' | 'banners'>,
): Promise<void> {
  banners().hide(AGENT_MODEL);
  if (profile === null || profile.models.length === 0) {
    return;
  }
  await models.ready();
  const offer = modelOffer({ subject: `The agent ${profile.name}`, names: profile.models, chat, models: models.list() });
  if (offer !== null) {
    banners().show({ id: AGENT_MODEL, severity: 'info', text: offer.text, actions: [offer.action, DISMISS] });
  }
}

type Item = vscode.QuickPickItem & { readonly name: string };

/** Asks the user for an agent. Empty for no agent, null after a cancel. Rejects in a workspace without agents. */
async function pickAgent(profiles: AgentProfiles, current: string): Promise<string | null> {
  if (profiles.size === 0 && current === '') {
    throw failure('catalog.noAgents');
  }
  const none: Item = { name: '', label: 'No agent', description: current === '' ? 'in this chat' : '' };
  const items = [none, ...[...profiles.values()].map((profile) => agentItem(profile, current))];
  const placeHolder = 'Choose an agent: Loupe sends its prompt in every request of this chat';
  const picked = await vscode.window.showQuickPick(items, { title: 'Agent', placeHolder, matchOnDetail: true });
  return picked?.name ?? null;
}

function agentItem({ name, source, description, problem }: AgentProfile, current: string): Item {
  const about = [source, ...(problem === null ? [] : ['cannot be read']), ...(name === current ? ['in this chat'] : [])];
  return { name, label: name, description: about.join(' · '), detail: description };
}

async function selectModel(session: ChatSession, key: unknown, ports: ChatQuestionsPorts): Promise<void> {
  await (typeof key === 'string'
    ? session.changeConfig({ model: (await findModel(ports.models, key)).ref })
    : askModel(session, '', ports));
}

async function askModel(session: ChatSession, text: string, ports: ChatQuestionsPorts): Promise<void> {
  const { models, providers, settings, quotas } = ports;
  let prices: ModelPrices = new Map();
  let limits: ReadonlyMap<string, string> = new Map();
  const closed = new AbortController();
  const listed = models.providers().flatMap(chatModels);
  const known = Promise.all([modelPrices(session, listed, ports, closed.signal), quotas.now()]).then(([found, all]) => {
    prices = found;
    limits = quotasInWords(all);
  });
  const menu = (): readonly MenuLine[] =>
    modelMenu(models.providers(), {
      here: modelKey(session.state.config.model),
      inNewChats: modelKey(settings.current().model),
      limits,
      prices,
    });
  const picked = await pickModel(menu, known, text).finally(() => {
    closed.abort();
  });
  if (picked?.type === 'model') {
    await session.changeConfig({ model: picked.model.ref });
  } else if (picked?.type === 'add') {
    await addProvider(providers, undefined, undefined);
  }
}

async function findModel(models: ChatQuestionsPorts['models'], key: string): Promise<Model> {
  const find = (): Model | undefined => models.list().find(({ ref }) => modelKey(ref) === key);
  if (find() === undefined) {
    await models.ready();
  }
  const model = find();
  if (model === undefined) {
    throw failure('model.unknown', { key });
  }
  return model;
}

/** Saves a chat's settings as defaults of new chats, in the user settings. Throws when that fails. */
async function useForNewChats({ state: { config } }: ChatSession, settings: Pick<SettingsReader, 'current'>): Promise<void> {
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
async function resetSettings(session: ChatSession, settings: Pick<SettingsReader, 'current'>): Promise<void> {
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
