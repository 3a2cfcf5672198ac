import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import { member } from '../../providers/json.js';
import type { ChatQuestions } from '../chat/chatQuestions.js';
import { addSelection, type AddSelectionPorts } from '../context/addSelection.js';
import { addUris, type AddFilesPorts } from '../context/addUris.js';
import { pickRuleFormats, type RuleFormatPorts } from '../context/catalog/pickRuleFormats.js';
import type { PageFetches } from '../context/pages/pageFetches.js';
import { askForAddress } from '../context/pages/pageQuestions.js';
import { pickFiles } from '../context/pickFiles.js';
import type { Panel } from '../panel/shell/panel.js';
import type { McpHost } from '../tools/mcpHost.js';
import { pickServer, signInToServer } from '../tools/signInToServer.js';
import type { ShownChat } from '../panel/shell/shownChat.js';

export interface ContextCommandPorts {
  readonly shown: Pick<ShownChat, 'current' | 'named' | 'show'>;
  readonly panel: Pick<Panel, 'typeIn' | 'knownTokens'>;
  readonly revealPanel: () => Promise<void>;
  readonly context: AddFilesPorts & AddSelectionPorts & { readonly pages: Pick<PageFetches, 'add'> };
  readonly questions: ChatQuestions;
  readonly catalog: RuleFormatPorts['catalog'];
  readonly files: RuleFormatPorts['files'];
  readonly settings: { readonly ruleFamilies: RuleFormatPorts['used'] };
  readonly toolbox: { readonly mcp: Pick<McpHost, 'read' | 'servers'> };
}

export const CONTEXT_COMMANDS = {
  'loupe.addFileToContext': addFileToContext,
  'loupe.addSelectionToContext': async ({ shown, context, revealPanel }: ContextCommandPorts) => {
    await addSelection(() => shown.current(), context);
    await revealPanel();
  },
  'loupe.addUrlToContext': addUrlToContext,
  'loupe.removeFromContext': removeFromContext,
  'loupe.selectAgent': async ({ shown, questions }: ContextCommandPorts, name: unknown, options: unknown) =>
    questions.agent(await shown.named(member(options, 'chatId')), name),
  'loupe.selectRuleFormats': ({ catalog, files, settings }: ContextCommandPorts, names: unknown) =>
    pickRuleFormats(names, { catalog, files, used: () => settings.ruleFamilies() }),
  'loupe.manageContext': manageContext,
  'loupe.signInServer': async ({ toolbox }: ContextCommandPorts, name: unknown) => {
    await toolbox.mcp.read();
    const { servers } = toolbox.mcp;
    await signInToServer(typeof name === 'string' ? name : await pickServer(servers), servers);
  },
};

/** Opens the context pane of the chat in `options`. Without `options`, of the chat in the panel. */
async function manageContext({ shown, panel, revealPanel }: ContextCommandPorts, options: unknown): Promise<void> {
  const chatId = member(options, 'chatId');
  await (typeof chatId === 'string' ? shown.show(chatId) : shown.current());
  await revealPanel();
  panel.typeIn('manage');
}

/** Adds the items selected in the explorer, or else the clicked editor's file, or else the active editor's file. */
async function addFileToContext({ shown, panel, context, revealPanel }: ContextCommandPorts, uri: unknown, uris: unknown): Promise<void> {
  const selected = Array.isArray(uris) ? uris.filter((each) => each instanceof vscode.Uri) : [];
  const clicked = uri instanceof vscode.Uri ? [uri] : [];
  const active = context.openEditor()?.document.uri;
  const all = selected.length > 0 ? selected : clicked.length > 0 ? clicked : active === undefined ? [] : [active];
  const session = await shown.current();
  if (all.length === 0) {
    await pickFiles(session, panel.knownTokens(session.id), context);
  } else {
    await addUris(session, all, context);
  }
  await revealPanel();
}

/** Fetches a web page and adds it to the chat. Asks for the address if `url` is not a text. */
async function addUrlToContext({ shown, context, revealPanel }: ContextCommandPorts, url: unknown, options: unknown): Promise<void> {
  const address = typeof url === 'string' ? url : await askForAddress();
  if (address === null) {
    return;
  }
  const chatId = member(options, 'chatId');
  const session = await (chatId === undefined ? shown.current() : shown.named(chatId));
  await revealPanel();
  await context.pages.add(session, address, context.banners);
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
    await session.context.remove(item);
  } else if (typeof key === 'string') {
    throw failure('chat.fileNotAdded', { key });
  }
}
