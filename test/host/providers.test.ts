import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import type { LoupeApi } from '../../src/protocol/api/api.js';
import { activated, failure, lastReply, until } from '../support/host/extension.js';

const run = <T>(id: string, ...args: unknown[]): Thenable<T> => vscode.commands.executeCommand<T>(`loupe.${id}`, ...args);
const KEY = 'the-key';

interface Seen {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
}

/** A local provider with both protocols that needs `KEY` and answers "Hello." */
class FakeProvider {
  readonly seen: Seen[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.#answer(request, response);
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get address(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      const key = (request.headers['x-api-key'] as string | undefined) ?? request.headers.authorization?.replace('Bearer ', '');
      this.seen.push({ path, key, body });
      if (key !== KEY) {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ type: 'error', error: { type: 'authentication_error', message: `invalid key ${key ?? ''}` } }));
        return;
      }
      const events = path.endsWith('/messages') ? ANTHROPIC_EVENTS : path.endsWith('/chat/completions') ? OPENAI_EVENTS : null;
      response.writeHead(events === null ? 404 : 200, { 'content-type': events === null ? 'application/json' : 'text/event-stream' });
      response.end(events ?? '{}');
    });
  }
}

const event = (type: string, members: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

const ANTHROPIC_EVENTS = [
  event('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 100, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 1 },
    },
  }),
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello.' } }),
  event('content_block_stop', { index: 0 }),
  event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } }),
  event('message_stop', {}),
].join('');

const chunk = (members: object): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', ...members })}\n\n`;

const OPENAI_EVENTS = [
  chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello.' }, finish_reason: null }] }),
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  chunk({
    choices: [],
    usage: { prompt_tokens: 100, completion_tokens: 2, total_tokens: 102, prompt_tokens_details: { cached_tokens: 0 } },
  }),
  'data: [DONE]\n\n',
].join('');

const providers = (): unknown => vscode.workspace.getConfiguration('loupe').inspect('providers')?.globalValue;

describe('providers in VS Code', () => {
  const server = new FakeProvider();
  let api: LoupeApi;

  const config = (protocol: string): Record<string, unknown> => ({
    id: `test-${protocol}`,
    protocol,
    baseUrl: protocol === 'anthropic' ? server.address : `${server.address}/v1`,
    models: [
      {
        id: 'm',
        label: 'Model',
        maxInputTokens: 50_000,
        maxOutputTokens: 1_000,
        prices: { input: 10, output: 100 },
        capabilities: { countsTokens: false },
      },
    ],
  });

  async function chatWith(id: string): Promise<string> {
    const chatId = await api.newChat();
    await run('selectModel', `${id}/m`, { chatId });
    return chatId;
  }

  before(async () => {
    api = await activated();
    await server.start();
  });
  afterEach(async () => {
    for (const id of ['test-anthropic', 'test-openai-compatible']) {
      await run('removeApiKey', id).then(undefined, () => 'It was not set up.');
    }
    await vscode.workspace.getConfiguration('loupe').update('providers', undefined, vscode.ConfigurationTarget.Global);
    server.seen.length = 0;
  });
  after(() => {
    server.stop();
  });

  for (const protocol of ['anthropic', 'openai-compatible']) {
    it(`are added with a key and answer, over ${protocol}`, async () => {
      const id = await run<string>('addProvider', config(protocol), ` ${KEY}\n`);
      assert.equal(id, `test-${protocol}`);
      const chatId = await chatWith(id);
      assert.equal((await api.getHistoryStatus(chatId)).maxInputTokens, 50_000);
      await api.sendMessage('Good morning', { chatId });
      const reply = await lastReply(api, chatId);
      assert.equal(reply.text, 'Hello.');
      assert.deepEqual([reply.usage?.promptTokens, reply.usage?.completionTokens], [100, 2]);
      assert.ok(Math.abs((reply.usage?.cost ?? 0) - (100 * 10 + 2 * 100) / 1e6) < 1e-12);
      const [seen] = server.seen;
      assert.equal(seen?.path, protocol === 'anthropic' ? '/v1/messages' : '/v1/chat/completions');
      assert.equal(seen.key, KEY);
      const request = await api.getRequest(chatId, reply.id);
      assert.deepEqual([request.body, request.exact], [seen.body, true]);
      assert.ok(!JSON.stringify([providers(), await api.getChat(chatId), request]).includes(KEY));
    });

    it(`without a key fail with an error that asks for it, over ${protocol}; with one they answer`, async () => {
      const id = await run<string>('addProvider', config(protocol));
      const chatId = await chatWith(id);
      await api.sendMessage('Good morning', { chatId });
      const failed = await api.getChat(chatId);
      assert.deepEqual([failed.running, failed.messages.map(({ role, unsent }) => [role, unsent])], [false, [['user', true]]]);
      await run('setApiKey', id, KEY);
      await run('retry', undefined, { chatId });
      assert.equal((await lastReply(api, chatId)).text, 'Hello.');
      await run('removeApiKey', id);
      await api.sendMessage('Again', { chatId });
      assert.equal((await api.getChat(chatId)).messages.at(-1)?.unsent, true);
      const keys = server.seen.filter(({ path }) => /messages$|completions$/.test(path)).map(({ key }) => key === KEY);
      assert.deepEqual(keys, [false, true, false]);
    });
  }

  it('get no key that was given for another address', async function asks() {
    const id = await run<string>('addProvider', config('anthropic'), KEY);
    const other = new FakeProvider();
    await other.start();
    try {
      await run('addProvider', { ...config('anthropic'), baseUrl: other.address });
      const chatId = await chatWith(id);
      const sent = api.sendMessage('Good morning', { chatId });
      // The question for the key of the new address is open. Cancelling it fails the message.
      await until(async () => {
        await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
        return !(await api.getChat(chatId)).running && (await api.getChat(chatId)).messages.length > 0;
      }, 'the message fails');
      await sent;
      assert.equal((await api.getChat(chatId)).messages.at(-1)?.unsent, true);
      assert.deepEqual(other.seen, []);
    } finally {
      other.stop();
    }
  });

  it('that are taken out of the settings are gone at once, and their chats stay readable', async () => {
    const id = await run<string>('addProvider', config('anthropic'), KEY);
    const chatId = await chatWith(id);
    await api.sendMessage('Good morning', { chatId });
    await vscode.workspace.getConfiguration('loupe').update('providers', undefined, vscode.ConfigurationTarget.Global);
    await api.sendMessage('Again', { chatId });
    const { messages, config: chatConfig } = await api.getChat(chatId);
    assert.deepEqual(
      messages.map(({ text, unsent }) => [text, unsent === true]),
      [
        ['Good morning', false],
        ['Hello.', false],
        ['Again', true],
      ],
    );
    assert.equal(chatConfig['model'], 'test-anthropic/m');
    assert.ok((await failure(run('selectModel', 'test-anthropic/m', { chatId }))).endsWith('The model test-anthropic/m is not available.'));
  });

  it('replace one with the same id', async () => {
    await run('addProvider', config('anthropic'), KEY);
    await run('addProvider', { ...config('anthropic'), label: 'Again' });
    assert.deepEqual(
      (providers() as { readonly label: string }[]).map(({ label }) => label),
      ['Again'],
    );
  });

  it('that are not valid are refused in words that name the place and never the key, and nothing is written', async () => {
    const cases: readonly (readonly [unknown, unknown, string])[] = [
      [7, KEY, 'provider is invalid; expected an object with id, protocol and baseUrl.'],
      [{ ...config('anthropic'), id: 'a/b' }, KEY, 'provider.id is invalid; expected 1 to 100 letters, digits and the characters . _ -.'],
      [
        { ...config('anthropic'), baseUrl: `https://${KEY}@example.com` },
        KEY,
        'provider.baseUrl is invalid. Remove the user name and password. Enter keys with "Loupe: Set API Key".',
      ],
      [
        { ...config('anthropic'), headers: { 'x-api-key': KEY } },
        KEY,
        'Loupe does not send provider.headers.x-api-key, because this header contains a key. Enter keys with "Loupe: Set API Key".',
      ],
      [
        { ...config('anthropic'), models: [{ id: 'm', prices: { input: 'x', output: 1 } }] },
        KEY,
        'provider.models[0].prices.input is invalid; expected a number, 0 or more (US dollars per million tokens).',
      ],
      [config('anthropic'), 7, 'The API key must be text.'],
      [config('anthropic'), 'the key\n', 'Keys contain only letters, digits and symbols, no spaces.'],
    ];
    for (const [value, key, message] of cases) {
      const said = await failure(run('addProvider', value, key));
      assert.ok(said.endsWith(message), said);
      assert.ok(!said.includes(KEY), said);
    }
    assert.equal(providers(), undefined);
  });

  it('take keys only where there is a provider that wants one', async () => {
    const id = await run<string>('addProvider', config('anthropic'));
    const failures: [Thenable<unknown>, string][] = [
      [run('setApiKey', 'nobody', KEY), 'The provider nobody does not exist.'],
      [run('setApiKey', 'practice', KEY), 'Practice needs no key.'],
      [run('setApiKey', id, ' '), 'Enter a key. To delete the stored key, use "Loupe: Remove API Key".'],
      [run('removeApiKey', 'nobody'), 'The provider nobody does not exist.'],
      [run('editProvider', 'nobody'), 'The provider nobody does not exist.'],
      [run('editProvider', id, 'nobody'), 'has no model nobody in the settings.'],
      [run('removeProvider', 'practice'), 'The provider practice does not exist.'],
    ];
    for (const [failed, message] of failures) {
      const said = await failure(failed);
      assert.ok(said.endsWith(message), said);
    }
  });

  it('with a mistake in the settings stop nothing: what is right of them works', async () => {
    await run('addProvider', config('anthropic'), KEY);
    const [good] = providers() as Record<string, unknown>[];
    const settings = [{ id: 'bad' }, 7, { ...good, nonsense: true }];
    await vscode.workspace.getConfiguration('loupe').update('providers', settings, vscode.ConfigurationTarget.Global);
    const chatId = await chatWith('test-anthropic');
    await api.sendMessage('Good morning', { chatId });
    assert.equal((await lastReply(api, chatId)).text, 'Hello.');
  });
});
