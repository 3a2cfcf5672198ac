import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import type { AgentProfile, AgentProfiles } from '../../engine/context/agentProfile.js';
import { member } from '../../providers/json.js';
import { chooseAgent } from '../chat/chooseAgent.js';
import { addSelection, type AddSelectionPorts } from '../context/addSelection.js';
import { addUris, type AddFilesPorts } from '../context/addUris.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import { pickFiles } from '../context/pickFiles.js';
import type { Panel } from '../panel/shell/panel.js';
import type { ShownChat } from '../panel/shell/shownChat.js';
import { openEditor } from '../window/openFile.js';

export interface ContextCommandPorts {
  readonly shown: Pick<ShownChat, 'current' | 'named' | 'show'>;
  readonly panel: Pick<Panel, 'manage'>;
  readonly revealPanel: () => Promise<void>;
  readonly context: AddFilesPorts & AddSelectionPorts;
  readonly catalog: CatalogSource;
}

export const CONTEXT_COMMANDS = {
  'loupe.addFileToContext': addFileToContext,
  'loupe.addSelectionToContext': async ({ shown, context, revealPanel }: ContextCommandPorts) => {
    await addSelection(() => shown.current(), context);
    await revealPanel();
  },
  'loupe.removeFromContext': removeFromContext,
  'loupe.selectAgent': selectAgent,
  'loupe.manageContext': manageContext,
};

/** Opens the context pane of the chat in `options`. Without `options`, of the chat in the panel. */
async function manageContext({ shown, panel, revealPanel }: ContextCommandPorts, options: unknown): Promise<void> {
  const chatId = member(options, 'chatId');
  await (typeof chatId === 'string' ? shown.show(chatId) : shown.current());
  await revealPanel();
  panel.manage();
}

/** Sets the agent of a chat. With a `name`, asks no question. An empty name removes the agent. */
async function selectAgent({ shown, catalog }: ContextCommandPorts, name: unknown, options: unknown): Promise<void> {
  const session = await shown.named(member(options, 'chatId'));
  if (catalog.isRestricted()) {
    throw failure('catalog.restricted');
  }
  const profiles = await catalog.profiles();
  if (typeof name === 'string' && name !== '' && !profiles.has(name)) {
    throw failure('catalog.noAgent', { name });
  }
  const agent = typeof name === 'string' ? name : await pickAgent(profiles, session.state.config.agent);
  if (agent !== null) {
    await chooseAgent(session, profiles.get(agent) ?? null, catalog);
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

/** Adds the items selected in the explorer; else the file of the clicked editor title; else of the active editor. */
async function addFileToContext({ shown, context, revealPanel }: ContextCommandPorts, uri: unknown, uris: unknown): Promise<void> {
  const selected = Array.isArray(uris) ? uris.filter((each) => each instanceof vscode.Uri) : [];
  const clicked = uri instanceof vscode.Uri ? [uri] : [];
  const active = openEditor()?.document.uri;
  const all = selected.length > 0 ? selected : clicked.length > 0 ? clicked : active === undefined ? [] : [active];
  const session = await shown.current();
  if (all.length === 0) {
    await pickFiles(session, context);
  } else {
    await addUris(session, all, context);
  }
  await revealPanel();
}

async function removeFromContext({ shown }: ContextCommandPorts, key: unknown, options: unknown): Promise<void> {
  const session = await shown.named(member(options, 'chatId'));
  const keys = [...session.state.context].flatMap(([each, { type }]) => (type === 'file' ? [each] : []));
  if (keys.length === 0 && typeof key !== 'string') {
    throw failure('chat.noFiles');
  }
  const picked = typeof key === 'string' ? key : await vscode.window.showQuickPick(keys, { placeHolder: 'File to remove from the chat' });
  const item = picked === undefined ? undefined : session.state.context.get(picked);
  if (item !== undefined) {
    await session.removeContext(item);
  } else if (typeof key === 'string') {
    throw failure('chat.fileNotAdded', { key });
  }
}
