import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LoupeApi } from '../../src/protocol/api/api.js';
import type { ApiMessage } from '../../src/protocol/api/apiMessage.js';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import type { ReplyHandler, RequestRecord } from '../support/cachingServer/options.js';
import { inTurn } from '../support/cachingServer/replies.js';
import { activated } from '../support/host/extension.js';
import { anthropicFaults } from '../support/wire/anthropicFaults.js';
import { openAiFaults } from '../support/wire/openAiFaults.js';

const KEY = 'the-key';

/** A round with reasoning and two parallel calls, the end, then a second question. */
const replies = (): ReplyHandler =>
  inTurn(
    {
      parts: [
        { type: 'thinking', thinking: 'Both cities, then.' },
        { type: 'text', text: 'I look.' },
        { type: 'toolCall', name: 'weather', args: { city: 'Łódź' } },
        { type: 'toolCall', name: 'weather', args: { city: 'Zürich' } },
      ],
    },
    { parts: [{ type: 'text', text: 'It rains in both.' }] },
    { parts: [{ type: 'text', text: 'Still.' }] },
  );

/** The documented rules by protocol. Only this server signs, so all signatures are valid. */
const FAULTS: Readonly<Record<string, (body: unknown) => string[]>> = {
  anthropic: (body) => anthropicFaults(body, { isOwnSignature: () => true }),
  'openai-compatible': openAiFaults,
};

describe('a chat with tool calls in VS Code', () => {
  let api: LoupeApi;
  let server: CachingServer;

  before(async () => {
    api = await activated();
  });
  beforeEach(async () => {
    server = await startCachingServer({ key: KEY, models: [{ id: 'm' }], reply: replies() });
  });
  afterEach(async () => {
    await vscode.workspace.getConfiguration('loupe').update('providers', undefined, vscode.ConfigurationTarget.Global);
    await server.stop();
  });

  /** Checks that Loupe's figures for a reply match the wire and the bill. */
  async function assertShown(chatId: string, reply: ApiMessage | undefined, { body, usage }: RequestRecord): Promise<void> {
    assert.ok(reply?.usage !== undefined && usage !== null);
    const request = await api.getRequest(chatId, reply.id);
    assert.deepEqual([request.body, request.exact], [body, true]);
    const { promptTokens, cacheReadInputTokens, completionTokens } = reply.usage;
    assert.deepEqual([promptTokens, cacheReadInputTokens, completionTokens], [usage.fresh, usage.read, usage.output]);
  }

  for (const [protocol, faultsOf] of Object.entries(FAULTS)) {
    it(`runs end to end over ${protocol}, each request as the provider wants it, as recorded, and billed as counted there`, async () => {
      const models = [{ id: 'm', maxInputTokens: 50_000, maxOutputTokens: 1_000, capabilities: { countsTokens: false } }];
      const baseUrl = protocol === 'anthropic' ? server.url : `${server.url}/v1`;
      const config = { id: `tools-${protocol}`, protocol, baseUrl, models };
      await vscode.commands.executeCommand('loupe.addProvider', config, KEY);
      const chatId = await api.newChat();
      await vscode.commands.executeCommand('loupe.selectModel', `tools-${protocol}/m`, { chatId });
      await api.sendMessage('What is the weather?', { chatId });
      await api.sendMessage('And now?', { chatId });

      const { messages } = await api.getChat(chatId);
      const roles = ['user', 'assistant', 'tool-results', 'assistant', 'user', 'assistant'];
      assert.deepEqual(
        messages.map(({ role }) => role),
        roles,
      );
      assert.deepEqual(
        messages.slice(-3).map(({ text }) => text),
        ['It rains in both.', 'And now?', 'Still.'],
      );
      assert.deepEqual(
        server.requests.flatMap(({ json }) => faultsOf(json)),
        [],
      );
      const said = messages.filter(({ role }) => role === 'assistant');
      assert.equal(server.requests.length, said.length);
      for (const [index, record] of server.requests.entries()) {
        await assertShown(chatId, said[index], record);
      }
    });
  }
});
