import assert from 'node:assert/strict';
import { column, columns } from '../../support/columns.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { editLine, MemoryWriter, onlyEditFile } from '../../support/host/editFile.js';
import { chatAmongFiles } from '../../support/host/filesInChat.js';
import { openPanel } from '../../support/host/panel.js';
import { scriptedHouse } from '../../support/host/scriptedHouse.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';
import { apiAttempts } from '../../../src/host/api/apiAttempts.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { until } from '../../support/host/clocks.js';
import { lastReply, lastUser } from '../../support/host/reading.js';
import { asked } from '../../support/host/spending.js';
import { rejection } from '../../support/rejection.js';

const RULES = {
  'AGENTS.md': 'Heights are metres.',
  '.loupe/rules/tides.md': '---\nname: Tides\ninclude: agent\ndescription: How tides are predicted\n---\nBy harmonics.',
  '.loupe/rules/boats.md': '---\nname: Boats\ninclude: agent\ndescription: How tides lift boats of wood, paint and sails\n---\nBlue.',
  '.loupe/references/api.md': '---\nname: API\ninclude: manual\n---\nGET /tides',
};

describe('what the API knows of a chat', () => {
  const windows = useWindows();

  it('is the context of the chat with its modes, and what each request held and did not, with reason and score', async () => {
    const { window, session } = await chatAmongFiles(windows, RULES, { config: { pickMinimum: 10, pickMost: 1, pickCertain: 100 } });
    const { api } = openPanel(window, { currentChat: session.id });
    const preview = await api.previewNextRequest(session.id, { text: 'How are the tides predicted?' });
    await api.sendMessage('How are the tides predicted?', { chatId: session.id });
    const chat = await api.getChat(session.id);
    assert.deepEqual(chat.context, [{ type: 'rule', name: 'AGENTS.md', includeMode: 'always' }]);
    assert.deepEqual([chat.rules, chat.references, chat.tools], [['AGENTS.md'], [], []]);
    const context = chat.messages.at(-1)?.requestContext;
    assert.deepEqual(context?.items.map(({ name, includeMode }) => `${name} ${includeMode}`).sort(), ['AGENTS.md always', 'Tides agent']);
    assert.deepEqual(context.notSelected.map(({ name, reason }) => `${name} ${reason.code}`).sort(), ['API notAdded', 'Boats beyondMost']);
    const boats = context.notSelected.find(({ name }) => name === 'Boats');
    assert.ok(boats?.similarityScore !== undefined && boats.similarityScore > 0.1);
    assert.deepEqual(JSON.parse(JSON.stringify(chat)), chat);
    assert.deepEqual([preview.items, preview.notSelected], [context.items, context.notSelected]);
  });

  it('is what tools wrote for each reply, and which edits were not made', async () => {
    const files = new MemoryFiles();
    files.texts.set('a.ts', 'one\n');
    const window = windows.open({ files, toolbox: onlyEditFile(files, new MemoryWriter(files)) });
    const { api } = openPanel(window, { currentChat: undefined });
    const chatId = await api.newChat();
    const line = (oldText: string): string => editLine('a.ts', oldText, 'two\nthree');
    await api.sendMessage(line('one'), { chatId });
    await api.sendMessage(line('nowhere'), { chatId });
    const replies = (await api.getSession(chatId)).filter(({ role }) => role === 'assistant');
    assert.deepEqual(columns(replies, 'filesModified', 'editResults'), [
      [['a.ts'], [{ path: 'a.ts', status: 'applied', added: 2, removed: 1, reason: null }]],
      [undefined, undefined],
      [[], [{ path: 'a.ts', status: 'notApplied', added: null, removed: null, reason: 'changed' }]],
      [undefined, undefined],
    ]);
  });

  it('are the messages of a chat, and none of one that this workspace does not have', async () => {
    const { api } = openPanel(windows.open({}), { currentChat: undefined });
    const chatId = await api.newChat();
    await api.sendMessage('/long 2', { chatId });
    assert.deepEqual(await api.getSession(chatId), (await api.getChat(chatId)).messages);
    assert.deepEqual(await api.getSession('sess_1_000000'), []);
  });

  it('is whether a provider billed more than the cost of a request', async () => {
    const house = await scriptedHouse('openai-compatible', {});
    const window = windows.open({ sources: [house.source], config: { model: house.large } });
    const { api } = openPanel(window, { currentChat: undefined });
    const chatId = await api.newChat();
    house.replies.push([{ text: 'Seen.' }, { bills: [1_000, 20] }], [{ text: 'Searched.' }, { searches: [1_000, 20] }]);
    await api.sendMessage('Look', { chatId });
    await api.sendMessage('Search', { chatId });
    const flags = (await api.getChat(chatId)).messages.flatMap(({ usage }) => (usage === undefined ? [] : [usage.costAtLeast]));
    assert.deepEqual(flags, [false, true]);
    assert.deepEqual(column(await api.listAttempts(chatId), 'costAtLeast'), flags);
  });

  it('is the last breakpoint of the request behind each reply', async () => {
    const { api } = openPanel(windows.open({ models: BILLED_MODELS }), { currentChat: undefined });
    const chatId = await api.newChat();
    await api.sendMessage(`/long 2 ${'The tide tables of the harbour. '.repeat(400)}`, { chatId });
    const reply = (await api.getChat(chatId)).messages.at(-1);
    const { blocks } = await api.getRequest(chatId, reply?.id ?? '');
    const lastMarked = blocks.findLastIndex(({ breakpoint }) => breakpoint !== null);
    assert.equal(reply?.cacheControlIndex, lastMarked);
  });
});

describe('the requests of a chat in the API', () => {
  const windows = useWindows();

  it('are all told, failed, repeated and discarded ones too, and each can be shown by its id', async () => {
    const window = windows.open({ models: BILLED_MODELS });
    const { api } = openPanel(window, { currentChat: undefined });
    const chatId = await api.newChat();
    const session = await window.chats.open(chatId);
    await api.sendMessage('/long 2', { chatId });
    await session.conversation.edit(lastUser(session.state).id, '/error 503 times 1');
    const attempts = await api.listAttempts(chatId);
    assert.deepEqual(
      attempts.map(({ purpose, outcome, discarded, inherited, messageId }) => [purpose, outcome, discarded, inherited, messageId !== null]),
      [
        ['reply', 'complete', true, false, false],
        ['reply', 'failed', false, false, false],
        ['reply', 'complete', false, false, true],
      ],
    );
    const { cost, attempts: count } = await api.getUsage(chatId);
    assert.equal(count, 3);
    assert.ok(Math.abs((cost ?? 0) - attempts.reduce((sum, each) => sum + (each.cost ?? 0), 0)) < 1e-9);
    const [discarded, , shown] = attempts;
    assert.ok(discarded !== undefined && shown !== undefined);
    assert.match((await api.getRequest(chatId, discarded.id)).body, /\/long 2/);
    const { id: messageId } = lastReply(session.state);
    assert.deepEqual([shown.messageId, shown.model], [messageId, 'practice/standard']);
    assert.deepEqual(await api.getRequest(chatId, shown.id), await api.getRequest(chatId, messageId));
  });

  it('count in the chat that made them where a fork took them over', async () => {
    const window = windows.open({ models: BILLED_MODELS });
    const { api } = openPanel(window, { currentChat: undefined });
    const session = await window.chats.create();
    await session.conversation.send('/long 2');
    const fork = await window.chats.fork(session, lastReply(session.state).id);
    assert.deepEqual(columns(await api.listAttempts(fork.id), 'inherited', 'discarded'), [[true, false]]);
  });

  it('have failed where nothing was billed, and ended in an unknown way where only the number of requests is known', async () => {
    const { session } = await windows.openChat({ models: BILLED_MODELS });
    const made = { purpose: 'count', model: PRACTICE_STANDARD.ref, requests: 2, usage: null, cost: null } as const;
    await session.record([
      { type: 'requests-made', attemptId: 'refused', ...made, isUnbilled: true },
      { type: 'requests-made', attemptId: 'counted', ...made, isUnbilled: false },
    ]);
    assert.deepEqual(column(apiAttempts(session.state), 'outcome'), ['failed', null]);
  });

  it('wait for an answer where a limit objects to them', async () => {
    const window = windows.open({ models: BILLED_MODELS, spend: () => ({ askAbove: 0.000001, capPerChat: null, capPerDay: null }) });
    const { api } = openPanel(window, { currentChat: undefined });
    const chatId = await api.newChat();
    const session = await window.chats.open(chatId);
    const sending = api.sendMessage('/long 2', { chatId });
    await asked(session);
    const [question] = (await api.getChat(chatId)).questions;
    assert.ok(question?.kind === 'spend' && question.cost !== null && question.cost > 0);
    assert.deepEqual([question.about, question.reason], ['request', { kind: 'dear', limit: 0.000001 }]);
    await api.respond(chatId, question.id, 'allow');
    await sending;
    assert.deepEqual((await api.getChat(chatId)).questions, []);
    assert.deepEqual(column(await api.listAttempts(chatId), 'outcome'), ['complete']);
    assert.equal((await rejection(api.respond(chatId, question.id, 'allow'))).message, 'This question is no longer open.');
    const again = api.sendMessage('/long 3', { chatId });
    await until(() => session.spending.questions.length > 0, 'the next message waits');
    await api.respond(chatId, (await asked(session)).id, 'refuse');
    await again;
    assert.equal((await api.getChat(chatId)).messages.at(-1)?.unsent, true);
    assert.equal((await api.listAttempts(chatId)).length, 1);
  });
});
