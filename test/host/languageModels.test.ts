import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { vscodeChatModels } from '../../src/host/models/languageModels/vscodeChatModels.js';
import type { LmMessage } from '../../src/host/models/languageModels/wire.js';
import type { ApiRequest, LoupeApi } from '../../src/protocol/api/api.js';
import type { ApiMessage } from '../../src/protocol/api/apiMessage.js';
import { activated, findFolders, lastReply, showNewChat, until } from '../support/host/extension.js';

/* Models of another extension, the driver (support/driver-extension), which reply by script. */

const ECHO = 'vscode.loupe-test/echo';
/** A PNG of one pixel as Base64. VS Code decodes images on their way. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

interface ReceivedRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: readonly object[] }[];
  readonly tools: readonly object[];
  readonly modelOptions: object;
}

interface LoggedEvent {
  readonly type: string;
  readonly error?: { readonly kind: string; readonly message: string };
}

const run = <T>(id: string, ...args: unknown[]): Thenable<T> => vscode.commands.executeCommand<T>(id, ...args);
/** All messages of the scripted models, oldest first, in the form of Loupe's records. */
const received = (): Thenable<ReceivedRequest[]> => run<ReceivedRequest[]>('loupeTest.models.received');

function bodyOf({ body }: ApiRequest): unknown {
  return JSON.parse(body);
}

function asBody({ messages, tools, modelOptions }: ReceivedRequest): unknown {
  return { messages, tools, modelOptions };
}

function roles(messages: readonly ApiMessage[]): string[] {
  return messages.map(({ role }) => role);
}

async function eventsOf(chatId: string): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (const folder of await findFolders(chatId)) {
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.jsonl'))) {
      const lines = (await readFile(join(folder, name), 'utf8')).split('\n').filter((line) => line !== '');
      events.push(...lines.map((line) => JSON.parse(line) as LoggedEvent));
    }
  }
  return events;
}

describe('the language models of VS Code', () => {
  let api: LoupeApi;

  const isOffered = async (chatId: string): Promise<boolean> => {
    try {
      await run('loupe.selectModel', ECHO, { chatId });
      return true;
    } catch (thrown) {
      assert.ok(String(thrown).includes(`The model ${ECHO} is not available.`), String(thrown));
      return false;
    }
  };

  /** Models appear without an event, so the test polls. */
  const select = (chatId: string): Promise<void> => until(() => isOffered(chatId), 'the model is offered');

  const newChat = async (): Promise<string> => {
    const chatId = await showNewChat(api);
    await select(chatId);
    return chatId;
  };

  before(async () => {
    await vscode.extensions.getExtension('loupe-test.driver')?.activate();
    api = await activated();
  });
  beforeEach(() => run('loupeTest.models.add'));
  after(() => run('loupeTest.models.remove'));

  it('are offered by themselves, with their limit', async () => {
    const chatId = await showNewChat(api);
    await select(chatId);
    await run('loupeTest.models.remove');
    await until(async () => !(await isOffered(chatId)), 'the model is not offered any more');
    await run('loupeTest.models.add');
    await select(chatId);
    assert.equal((await api.getChat(chatId)).config['model'], ECHO);
    assert.equal((await api.getHistoryStatus(chatId)).maxInputTokens, 20_000);
    await run('loupe.selectModel', 'vscode.loupe-test/family/small', { chatId });
    assert.equal((await api.getHistoryStatus(chatId)).maxInputTokens, 500);
  });

  it('get exactly the request that Loupe records, and answer it', async () => {
    const chatId = await newChat();
    await api.setFragment(chatId, 'style', 'Write in rhymes.');
    await api.sendMessage('Guten Tag, 日本 \u{1F30A}', { chatId });
    await api.sendMessage('And again', { chatId });
    const chat = await api.getChat(chatId);
    assert.deepEqual(roles(chat.messages), ['user', 'assistant', 'user', 'assistant']);
    const sent = (await received()).slice(-2);
    for (const [index, reply] of chat.messages.filter(({ role }) => role === 'assistant').entries()) {
      const request = await api.getRequest(chatId, reply.id);
      assert.deepEqual([request.exact, request.note], [true, null]);
      const got = sent[index];
      assert.ok(got);
      assert.equal(got.model, 'echo');
      assert.deepEqual(asBody(got), bodyOf(request));
      // Its answer contains its input: no part of its stream was lost.
      assert.deepEqual(JSON.parse(reply.text), bodyOf(request));
    }
    assert.deepEqual(
      sent[1]?.messages.map(({ role }) => role),
      ['user', 'user', 'assistant', 'user'],
    );
    assert.match(JSON.stringify(sent[1].messages[0]), /Write in rhymes\./);
    assert.deepEqual(sent[1].messages[3]?.content, [{ type: 'text', text: 'And again' }]);
  });

  it('wait for the user after 25 steps when they call tools without end', async () => {
    const chatId = await newChat();
    const sent = (await received()).length;
    const sending = api.sendMessage('/loop echo {"text":"ebb"}', { chatId });
    const questions = async () => (await api.getChat(chatId)).questions;
    await until(async () => (await questions()).length > 0, 'the question');
    const [question] = await questions();
    assert.deepEqual([question?.kind, (await received()).length - sent], ['steps', 25]);
    await api.respond(chatId, question!.id, 'refuse');
    await sending;
    assert.equal((await received()).length - sent, 25);
    assert.equal((await api.getChat(chatId)).messages.at(-1)?.role, 'tool-results');
  });

  it('tell their usage where their extension does', async () => {
    const chatId = await newChat();
    await api.sendMessage('Guten Tag', { chatId });
    const { promptTokens, completionTokens, unknownAttempts, cost } = await api.getUsage(chatId);
    assert.deepEqual([promptTokens, completionTokens, unknownAttempts, cost], [40, 2, 1, null]);
  });

  it('call tools and get their results', async () => {
    const chatId = await newChat();
    await api.sendMessage('/tool weather {"city":"Łódź","days":[1,2]}', { chatId });
    const { messages } = await api.getChat(chatId);
    assert.deepEqual(roles(messages), ['user', 'assistant', 'tool-results', 'assistant']);
    assert.match(messages[3]?.text ?? '', /^Done: .*"toolResult"/);
    const request = (await received()).at(-1);
    assert.ok(request);
    assert.deepEqual(asBody(request), bodyOf(await api.getRequest(chatId, (await lastReply(api, chatId)).id)));
    const [called, answered] = request.messages.slice(-2);
    const [said, call] = called?.content ?? [];
    assert.deepEqual(said, { type: 'text', text: 'I call a tool.' });
    const { id, ...rest } = call as { readonly id: string };
    assert.deepEqual(rest, { type: 'toolCall', name: 'weather', args: { city: 'Łódź', days: [1, 2] } });
    const [result] = answered!.content as readonly { readonly type: string; readonly callId: string }[];
    assert.deepEqual([answered!.role, result?.type, result?.callId], ['user', 'toolResult', id]);
  });

  it('get images as their bytes, in messages and in tool results', async () => {
    const model = (await vscodeChatModels.select()).find(({ vendor, id }) => `vscode.${vendor}/${id}` === ECHO);
    assert.ok(model);
    const image = { type: 'image', mimeType: 'image/png', data: PIXEL } as const;
    const call = { type: 'toolCall', id: 'c1', name: 'look', args: {} } as const;
    const messages: LmMessage[] = [
      { role: 'user', content: [image, { type: 'text', text: 'What is this?' }] },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [{ type: 'toolResult', callId: 'c1', content: [{ type: 'text', text: 'This.' }, image] }] },
    ];
    const parts = await model.send({ messages, tools: [], modelOptions: {} }, new AbortController().signal);
    // The model has the whole request when its reply ends.
    for await (const part of parts) assert.ok(part.type !== 'toolCall');
    assert.deepEqual((await received()).at(-1)?.messages, messages);
  });

  const failures: readonly (readonly [string, string, RegExp])[] = [
    ['/error NoPermissions', 'auth', /^Loupe has no permission to use "Echo" \(loupe-test in VS Code\)\. .*Manage Language Model Access/],
    ['/error NotFound', 'modelGone', /"Echo" .* is no longer available.*\(The script says NotFound\.\)$/],
    ['/error Blocked', 'rateLimit', /"Echo" .* is not accepting requests.*\(The script says Blocked\.\)$/],
    ['/error Message exceeds token limit.', 'contextOverflow', /"Echo" .* failed: Message exceeds token limit\.$/],
    ['/error The dog ate it.', 'protocol', /"Echo" .* failed: The dog ate it\.$/],
    ['/break', 'protocol', /"Echo" .* failed: The line broke\.$/],
  ];
  for (const [text, kind, message] of failures) {
    it(`fail with a clear message: ${text}`, async () => {
      const chatId = await newChat();
      const sent = api.sendMessage(text, { chatId });
      let ended: LoggedEvent | undefined;
      await until(async () => {
        ended = (await eventsOf(chatId)).find(({ type }) => type === 'attempt-ended');
        return ended !== undefined;
      }, 'the request fails');
      assert.equal(ended?.error?.kind, kind);
      assert.match(ended.error.message, message);
      // The test does not wait for an automatic repeat.
      await run('loupe.stop', chatId);
      await sent;
      const chat = await api.getChat(chatId);
      assert.deepEqual([roles(chat.messages)[0], chat.messages[0]?.text, chat.running], ['user', text, false]);
    });
  }

  it('are stopped at once, and know it', async () => {
    const chatId = await newChat();
    const cancelled = await run<number>('loupeTest.models.cancelled');
    const before = (await received()).length;
    const sent = api.sendMessage('/hang', { chatId });
    await until(async () => (await received()).length > before, 'the model got the request');
    await run('loupe.stop', chatId);
    await sent;
    assert.equal((await api.getChat(chatId)).running, false);
    await until(async () => (await run<number>('loupeTest.models.cancelled')) > cancelled, 'the model is told');
  });

  it('leave their chats readable when they go away, and are found again when they come back', async () => {
    const chatId = await newChat();
    await api.sendMessage('before', { chatId });
    const { messages } = await api.getChat(chatId);
    await run('loupeTest.models.vanish');
    await api.sendMessage('gone', { chatId });
    const chat = await api.getChat(chatId);
    assert.deepEqual(chat.messages.slice(0, 2), messages);
    const rest = chat.messages.slice(2).map(({ text, unsent }) => [text, unsent]);
    assert.deepEqual(rest, [['gone', true]]);
    const { error } = (await eventsOf(chatId)).findLast(({ type }) => type === 'run-rolled-back') ?? {};
    assert.equal(error?.kind, 'modelGone');
    await until(async () => !(await isOffered(chatId)), 'the model is not offered any more');
    await run('loupeTest.models.add');
    // VS Code has the models again, without an event. Asking for the next request makes Loupe look.
    await until(
      () =>
        api.previewNextRequest(chatId).then(
          () => true,
          () => false,
        ),
      'the next request can be made',
    );
    assert.ok((await api.getRequest(chatId, (await lastReply(api, chatId)).id)).exact);
    await api.sendMessage('back', { chatId });
    assert.equal((await api.getChat(chatId)).messages.at(-1)?.role, 'assistant');
  });
});
