import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LoupeApi } from '../../src/protocol/api/api.js';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import type { ReplyHandler } from '../support/cachingServer/options.js';
import { inTurn } from '../support/cachingServer/replies.js';
import { activated, until } from '../support/host/extension.js';

const KEY = 'the-key';

/** Two rounds with a built-in tool, then the end. */
const LOOP = [
  { parts: [{ type: 'toolCall', name: 'echo', args: { text: 'ebb' } }] },
  { parts: [{ type: 'toolCall', name: 'echo', args: { text: 'flood' } }] },
  { parts: [{ type: 'text', text: 'Both.' }] },
] as const;

/** So expensive that each step costs some cents, and about the same whether the cache is used or not. */
const PRICES = { input: 500, output: 1_000, cacheRead: 500, cacheWrite5m: 500, cacheWrite1h: 500 };
/** The whole loop, the same loop up to its stop, and the rest. */
const replies = (): ReplyHandler => inTurn(...LOOP, LOOP[0], { parts: [{ type: 'text', text: 'It was ebb.' }] });

describe('what a chat spends in VS Code', () => {
  let api: LoupeApi;
  let server: CachingServer;
  const settings = () => vscode.workspace.getConfiguration('loupe');

  before(async () => {
    api = await activated();
  });
  beforeEach(async () => {
    server = await startCachingServer({ key: KEY, models: [{ id: 'm' }], reply: replies() });
    const models = [{ id: 'm', maxInputTokens: 50_000, maxOutputTokens: 1_000, prices: PRICES, capabilities: { countsTokens: false } }];
    const config = { id: 'dear', protocol: 'anthropic', baseUrl: server.url, models };
    await vscode.commands.executeCommand('loupe.addProvider', config, KEY);
    // Each step is above the default limit.
    await settings().update('spend.askAbove', null, vscode.ConfigurationTarget.Global);
  });
  afterEach(async () => {
    for (const key of ['providers', 'spend.askAbove', 'spend.capPerChat', 'spend.capPerDay']) {
      await settings().update(key, undefined, vscode.ConfigurationTarget.Global);
    }
    await server.stop();
  });

  async function newChat(): Promise<string> {
    const chatId = await api.newChat();
    await vscode.commands.executeCommand('loupe.selectModel', 'dear/m', { chatId });
    return chatId;
  }

  const rolesOf = async (chatId: string): Promise<string[]> => (await api.getChat(chatId)).messages.map(({ role }) => role);

  function billed(from: number): number[] {
    const all = server.requests.slice(from).map(({ usage }) => usage);
    const sum = (of: 'fresh' | 'read' | 'written' | 'output'): number =>
      all.reduce((total, usage) => total + (usage === null ? 0 : of === 'written' ? usage.written5m + usage.written1h : usage[of]), 0);
    return [sum('fresh'), sum('read'), sum('written'), sum('output')];
  }

  async function used(chatId: string): Promise<number[]> {
    const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens } = await api.getUsage(chatId);
    return [promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens];
  }

  it('holds a tool loop at the cap of the chat, and stops it there with everything kept when it may not go on, and is in the ledger as it was billed', async () => {
    const free = await newChat();
    await api.sendMessage('Call the tool twice', { chatId: free });
    assert.deepEqual(await rolesOf(free), ['user', 'assistant', 'tool-results', 'assistant', 'tool-results', 'assistant']);
    const [first] = (await api.getChat(free)).messages.filter(({ role }) => role === 'assistant');
    const cost = first?.usage?.cost ?? 0;
    assert.ok(cost > 0);
    await settings().update('spend.capPerChat', cost * 1.5, vscode.ConfigurationTarget.Global);

    const chatId = await newChat();
    const sent = server.requests.length;
    const sending = api.sendMessage('Call the tool twice', { chatId });
    await until(async () => (await api.getChat(chatId)).questions.length > 0, 'the question about the next step');
    const [question] = (await api.getChat(chatId)).questions;
    await api.respond(chatId, question?.id ?? '', 'refuse');
    await sending;
    assert.deepEqual([server.requests.length - sent, await rolesOf(chatId)], [1, ['user', 'assistant', 'tool-results']]);
    assert.deepEqual(await used(chatId), billed(sent));

    await settings().update('spend.capPerChat', undefined, vscode.ConfigurationTarget.Global);
    await api.sendMessage('What did it say?', { chatId });
    assert.match(server.requests.at(-1)?.body ?? '', /ebb/, 'the result of the tool was kept');
    assert.equal((await api.getChat(chatId)).messages.at(-1)?.text, 'It was ebb.');
    assert.deepEqual(await used(chatId), billed(sent));
  });

  it('sends nothing dear before the user has allowed it, and shows that it waits', async () => {
    await settings().update('spend.askAbove', 0.000001, vscode.ConfigurationTarget.Global);
    const chatId = await newChat();
    const waiting = async (): Promise<boolean> => (await api.listChats({ limit: 50 })).find(({ id }) => id === chatId)?.waiting === true;
    const sending = api.sendMessage('Call the tool twice', { chatId });
    await until(waiting, 'the chat waits for the user');
    assert.equal(server.requests.length, 0);
    await vscode.commands.executeCommand('loupe.stop', chatId);
    await sending;
    assert.deepEqual([server.requests.length, await waiting(), await rolesOf(chatId)], [0, false, ['user']]);
  });
});
