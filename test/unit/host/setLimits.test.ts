import assert from 'node:assert/strict';
import { lastRun } from '../../../src/engine/chat/branch.js';
import { failure } from '../../../src/engine/errors.js';
import type { SpendLimits } from '../../../src/engine/spend/limits.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { until } from '../../support/host/clocks.js';
import { readyPanel, type TestPanel } from '../../support/host/panel.js';
import { asked } from '../../support/host/spending.js';
import { useWindows, type Window } from '../../support/host/window.js';

describe('the limits that the user sets in the panel', () => {
  const windows = useWindows();
  let limits: SpendLimits;
  let isWritable: boolean;
  beforeEach(() => {
    limits = { askAbove: null, capPerChat: null, capPerDay: null };
    isWritable = true;
  });

  async function opened(): Promise<TestPanel & { readonly window: Window; readonly session: ChatSession }> {
    const window = windows.open({
      models: BILLED_MODELS,
      spend: () => limits,
      writeSpendLimit: (name, usd) => {
        if (!isWritable) {
          return Promise.reject(failure('settings.notWritten'));
        }
        limits = { ...limits, [name]: usd };
        return Promise.resolve();
      },
    });
    return { ...(await readyPanel(window)), window };
  }

  const shown = ({ panel }: Pick<TestPanel, 'panel'>) => panel.channel.state.limits;

  it('are read when the user opens them, with what was spent', async () => {
    const test = await opened();
    const chatId = test.session.id;
    assert.equal(shown(test), null);
    await test.session.conversation.send('Tides');
    await test.say({ type: 'showLimits', inChat: chatId });
    const spent = shown(test)?.chat?.spent;
    assert.ok(spent !== undefined && spent.usd > 0);
    assert.deepEqual(shown(test), {
      request: null,
      chat: { limit: null, each: null, spent },
      day: { limit: null, spent },
    });
    await test.say({ type: 'showLimits', inChat: null });
    assert.equal(shown(test)?.chat, null);
  });

  it('are saved, each at its place, and shown again', async () => {
    const test = await opened();
    const chatId = test.session.id;
    await test.say({ type: 'setLimit', inChat: chatId, limit: 'request', usd: 0.25 });
    await test.say({ type: 'setLimit', inChat: chatId, limit: 'day', usd: 5 });
    await test.say({ type: 'setLimit', inChat: chatId, limit: 'chat', usd: 2.5 });
    assert.deepEqual([limits, test.session.state.spendCap], [{ askAbove: 0.25, capPerChat: null, capPerDay: 5 }, 2.5]);
    assert.deepEqual([shown(test)?.request, shown(test)?.chat?.limit, shown(test)?.day.limit], [0.25, 2.5, 5]);
    await test.say({ type: 'setLimit', inChat: chatId, limit: 'chat', usd: null });
    assert.deepEqual([test.session.state.spendCap, shown(test)?.chat?.limit], [null, null]);
  });

  it('stay as they were, with an error, when the settings cannot be written', async () => {
    const test = await opened();
    isWritable = false;
    await test.say({ type: 'setLimit', inChat: test.session.id, limit: 'day', usd: 5 });
    assert.equal(shown(test)?.day.limit, null);
    assert.match(test.panel.channel.state.banners.map(({ text }) => text).join(' '), /settings/i);
  });

  it('hold up the chat at its own limit, and only this chat', async () => {
    const test = await opened();
    await test.session.conversation.send('Tides');
    await test.session.setSpendCap(0.0001);
    const sending = test.session.conversation.send('And now?');
    const { objection } = await asked(test.session);
    assert.deepEqual([objection.kind, objection.limit], ['chatCap', 0.0001]);
    test.session.spending.answer(test.session.spending.questions[0]?.id ?? '', false);
    await sending;
    assert.equal(lastRun(test.session.state)?.status, 'rolledBack');
    const other = await test.window.chats.create();
    await other.conversation.send('Tides');
    assert.equal(lastRun(other.state)?.status, 'committed');
  });

  it('never raise the limit of each chat', async () => {
    const test = await opened();
    limits = { ...limits, capPerChat: 0.0001 };
    await test.session.setSpendCap(5);
    assert.equal(test.session.spending.limits.capPerChat, 0.0001);
    await test.session.setSpendCap(null);
    assert.equal(test.session.spending.limits.capPerChat, 0.0001);
    limits = { ...limits, capPerChat: null };
    assert.equal(test.session.spending.limits.capPerChat, null);
  });

  it('apply at once to a request that waits: it is sent, or asks about the other limit', async () => {
    const test = await opened();
    const { session } = test;
    limits = { ...limits, askAbove: 0.0001 };
    await session.setSpendCap(0.00001);
    const sending = session.conversation.send('Tides');
    assert.equal((await asked(session)).objection.kind, 'chatCap');
    await session.setSpendCap(null);
    await until(() => session.spending.questions[0]?.objection.kind === 'dear', 'the question about the price');
    limits = { ...limits, askAbove: 5 };
    session.spending.limitsChanged();
    await sending;
    assert.deepEqual([session.spending.questions, lastRun(session.state)?.status], [[], 'committed']);
  });

  it('give no permission beyond the limit that was raised', async () => {
    const test = await opened();
    const { session } = test;
    await session.setSpendCap(0.00001);
    const sending = session.conversation.send('Tides');
    await asked(session);
    limits = { ...limits, capPerDay: 0.00001 };
    await session.setSpendCap(null);
    await until(() => session.spending.questions[0]?.objection.kind === 'dayCap', 'the question about the day');
    session.spending.answer(session.spending.questions[0]?.id ?? '', false);
    await sending;
    assert.equal(test.window.model.bodies.length, 0);
  });
});
