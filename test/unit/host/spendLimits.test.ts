import assert from 'node:assert/strict';
import { ledgerTotals } from '../../../src/engine/chat/ledger.js';
import { lastRun } from '../../../src/engine/chat/branch.js';
import type { SpendLimits } from '../../../src/engine/spend/limits.js';
import { failure } from '../../../src/engine/errors.js';
import { ECHO, type ToolExecutor } from '../../support/engine/toolExecutor.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import type { RunNoteEntry } from '../../../src/protocol/panel/entries.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { until } from '../../support/host/clocks.js';
import { panelOf } from '../../support/host/panel.js';
import { conversation, lastUser } from '../../support/host/reading.js';
import { asked } from '../../support/host/spending.js';
import { rejection } from '../../support/rejection.js';
import { useWindows, type Window, type WindowOptions } from '../../support/host/window.js';

/** Three steps of the practice model: two calls of a tool, and an answer. */
const LOOP = '/tool echo {"text":"ebb"}\n/tool echo {"text":"flood"}';

describe('what is spent', () => {
  const windows = useWindows();
  let limits: SpendLimits;
  let duringTool: () => void;
  beforeEach(() => {
    duringTool = () => undefined;
    limits = { askAbove: null, capPerChat: null, capPerDay: null };
  });

  const tools: ToolExecutor = {
    has: (name) => ECHO.has(name),
    call: (call, signal) => {
      duringTool();
      return ECHO.call(call, signal);
    },
  };

  const open = (options: WindowOptions): Window => windows.open({ models: BILLED_MODELS, tools, spend: () => limits, ...options });

  async function opened(options: WindowOptions): Promise<Window & { readonly window: Window; readonly session: ChatSession }> {
    const window = open(options);
    return { ...window, window, session: await window.chats.create() };
  }

  function note({ state }: ChatSession): RunNoteEntry | undefined {
    return new EntryViews(() => ANY_MODEL).derive(state, 50).entries.findLast((entry) => entry.kind === 'runNote');
  }

  const shown = ({ state }: ChatSession) => new EntryViews(() => ANY_MODEL).derive(state, 50).entries;
  const spent = ({ state }: ChatSession): number => ledgerTotals(state).cost ?? 0;

  describe('above the price that is asked about', () => {
    it('waits, with its price and its largest parts, and is sent when the user allows it', async () => {
      const { chats, model, session } = await opened({});
      await session.context.add({
        type: 'file',
        name: 'a.ts',
        includeMode: 'manual',
        addedHash: null,
        given: { inline: 'tide '.repeat(400) },
      });
      limits = { ...limits, askAbove: 0.0001 };
      const sending = session.conversation.send('Tides');
      const { about, cost, objection } = await asked(session);
      assert.deepEqual([about, objection], ['request', { kind: 'dear', limit: 0.0001 }]);
      assert.equal(cost.parts[0]?.name, 'a.ts');
      const { inputCost } = await session.next.preview({ text: '', editing: null });
      assert.equal(cost.usd, inputCost, 'before the first reply it is the price of the input');
      assert.ok(Math.abs(cost.parts.reduce((sum, { usd }) => sum + (usd ?? 0), 0) - (inputCost ?? 0)) < (inputCost ?? 0) * 0.1);
      assert.deepEqual([model.bodies.length, chats.list()[0]?.waiting], [0, true]);
      session.spending.answer(session.spending.questions[0]?.id ?? '', true);
      await sending;
      assert.deepEqual([model.bodies.length, lastRun(session.state)?.status, chats.list()[0]?.waiting], [1, 'committed', false]);
    });

    it('is the figure of the next request, with what replies of the chat typically cost', async () => {
      const { window, session } = await opened({});
      await session.conversation.send('Tides');
      const test = await panelOf(window, session.id);
      await test.say({ type: 'draft', chatId: session.id, text: 'And now?', edit: 1 });
      limits = { ...limits, askAbove: 0 };
      test.panel.requestChanged();
      const warned = (): string => test.webview.state.nextRequest?.unusual ?? '';
      await until(() => warned() !== '', 'the next request says that it is asked about');
      assert.match(warned(), /^Above your limit of \$0\.00, so Loupe asks you before it sends the request\. /);
      const sending = test.say({ type: 'send', chatId: session.id, text: 'And now?' });
      const { cost } = await asked(session);
      await until(() => test.webview.state.nextRequest?.inputCost !== undefined, 'the next request is on show');
      const shown = test.webview.state.nextRequest;
      assert.equal(cost.usd, (shown?.inputCost ?? 0) + (shown?.reply?.median ?? 0));
      assert.ok((cost.replyUsd ?? 0) > 0);
      session.spending.answer(session.spending.questions[0]?.id ?? '', false);
      await sending;
    });

    it('is not sent when the user does not want it, and nothing of a message that was sent by a command is lost', async () => {
      const { model, session } = await opened({});
      limits = { ...limits, askAbove: 0 };
      const sending = session.conversation.send('Tides');
      session.spending.answer((await asked(session)).id, false);
      await sending;
      assert.deepEqual([model.bodies.length, lastRun(session.state)?.status, spent(session)], [0, 'rolledBack', 0]);
      const { status, text, actions } = note(session) ?? {};
      assert.deepEqual([status, actions], ['stopped', ['retry']]);
      assert.match(text ?? '', /^Not sent: you did not allow a request of about \$/);
      assert.deepEqual(conversation(session.state), ['user: Tides']);
    });

    it('ends with Stop while it waits', async () => {
      const { model, session } = await opened({});
      limits = { ...limits, askAbove: 0 };
      const sending = session.conversation.send('Tides');
      await asked(session);
      await session.conversation.stop();
      await sending;
      assert.deepEqual([model.bodies.length, session.spending.questions.length, lastRun(session.state)?.status], [0, 0, 'stopped']);
    });

    it('asks again for each step of a tool loop, and what was done stays when one is not allowed', async () => {
      const { model, session } = await opened({});
      limits = { ...limits, askAbove: 0 };
      const sending = session.conversation.send(LOOP);
      session.spending.answer((await asked(session)).id, true);
      await until(() => model.bodies.length === 1 && session.spending.questions.length > 0, 'the second step waits');
      session.spending.answer((await asked(session)).id, false);
      await sending;
      assert.equal(lastRun(session.state)?.status, 'failed');
      assert.match(conversation(session.state).at(-1) ?? '', /^tool-results: .*ebb/);
      assert.deepEqual(note(session)?.actions, ['continue', 'retry']);
    });

    it('does not ask a second time for a request that is repeated after a failure', async () => {
      const { model, session } = await opened({});
      model.failures.push(failure('http.overloaded', { label: 'Practice', status: 503, inputLimit: null, refusedMember: null }));
      limits = { ...limits, askAbove: 0 };
      const sending = session.conversation.send('Tides');
      session.spending.answer((await asked(session)).id, true);
      await sending;
      assert.deepEqual([model.bodies.length, lastRun(session.state)?.status], [2, 'committed']);
    });

    it('holds the request as the chat is when the user answers', async () => {
      const { model, session } = await opened({});
      const item = { type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: null, given: { inline: 'SECRET' } } as const;
      await session.context.add(item);
      limits = { ...limits, askAbove: 0 };
      const sending = session.conversation.send('Tides');
      const { id } = await asked(session);
      await session.context.remove(item);
      session.spending.answer(id, true);
      await sending;
      assert.deepEqual([model.bodies.length, model.bodies[0]?.includes('SECRET')], [1, false]);
    });

    it('asks before an answer is tried again, and leaves the old one where it is when the user does not want that', async () => {
      const { model, session } = await opened({});
      await session.conversation.send('Tides');
      const [before, shownBefore] = [conversation(session.state), shown(session)];
      const [first] = session.state.timeline.flatMap((entry) =>
        entry.kind === 'message' && entry.message.role === 'user' ? [entry.message.id] : [],
      );
      limits = { ...limits, askAbove: 0 };
      const prepared: string[] = [];
      const declined = rejection(session.conversation.retryAfter(first ?? '', () => Promise.resolve(void prepared.push('declined'))));
      session.spending.answer((await asked(session)).id, false);
      assert.equal((await declined).code, 'spend.declined');
      assert.deepEqual([conversation(session.state), shown(session)], [before, shownBefore]);
      const retried = session.conversation.retryAfter(first ?? '', () => Promise.resolve(void prepared.push('allowed')));
      session.spending.answer((await asked(session)).id, true);
      await retried;
      assert.equal(model.bodies.length, 2, 'what was allowed is not asked about again');
      assert.deepEqual(prepared, ['allowed'], 'nothing is put back for a request that is not sent');
    });

    it('never asks about the practice model, which nobody bills', async () => {
      limits = { askAbove: 0, capPerChat: 0, capPerDay: 0 };
      const { chats } = windows.open({ tools: ECHO, spend: () => limits });
      const session = await chats.create();
      await session.conversation.send(LOOP);
      assert.equal(lastRun(session.state)?.status, 'committed');
    });

    it('never asks about a model without prices', async () => {
      limits = { ...limits, askAbove: 0 };
      const { session } = await opened({ models: BILLED_MODELS.map((model) => ({ ...model, prices: null })) });
      await session.conversation.send('Tides');
      assert.equal(lastRun(session.state)?.status, 'committed');
    });
  });

  describe('in the message box', () => {
    async function written(window: Window, text: string) {
      const session = await window.chats.create();
      const test = await panelOf(window, session.id);
      const chatId = session.id;
      await test.say({ type: 'draft', chatId, text, edit: 1 });
      const sending = test.say({ type: 'send', chatId, text });
      return { session, test, chatId, sending };
    }

    it('a message is sent when it is allowed, without another question', async () => {
      limits = { ...limits, askAbove: 0 };
      const window = open({});
      const { session, test, chatId, sending } = await written(window, 'Tides');
      const { id, about } = await asked(session);
      assert.deepEqual([about, test.drafts.get(chatId).text, conversation(session.state)], ['request', '', ['user: Tides']]);
      await until(() => test.webview.state.spendQuestion !== null, 'the panel shows the question');
      assert.deepEqual(test.webview.state.spendQuestion?.reason, { kind: 'dear', limit: 0 });
      await test.say({ type: 'answerSpend', chatId, questionId: id, isAllowed: true });
      await sending;
      assert.deepEqual([test.drafts.get(chatId).text, conversation(session.state).length, window.model.bodies.length], ['', 2, 1]);
    });

    it('a message is back as it was when it is not allowed, before what was typed meanwhile, and the chat is as it was', async () => {
      limits = { ...limits, askAbove: 0 };
      const { session, test, chatId, sending } = await written(open({}), 'Tides');
      const { id } = await asked(session);
      await test.say({ type: 'draft', chatId, text: 'And winds', edit: 2 });
      await test.say({ type: 'answerSpend', chatId, questionId: id, isAllowed: false });
      await sending;
      assert.deepEqual([test.drafts.get(chatId).text, conversation(session.state), shown(session)], ['Tides\n\nAnd winds', [], []]);
    });

    it('a message that was to replace another is back as it was when it is not allowed, and nothing of the chat has changed', async () => {
      const window = open({});
      const { session, test, chatId, sending } = await written(window, 'Tides');
      await sending;
      limits = { ...limits, askAbove: 0 };
      const before = [conversation(session.state), shown(session)];
      const user = lastUser(session.state).id;
      await test.say({ type: 'beginEdit', chatId, messageId: user });
      await test.say({ type: 'draft', chatId, text: 'Tides of Łódź', edit: 2 });
      const editing = test.say({ type: 'send', chatId, text: 'Tides of Łódź' });
      const { id } = await asked(session);
      await test.say({ type: 'answerSpend', chatId, questionId: id, isAllowed: false });
      await editing;
      assert.deepEqual([test.drafts.get(chatId).text, test.drafts.get(chatId).editing], ['Tides of Łódź', user]);
      assert.deepEqual([conversation(session.state), shown(session)], before);
    });

    it('a message is in the chat in the next window, with Retry, where the window was closed before an answer', async () => {
      limits = { ...limits, askAbove: 0 };
      const { chatId, session, sending } = await written(open({}), 'Tides');
      await asked(session);
      await session.shutDown();
      await sending;
      const reopened = await open({ writerId: 'next' }).chats.open(chatId);
      assert.deepEqual([conversation(reopened.state), note(reopened)?.actions], [['user: Tides'], ['retry']]);
    });
  });

  describe('over a cap', () => {
    async function stopsHere(session: ChatSession, running: Promise<void>): Promise<void> {
      session.spending.answer((await asked(session)).id, false);
      await running;
    }

    /** A tool loop that stops at its chat's cap. While the tool runs, the cap becomes the spent amount. */
    async function stopped({ chats }: Window): Promise<ChatSession> {
      const session = await chats.create();
      duringTool = () => {
        limits = { ...limits, capPerChat: spent(session) };
      };
      await stopsHere(session, session.conversation.send(LOOP));
      duringTool = () => undefined;
      return session;
    }

    it('a tool loop waits between two steps, and goes on when the user allows that', async () => {
      const { model, session } = await opened({});
      duringTool = () => {
        limits = { ...limits, capPerChat: spent(session) };
      };
      const sending = session.conversation.send(LOOP);
      const { about, objection, id } = await asked(session);
      assert.deepEqual([about, objection.kind, model.bodies.length], ['request', 'chatCap', 1]);
      duringTool = () => {
        limits = { ...limits, capPerChat: null };
      };
      session.spending.answer(id, true);
      await sending;
      assert.deepEqual([lastRun(session.state)?.status, model.bodies.length], ['committed', 3]);
    });

    it('a tool loop that is not allowed more stops between two steps with everything kept, and says what the next one would hold', async () => {
      const window = open({});
      const session = await stopped(window);
      assert.equal(window.model.bodies.length, 1);
      assert.match(conversation(session.state).at(-1) ?? '', /^tool-results: .*ebb/);
      const { status, text, actions } = note(session) ?? {};
      assert.deepEqual([lastRun(session.state)?.status, status, actions], ['failed', 'held', ['goOnOnce', 'openSpendSettings']]);
      const figures =
        /^Loupe stopped before the next step: this chat has spent \$[\d.]+, and its cap is \$[\d.]+\. The next step would send [\d,]+ tokens and cost about \$[\d.]+\. Largest parts: .*system prompt \d+ \(/;
      assert.match(text ?? '', figures);
    });

    it('goes on once, stops again, and goes on to its end when the cap is raised: as if nothing had been', async () => {
      const window = open({});
      const session = await stopped(window);
      await stopsHere(session, session.conversation.goOnOnce());
      assert.deepEqual([window.model.bodies.length, note(session)?.status], [2, 'held']);
      limits = { ...limits, capPerChat: null };
      await session.conversation.continueRun();
      assert.equal(lastRun(session.state)?.status, 'committed');
      const free = await window.chats.create();
      await free.conversation.send(LOOP);
      assert.deepEqual(conversation(session.state), conversation(free.state));
      assert.deepEqual(window.model.bodies.length, 6);
      const { attempts, promptTokens, cacheReadInputTokens, cacheCreationInputTokens } = ledgerTotals(session.state);
      const without = ledgerTotals(free.state);
      assert.deepEqual(
        [attempts, promptTokens + cacheReadInputTokens + cacheCreationInputTokens],
        [without.attempts, without.promptTokens + without.cacheReadInputTokens + without.cacheCreationInputTokens],
      );
    });

    it('is the same note in the next window', async () => {
      const session = await stopped(open({}));
      const reopened = await open({ writerId: 'next' }).chats.open(session.id);
      assert.deepEqual(note(reopened), note(session));
    });

    it('a new message is asked about, with not sending as the way that costs nothing', async () => {
      const { model, session } = await opened({});
      await session.conversation.send('Tides');
      limits = { ...limits, capPerChat: spent(session) };
      const sending = session.conversation.send('And now?');
      const { objection } = await asked(session);
      assert.deepEqual(objection, { kind: 'chatCap', limit: spent(session), spent: { usd: spent(session), isAtLeast: false } });
      session.spending.answer(session.spending.questions[0]?.id ?? '', true);
      await sending;
      assert.equal(model.bodies.length, 2);
    });

    it('counts all chats of the workspace for the day, those of other windows and deleted ones too, and not those of the day before', async () => {
      const window = open({});
      const one = await window.chats.create();
      await one.conversation.send('Tides');
      const other = await open({ writerId: 'other' }).chats.create();
      await other.conversation.send('Winds');
      const sum = spent(one) + spent(other);
      await window.chats.delete(one.id);
      limits = { ...limits, capPerDay: 0 };
      const session = await window.chats.create();
      const sending = session.conversation.send('And now?');
      const { objection } = await asked(session);
      assert.ok(objection.kind === 'dayCap');
      assert.ok(Math.abs(objection.spent.usd - sum) < 1e-9, `${String(objection.spent.usd)} is ${String(sum)}`);
      await session.conversation.stop();
      await sending;
      (window.clock as { time?: number }).time = 1_700_000_000_000 + 86_400_000;
      limits = { ...limits, capPerDay: 1 };
      await session.conversation.send('Tomorrow');
      assert.equal(lastRun(session.state)?.status, 'committed');
      limits = { ...limits, capPerDay: 0 };
      const next = session.conversation.send('And now?');
      const later = (await asked(session)).objection;
      assert.ok(later.kind === 'dayCap' && Math.abs(later.spent.usd - spent(session)) < 1e-9, 'only what the new day has cost');
      await session.conversation.stop();
      await next;
    });

    it('says "at least" where the price of something is not known', async () => {
      const { session } = await opened({ models: BILLED_MODELS.map((model) => ({ ...model, prices: null })) });
      await session.conversation.send('Tides');
      limits = { ...limits, capPerChat: 0 };
      const sending = session.conversation.send(LOOP);
      session.spending.answer((await asked(session)).id, true);
      await stopsHere(session, sending);
      assert.match(note(session)?.text ?? '', /has spent at least \$0\.00 \(some requests have no known price\).*its price is unknown/);
    });
  });
});
