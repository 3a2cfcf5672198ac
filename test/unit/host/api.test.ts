import assert from 'node:assert/strict';
import { imagesOf, type Message } from '../../../src/engine/chat/message/message.js';
import { PRACTICE_MODELS, PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lazyApi } from '../../../src/host/api/lazyApi.js';
import { column, columns } from '../../support/columns.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { until } from '../../support/host/clocks.js';
import { EchoTool, lastReply, lastUser } from '../../support/host/reading.js';
import { png } from '../../support/images.js';
import { rejection } from '../../support/rejection.js';
import { openPanel, readyPanel } from '../../support/host/panel.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

const BROKEN = 'sess_1600000000000_00ff00';

describe('the API', () => {
  const windows = useWindows();

  it('sends a message with images, and refuses one that is no image', async () => {
    const window = windows.open({});
    const { api } = openPanel(window, { currentChat: undefined });
    const chatId = await api.newChat();
    const uri = `data:image/png;base64,${png(3, 2, 0).toString('base64')}`;
    await api.sendMessage('/long 1', { chatId, images: [uri] });
    const { messages } = await api.getChat(chatId);
    assert.deepEqual(messages[0]?.images, [uri]);
    const { state } = await window.chats.open(chatId);
    const sent = lastUser(state);
    const [image] = sent.role === 'user' ? imagesOf(sent) : [];
    assert.deepEqual([image?.width, image?.height, image?.name], [3, 2, 'Image 1']);
    const refused = async (image: string): Promise<string> =>
      (await rejection(api.sendMessage('/long 1', { chatId, images: [image] }))).message;
    assert.match(await refused('chart.png'), /Image 1 is not a data URI with an image/);
    assert.match(await refused(uri.slice(0, -40)), /Image 1 is not a complete image/);
    assert.equal((await api.getChat(chatId)).messages.length, messages.length);
  });

  it('gives a chat as plain JSON values', async () => {
    const files = new MemoryFiles();
    files.texts.set('a.ts', 'let a;');
    const window = windows.open({ files, tools: new EchoTool() });
    const { api } = openPanel(window, { currentChat: undefined });
    const id = await api.newChat();
    const session = await window.chats.open(id);
    await session.context.add({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: null, given: null });
    await api.sendMessage('/tool echo {"a": 1}', { chatId: id });
    await api.sendMessage('/error 500', { chatId: id });
    const chat = await api.getChat(id);
    assert.deepEqual(JSON.parse(JSON.stringify(chat)), chat);
    assert.deepEqual([chat.id, chat.title, chat.running, chat.files], [id, '/tool echo {"a": 1}', false, ['a.ts']]);
    assert.deepEqual(chat.config, {
      model: 'practice/standard',
      cacheMode: 'cached',
      layout: 'adaptive',
      fileChanges: 'differences',
      cacheTargetTokens: null,
      systemPrompt: '',
      agent: '',
      pickMinimum: 30,
      pickMost: 3,
      pickCertain: 70,
      pickCandidates: 20,
      workspaceTools: 'on',
      toolMemory: null,
      cacheLifetime: 'automatic',
      toolsLeave: 'later',
      maxPromptTokens: null,
      reservedResponseTokens: 512,
      compaction: 'on',
      compactionPolicy: 'topic-boundary',
      compactionTrigger: 'share',
      summaryAsk: 'off',
      verbatimTokens: 4_000,
      leastExchanges: 2,
      recentMessages: 6,
      leastRecentMessages: 2,
      summaryStyle: 'plain',
      titles: 'off',
      titleModel: '',
      topicModel: '',
      editorDate: 'on',
      editorFile: 'on',
      editorSelection: 'on',
      editorVisible: 'off',
      editorGit: 'off',
      editorTabs: 'off',
      editorProblems: 'off',
      editorTerminal: 'off',
      editorMostTokens: 2_000,
      repositoryMap: 'off',
      repositoryTokens: 3_000,
      repositoryWithout: '',
      repeatedContent: 'references',
      whileAway: 'ask',
      whileAwayLimit: 50,
    });
    assert.deepEqual(columns(chat.messages, 'role', 'unsent'), [
      ['user', false],
      ['assistant', undefined],
      ['tool-results', undefined],
      ['assistant', undefined],
      ['user', true],
    ]);
    const [first] = chat.messages;
    assert.match(chat.id, /^sess_\d+_[0-9a-f]{6}$/);
    for (const message of chat.messages) {
      assert.match(message.id, /^\d+-[0-9a-f]{8}$/);
      assert.ok(message.timestamp >= chat.createdAt);
      assert.deepEqual([message.images, message.missingImages], [[], []]);
    }
    assert.equal(first?.text, '/tool echo {"a": 1}');
    const reply = chat.messages[3];
    assert.match(reply?.text ?? '', /^The tool `echo` answered/);
    assert.equal(reply?.stopped, false);
    assert.deepEqual(reply.requestContext?.items, [{ type: 'file', name: 'a.ts', includeMode: 'manual' }]);
    assert.deepEqual([reply.rules, reply.references, reply.tools], [[], [], []]);
    assert.ok((reply.usage?.completionTokens ?? 0) > 0);
  });

  it('gives the images of messages and of tool results as data URIs, and says which are missing', async () => {
    const window = windows.open({});
    const { id } = await window.chats.create();
    const pixel = Buffer.from('89504e470d0a1a0a', 'hex');
    const kept = await window.store.blobs(id).put(pixel);
    const images = [kept, 'ab'.repeat(32), 'no name'].map(
      (blob) => ({ type: 'image', blob, mimeType: 'image/png', bytes: 8, width: null, height: null }) as const,
    );
    const user: Message = { role: 'user', id: 'u', parts: [{ type: 'text', text: 'Look' }, ...images], author: null };
    const result = {
      type: 'toolResult',
      callId: 'c',
      name: 'shot',
      content: [...images.slice(0, 1)],
      isError: false,
      synthetic: false,
    } as const;
    const results: Message = { role: 'tool-results', id: 'r', parts: [result] };
    const drafts = [user, results].map((message) => ({ type: 'message', runId: null, message }) as const);
    await window.store.journal(id).append(drafts, 'durable').written;
    const { api } = openPanel(windows.open({ writerId: 'other' }), { currentChat: undefined });
    const uri = `data:image/png;base64,${pixel.toString('base64')}`;
    const [first, second] = (await api.getChat(id)).messages;
    assert.deepEqual([first?.text, first?.images, second?.images, second?.missingImages], ['Look', [uri], [uri], []]);
    assert.equal(first?.missingImages.length, 2);
    assert.match(first.missingImages[0] ?? '', /could not be read/);
    assert.match(first.missingImages[1] ?? '', /not the name of saved content/);
  });

  it('gives no messages of a new chat, and copies: what is done to them changes nothing', async () => {
    const { api } = openPanel(windows.open({}), { currentChat: undefined });
    const id = await api.newChat();
    assert.deepEqual([(await api.getChat(id)).messages, (await api.getHistoryStatus(id)).historyTokens], [[], 0]);
    await api.sendMessage('/long 2', { chatId: id });
    const chat = await api.getChat(id);
    (chat.messages as unknown[]).length = 0;
    (chat.files as string[]).push('forged.ts');
    const again = await api.getChat(id);
    assert.deepEqual([again.messages.length, again.files], [2, []]);
  });

  it('sends to the chat on show when none is named', async () => {
    const window = windows.open({});
    const { api, shown: onShow } = openPanel(window, { currentChat: undefined });
    const shown = await onShow.newChat();
    const other = await api.newChat();
    await api.sendMessage('/long 2');
    await api.sendMessage('/long 3', {});
    assert.equal((await api.getChat(shown.id)).messages.length, 4);
    assert.equal((await api.getChat(other)).messages.length, 0);
  });

  it('lists the chats, latest first, at most as many as wanted', async () => {
    const window = windows.open({});
    const { api } = openPanel(window, { currentChat: undefined });
    const ids: string[] = [];
    for (let chat = 0; chat < 3; chat += 1) {
      ids.unshift(await api.newChat());
      await api.sendMessage('/long 2', { chatId: ids[0] ?? '' });
    }
    const all = await api.listChats({ limit: 10 });
    assert.deepEqual(
      all.map(({ id, messageCount, running }) => [id, messageCount, running]),
      ids.map((id) => [id, 2, false]),
    );
    assert.deepEqual(column(await api.listChats({ limit: 2 }), 'id'), ids.slice(0, 2));
    assert.deepEqual(await api.listChats({ limit: 0 }), []);
  });

  it('sums the usage of all chats', async () => {
    const { api } = openPanel(windows.open({ models: BILLED_MODELS }), { currentChat: undefined });
    const [a, b] = [await api.newChat(), await api.newChat()];
    await api.sendMessage('/long 2', { chatId: a });
    await api.sendMessage('/long 3', { chatId: b });
    await api.sendMessage('/error 401', { chatId: b });
    const [ofA, ofB, all] = [await api.getUsage(a), await api.getUsage(b), await api.getUsage()];
    assert.deepEqual([ofA.attempts, ofB.attempts, all.attempts], [1, 2, 3]);
    assert.deepEqual([ofA.unknownAttempts, ofB.unknownAttempts, all.unknownAttempts], [0, 0, 0]);
    assert.equal(all.promptTokens, ofA.promptTokens + ofB.promptTokens);
    assert.equal(all.completionTokens, ofA.completionTokens + ofB.completionTokens);
    assert.ok((ofA.cost ?? 0) > 0);
    assert.equal(all.cost, (ofA.cost ?? 0) + (ofB.cost ?? 0));
    assert.equal(all.contextWindow, null);
  });

  it('has no cost of a reply that nobody bills', async () => {
    const { api } = openPanel(windows.open({}), { currentChat: undefined });
    const id = await api.newChat();
    await api.sendMessage('/long 2', { chatId: id });
    const { messages } = await api.getChat(id);
    assert.deepEqual([messages.at(-1)?.usage?.cost, (await api.getUsage(id)).cost], [null, null]);
  });

  it('sums the usage of all chats that can be read, beside one that cannot', async () => {
    await mkdir(join(windows.folder, 'chats', BROKEN), { recursive: true });
    await writeFile(join(windows.folder, 'chats', BROKEN, 'x.jsonl'), 'this is no line of a log\n');
    const { api } = openPanel(windows.open({}), { currentChat: undefined });
    const id = await api.newChat();
    await api.sendMessage('/long 2', { chatId: id });
    const { contextWindow: _, ...usage } = await api.getUsage(id);
    assert.deepEqual(await api.getUsage(), { ...usage, contextWindow: null });
  });

  it('says what the cache is expected to do with a message, before anything is sent', async () => {
    const { api } = openPanel(windows.open({}), { currentChat: undefined });
    const id = await api.newChat();
    await api.sendMessage(`/long 5 ${'The tide comes in. '.repeat(400)}`, { chatId: id });
    const preview = await api.previewNextRequest(id, { text: 'And then?' });
    assert.ok(preview.body.includes('And then?'));
    assert.ok(!(await api.previewNextRequest(id)).body.includes('And then?'));
    const { forecast } = preview;
    assert.ok(forecast !== null && forecast.read > 1_024 && (forecast.costAfterExpiry ?? 0) > (forecast.costNow ?? 0));
    await api.sendMessage('And then?', { chatId: id });
    const { usage } = (await api.listAttempts(id)).at(-1) ?? assert.fail('It was sent.');
    assert.equal(usage?.cacheReadInputTokens, forecast.read);
  });

  it('tells how much of the window the history takes', async () => {
    const window = windows.open({});
    const { api } = openPanel(window, { currentChat: undefined });
    const id = await api.newChat();
    const empty = await api.getHistoryStatus(id);
    await api.sendMessage('/long 50', { chatId: id });
    const status = await api.getHistoryStatus(id);
    const preview = await api.previewNextRequest(id);
    const conversation = preview.blocks.filter(({ key }) => key.startsWith('message:'));
    assert.equal(empty.historyTokens, 0);
    const framing = 2 * PRACTICE_STANDARD.capabilities.framing.perMessage;
    const whole = conversation.reduce((sum, { tokens }) => sum + tokens, framing);
    assert.equal(status.historyTokens, whole);
    assert.deepEqual([status.maxInputTokens, status.maxHistoryTokens], [128_000, 8_000]);
    assert.equal(status.remaining, 128_000 - 512 - preview.totalTokens);
    const fixed = preview.totalTokens - status.historyTokens;
    const trigger = Math.floor((128_000 - 512 - fixed) * 0.75);
    const percent = Math.round((status.historyTokens / trigger) * 100);
    assert.deepEqual([status.needsSummary, status.compaction], [false, { enabled: true, trigger, percent }]);
    const session = await window.chats.open(id);
    await session.changeConfig({ compactionPolicy: 'message-count' });
    assert.deepEqual((await api.getHistoryStatus(id)).compaction, { enabled: true, trigger: 0, percent: Math.round((2 / 81) * 100) });
    for (const change of [{ compaction: 'off' }, { compactionPolicy: 'manual' }] as const) {
      await (await window.chats.open(id)).changeConfig(change);
      assert.deepEqual((await api.getHistoryStatus(id)).compaction, { enabled: false, trigger: 0, percent: 0 });
      await (await window.chats.open(id)).changeConfig({ compaction: 'on', compactionPolicy: 'topic-boundary' });
    }
  });

  it('tells no input limit of a model whose limit is unknown', async () => {
    const models = PRACTICE_MODELS.map((model) => ({ ...model, maxInputTokens: null }));
    const { api, chats } = openPanel(windows.open({ models }), { currentChat: undefined });
    const { id } = await chats.create();
    const { maxInputTokens, maxHistoryTokens } = await api.getHistoryStatus(id);
    assert.deepEqual([maxInputTokens, maxHistoryTokens], [null, null]);
  });

  it('tells of the history what the panel shows, to the figure', async () => {
    const { api, say, webview } = await readyPanel(windows.open({}));
    const id = await api.newChat();
    await api.sendMessage('/long 50', { chatId: id });
    await say({ type: 'openChat', chatId: id });
    const status = await api.getHistoryStatus(id);
    assert.ok(status.historyTokens > 0);
    await until(() => webview.state.nextRequest?.history.historyTokens === status.historyTokens, 'the next request is shown');
    assert.deepEqual(webview.state.nextRequest?.history, status);
  });

  it('says what is wrong, in words for the user', async () => {
    const { api } = openPanel(windows.open({}), { currentChat: undefined });
    const id = await api.newChat();
    const calls: [() => Promise<unknown>, RegExp][] = [
      [() => api.getChat('sess_1_000000'), /^This chat was deleted\.$/],
      [() => api.getChat('../..'), /^This chat was deleted\.$/],
      [() => api.sendMessage('', { chatId: id }), /^The message is empty\.$/],
      [() => api.getRequest(id, 'unknown'), /^Loupe has no record of the request for this reply./],
      [() => api.previewNextRequest('nonsense'), /^This chat was deleted\.$/],
      [() => api.getUsage('nonsense'), /^This chat was deleted\.$/],
    ];
    for (const [call, message] of calls) {
      const error = await rejection(call());
      assert.equal(error.kind, 'invalidInput');
      assert.match(error.message, message);
    }
  });

  it('shows a fragment in the next request until it is removed', async () => {
    const { api } = openPanel(windows.open({}), { currentChat: undefined });
    const id = await api.newChat();
    await api.setFragment(id, 'style', 'Write in rhymes.');
    const block = (await api.previewNextRequest(id)).blocks.find(({ key }) => key === 'fragment:style');
    assert.deepEqual([block?.role, (block?.tokens ?? 0) > 0], ['system', true]);
    await api.setFragment(id, 'style');
    assert.ok((await api.previewNextRequest(id)).blocks.every(({ key }) => key !== 'fragment:style'));
  });

  it('sends a workspace text with each message until it is removed', async () => {
    const window = windows.open({ config: { layout: 'plain' } });
    const { api } = openPanel(window, { currentChat: undefined });
    const id = await api.newChat();
    await api.setWorkspace(id, 'Build: failed');
    const last = (await api.previewNextRequest(id, { text: 'Why?' })).blocks.at(-1);
    assert.deepEqual([last?.key, last?.role], ['editor:from an extension', 'user']);
    await api.sendMessage('/long 2', { chatId: id });
    assert.ok(window.model.bodies.at(-1)?.includes('From another extension:\\nBuild: failed') === true);
    const reopened = openPanel(windows.open({ writerId: 'reloaded' }), { currentChat: undefined }).api;
    assert.ok((await reopened.previewNextRequest(id, { text: 'Why?' })).body.includes('Build: failed'), 'the log keeps it');
    await assert.rejects(api.setFragment(id, 'workspace', 'x'), /instructions with the name workspace\. Choose another name\./);
    await api.setWorkspace(id, null);
    assert.ok(!(await api.previewNextRequest(id, { text: 'Why?' })).body.includes('Build: failed'));
  });

  it('sends only the beginning of a long workspace text, and says so', async () => {
    const window = windows.open({});
    const { api } = openPanel(window, { currentChat: undefined });
    const id = await api.newChat();
    const textSent = async (text: string): Promise<string> => {
      await api.setWorkspace(id, text);
      return (await api.previewNextRequest(id, { text: 'Why?' })).body;
    };
    assert.ok(!(await textSent('Build: failed\n'.repeat(20))).includes('only the beginning'));
    assert.match(await textSent('Build: failed\n'.repeat(200_000)), /From another extension \(only the beginning\):/);
    assert.match(await textSent(' '.repeat(20_000) + 'x'), /From another extension \(only the beginning\):/);
    const { fragments } = (await window.chats.open(id)).state;
    assert.ok([...fragments.values()].every(({ length }) => length <= 12_001));
  });

  it('gives requests that were discarded by an edit no more by message, and others as they were', async () => {
    const window = windows.open({});
    const { api } = openPanel(window, { currentChat: undefined });
    const id = await api.newChat();
    await api.sendMessage('/long 2', { chatId: id });
    const session = await window.chats.open(id);
    const left = lastReply(session.state).id;
    await session.conversation.edit(lastUser(session.state).id, '/long 3');
    assert.equal((await api.getRequest(id, lastReply(session.state).id)).body, window.model.bodies.at(-1));
    await rejection(api.getRequest(id, left));
  });

  it('loads what is behind it with the first call, once for each, and not before', async () => {
    let loads = 0;
    const { api } = openPanel(windows.open({}), { currentChat: undefined });
    const lazy = lazyApi('1.2.3', () => {
      loads += 1;
      return Promise.resolve(api);
    });
    assert.deepEqual([lazy.version, loads], ['1.2.3', 0]);
    const id = await lazy.newChat();
    await lazy.sendMessage('/long 2', { chatId: id });
    const reply = (await lazy.getChat(id)).messages.at(-1);
    assert.deepEqual(await lazy.getRequest(id, reply?.id ?? ''), await api.getRequest(id, reply?.id ?? ''));
    assert.deepEqual(await lazy.previewNextRequest(id), await api.previewNextRequest(id));
    assert.deepEqual(await lazy.getHistoryStatus(id), await api.getHistoryStatus(id));
    assert.deepEqual(await lazy.getUsage(id), await api.getUsage(id));
    assert.deepEqual(await lazy.listChats({ limit: 1 }), await api.listChats({ limit: 1 }));
    await lazy.setFragment(id, 'x', 'A fragment.');
    await lazy.setWorkspace(id, null);
    assert.ok((await api.previewNextRequest(id)).body.includes('A fragment.'));
    assert.ok(loads > 0);
  });
});
