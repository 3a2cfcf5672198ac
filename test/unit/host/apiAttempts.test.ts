import assert from 'node:assert/strict';
import { apiAttempts } from '../../../src/host/api/apiAttempts.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { column, columns } from '../../support/columns.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { until } from '../../support/host/clocks.js';
import { openPanel } from '../../support/host/panel.js';
import { lastReply, lastUser } from '../../support/host/reading.js';
import { asked } from '../../support/host/spending.js';
import { useWindows } from '../../support/host/window.js';
import { rejection } from '../../support/rejection.js';

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
