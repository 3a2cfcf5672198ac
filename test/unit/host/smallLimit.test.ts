import assert from 'node:assert/strict';
import { lastRun } from '../../../src/engine/chat/branch.js';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import { failure } from '../../../src/engine/errors.js';
import type { SpendLimits } from '../../../src/engine/spend/limits.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { nextRequestView } from '../../../src/host/panel/nextRequest/nextRequestView.js';
import { nextRequestRows } from '../../../src/host/panel/nextRequest/contextUsed.js';
import { column } from '../../support/columns.js';
import { depth } from '../../support/depth.mjs';
import { until } from '../../support/host/clocks.js';
import { asked } from '../../support/host/spending.js';
import { openPanel, type TestPanel } from '../../support/host/panel.js';
import { conversation, lastUser } from '../../support/host/reading.js';
import { scriptedHouse, type ScriptedHouse, type ScriptedPart } from '../../support/host/scriptedHouse.js';
import { PAGE } from '../../support/host/longTalk.js';
import { useWindows } from '../../support/host/window.js';

const LIMIT = 4_000;
/** A chat has room for about eight of these turns. */
const TURNS = depth({ short: 20, deep: 60 });
/** For a chat that is far too long before it gets its limit. */
const LONG = depth({ short: { turns: 30, answer: 1_000 }, deep: { turns: 150, answer: 200 } });

const AUTOMATIC: Readonly<Record<string, Partial<ChatConfig>>> = {
  'by topic, in good time': { compactionPolicy: 'topic-boundary' },
  'by topic, early': { compactionPolicy: 'topic-boundary', compactionTrigger: 'early' },
  'when it is full': { compactionPolicy: 'rolling-window' },
  'by number': { compactionPolicy: 'message-count' },
};

const SERVER = { label: 'House', status: 500, inputLimit: null, refusedMember: null };

const SUMMARIZERS: Readonly<Record<string, readonly ScriptedPart[]>> = {
  works: [{ text: 'They read the tide tables of the harbour.' }],
  fails: [{ fails: failure('http.serverFailed', SERVER) }],
  'answers nothing': [{ text: '' }],
  refuses: [{ text: 'I cannot do that.' }, { stops: 'refused' }],
};

describe('a chat with a small limit', () => {
  const windows = useWindows();
  let limits: SpendLimits;
  beforeEach(() => {
    limits = { askAbove: null, capPerChat: null, capPerDay: null };
  });

  interface Chat {
    readonly house: ScriptedHouse;
    readonly session: ChatSession;
    readonly test: TestPanel;
  }

  async function open(config: Partial<ChatConfig>, summarizer: readonly ScriptedPart[]): Promise<Chat> {
    const house = await scriptedHouse('openai-compatible', {});
    const spend = (): SpendLimits => limits;
    const window = windows.open({ sources: [house.source], spend, config: { model: house.large, maxPromptTokens: LIMIT, ...config } });
    const session = await window.chats.create();
    house.otherwise = () => {
      const purpose = [...session.state.attempts.values()].at(-1)?.purpose;
      return purpose === 'reply' ? [{ text: `Answer to ${String(house.bodies.length)}. ${PAGE}` }] : summarizer;
    };
    const test = openPanel(window, { currentChat: session.id });
    await test.say({ type: 'ready' });
    return { house, session, test };
  }

  const question = (number: number): string => `Question ${String(number)}. ${PAGE}`;

  /** Types a message into the panel and sends it, if the panel allows it. */
  async function typed({ session, test }: Chat, number: number): Promise<void> {
    const text = question(number);
    const chatId = session.id;
    await test.say({ type: 'draft', chatId, text, edit: number });
    const composed = await session.next.preview({ text, editing: null });
    const { problem } = nextRequestView(composed, nextRequestRows(composed).blocks, session.state);
    assert.equal(problem, null, `the panel sends message ${String(number)}`);
    await test.say({ type: 'send', chatId, text });
    assert.equal(test.drafts.get(chatId).text, '', `message ${String(number)} is not returned`);
    await session.compactor.settled();
  }

  for (const [name, config] of Object.entries(AUTOMATIC)) {
    for (const [how, summarizer] of Object.entries(SUMMARIZERS)) {
      it(`of 4,000 tokens takes each message that is typed, summarized ${name}, with a summarizer that ${how}`, async () => {
        const chat = await open(config, summarizer);
        for (let number = 1; number <= TURNS; number += 1) {
          await typed(chat, number);
        }
        const { session, house, test } = chat;
        const said = conversation(session.state);
        assert.deepEqual(
          Array.from({ length: TURNS }, (_, at) => said.filter((line) => line.startsWith(`user: Question ${String(at + 1)}.`)).length),
          Array.from({ length: TURNS }, () => 1),
        );
        assert.deepEqual(replyStatuses(chat), Array(TURNS).fill('committed'));
        const sent = [...session.state.attempts.values()].filter(({ purpose }) => purpose === 'reply');
        assert.ok(sent.every(({ manifest }) => manifest.size.tokens <= LIMIT - session.state.config.reservedResponseTokens));
        assert.ok(house.bodies.at(-1)?.includes(`Question ${String(TURNS)}.`) === true);
        test.panel.channel.snapshot();
        const shown = test.webview.state.entries.filter((entry) => entry.kind === 'summary');
        assert.ok(shown.length > 0 && shown.at(-1)?.status === 'active', 'a line says what became of the beginning, and can be undone');
        assert.ok(shown.every(({ form }) => form === (how === 'works' ? 'written' : 'leftOut')));
      });
    }
  }

  const LONGER = `Question 8. ${PAGE.repeat(3)}`;

  const replyStatuses = ({ session }: Chat): string[] =>
    [...session.state.runs.values()].flatMap(({ cause, status }) => (cause === 'message' ? [status] : []));

  const purposes = ({ session }: Chat, wanted: string): number =>
    [...session.state.attempts.values()].filter(({ purpose }) => purpose === wanted).length;

  const compactions = ({ session }: Chat): string[] => [...session.state.compactions.values()].map((each) => each.case);

  for (const [name, config] of Object.entries(AUTOMATIC)) {
    it(`that leaves 368 tokens takes each message, summarized ${name}: where no summary has room, the oldest turns are dropped`, async () => {
      const chat = await open({ ...config, maxPromptTokens: 880 }, SUMMARIZERS['works'] ?? []);
      const { session, house, test } = chat;
      house.otherwise = () => [{ text: 'The tide tables of the harbour are read every hour. '.repeat(4) }];
      for (let number = 1; number <= 10; number += 1) {
        await test.say({ type: 'send', chatId: session.id, text: `Question ${String(number)}. ${PAGE.slice(0, 150)}` });
      }
      assert.deepEqual(replyStatuses(chat), Array(10).fill('committed'));
      assert.ok(compactions(chat).includes('emergency'));
    });

    it(`that is set in a long chat drops what does not fit when the summary fails, summarized ${name}`, async () => {
      const chat = await open({ ...config, maxPromptTokens: null }, SUMMARIZERS['fails'] ?? []);
      const { session, house, test } = chat;
      house.otherwise = () => [{ text: `Answer. ${PAGE.slice(0, LONG.answer)}` }];
      await session.changeConfig({ compaction: 'off' });
      for (let number = 1; number <= LONG.turns; number += 1) {
        await session.conversation.send(`Question ${String(number)}`);
      }
      house.otherwise = () =>
        [...session.state.attempts.values()].at(-1)?.purpose === 'reply' ? [{ text: 'Sent.' }] : (SUMMARIZERS['fails'] ?? []);
      await session.changeConfig({ compaction: 'on', maxPromptTokens: LIMIT });
      await typed(chat, LONG.turns + 1);
      assert.deepEqual([compactions(chat), conversation(session.state).at(-1)], [['emergency'], 'assistant: Sent.']);
      await test.say({ type: 'undoSummary', chatId: session.id });
      assert.equal(activeCompaction(session.state), null, 'Undo brings the dropped messages back');
      await typed(chat, LONG.turns + 2);
    });
  }

  it('goes on after five summaries in a row that failed, and loses no message', async () => {
    const chat = await open({ compactionPolicy: 'rolling-window' }, SUMMARIZERS['answers nothing'] ?? []);
    let number = 0;
    while (purposes(chat, 'summary') < 5) {
      number += 1;
      await typed(chat, number);
    }
    chat.house.otherwise = () => [{ text: 'In short.' }];
    await typed(chat, number + 1);
    assert.deepEqual(replyStatuses(chat), Array(number + 1).fill('committed'));
  });

  async function needingRoom(): Promise<{ readonly chat: Chat; readonly sending: Promise<void> }> {
    const chat = await open({ compactionPolicy: 'rolling-window' }, SUMMARIZERS['works'] ?? []);
    for (let number = 1; number <= 7; number += 1) {
      await typed(chat, number);
    }
    limits = { ...limits, askAbove: 0 };
    return { chat, sending: chat.test.say({ type: 'send', chatId: chat.session.id, text: LONGER }) };
  }

  it('drops the oldest turns where the user does not want to pay for the summary', async () => {
    const { chat, sending } = await needingRoom();
    const { session, test } = chat;
    const summary = await asked(session);
    await test.say({ type: 'answerSpend', chatId: session.id, questionId: summary.id, isAllowed: false });
    await until(() => session.spending.questions[0]?.about === 'request', 'the message itself is asked about');
    await test.say({ type: 'answerSpend', chatId: session.id, questionId: session.spending.questions[0]?.id ?? '', isAllowed: true });
    await sending;
    assert.deepEqual(
      [summary.about, compactions(chat), purposes(chat, 'summary'), lastRun(session.state)?.status],
      ['summary', ['emergency'], 0, 'committed'],
    );
  });

  it('keeps a summary that made room for a message which the user then did not allow', async () => {
    const { chat, sending } = await needingRoom();
    const { session, test } = chat;
    await test.say({ type: 'answerSpend', chatId: session.id, questionId: (await asked(session)).id, isAllowed: true });
    await until(() => session.spending.questions[0]?.about === 'request', 'the message itself is asked about');
    await test.say({ type: 'answerSpend', chatId: session.id, questionId: session.spending.questions[0]?.id ?? '', isAllowed: false });
    await sending;
    assert.deepEqual([test.drafts.get(session.id).text, conversation(session.state).length], [LONGER, 14]);
    assert.equal(activeCompaction(session.state)?.case, 'summarize');
  });

  it('of a chat that is only summarized by hand returns a message that is too long with the reason, offers a summary, and takes it after that', async () => {
    const chat = await open({ compactionPolicy: 'manual' }, [{ text: 'They read the tide tables.' }]);
    const { session, test } = chat;
    const chatId = session.id;
    for (let number = 1; number <= 8; number += 1) {
      await typed(chat, number);
    }
    const text = question(9);
    await test.say({ type: 'draft', chatId, text, edit: 9 });
    await until(() => test.webview.state.nextRequest?.offersSummary === true, 'the next request offers a summary');
    assert.match(test.webview.state.nextRequest?.problem ?? '', /^The request is too long/);
    await test.say({ type: 'send', chatId, text });
    test.panel.channel.snapshot();
    assert.deepEqual([test.webview.state.draft.text, conversation(session.state).length, compactions(chat)], [text, 16, []]);
    assert.match(test.webview.state.banners[0]?.text ?? '', /^The request is too long.*Summarize the conversation/);
    await test.say({ type: 'planSummary', chatId, upTo: null });
    await test.say({ type: 'writeSummary', chatId });
    await test.say({ type: 'applySummary', chatId, text: 'They read the tide tables.' });
    await test.say({ type: 'send', chatId, text });
    assert.deepEqual([test.drafts.get(chatId).text, lastRun(session.state)?.status], ['', 'committed']);
  });

  it('has a message of an edit back that is too long by itself, with the reason, and the chat as it was', async () => {
    const chat = await open({ compactionPolicy: 'rolling-window' }, SUMMARIZERS['works'] ?? []);
    const { session, test } = chat;
    const chatId = session.id;
    await typed(chat, 1);
    await typed(chat, 2);
    const before = conversation(session.state);
    const edited = lastUser(session.state).id;
    await test.say({ type: 'beginEdit', chatId, messageId: edited });
    const long = PAGE.repeat(30);
    await test.say({ type: 'send', chatId, text: long });
    test.panel.channel.snapshot();
    assert.deepEqual([conversation(session.state), compactions(chat)], [before, []]);
    assert.deepEqual([test.webview.state.draft.text, test.webview.state.draft.editing], [long, edited]);
    assert.match(test.webview.state.banners[0]?.text ?? '', /^The request is too long/);
    const notes = test.webview.state.entries.filter(({ kind }) => kind !== 'user' && kind !== 'assistant');
    assert.deepEqual(notes, [], 'no trace is left');
  });
});

describe('a chat whose summaries fail in the background', () => {
  const windows = useWindows();

  it('keeps its messages up to twice the trigger, and drops the oldest turns above that', async () => {
    const house = await scriptedHouse('openai-compatible', {});
    const window = windows.open({
      sources: [house.source],
      config: { model: house.large, compactionPolicy: 'topic-boundary', compactionTrigger: 'early' },
    });
    const session = await window.chats.create();
    house.otherwise = () =>
      [...session.state.attempts.values()].at(-1)?.purpose === 'reply' ? [{ text: PAGE.repeat(40) }] : (SUMMARIZERS['fails'] ?? []);
    const sizes: number[] = [];
    while (session.state.compactions.size === 0 && sizes.length < 12) {
      await session.conversation.send('And now?');
      await session.compactor.settled();
      sizes.push(session.state.attempts.size);
    }
    const replies = [...session.state.attempts.values()].filter(({ purpose }) => purpose === 'reply');
    assert.ok((replies.at(-1)?.manifest.size.tokens ?? 0) > 24_000, 'well above the trigger nothing was dropped');
    assert.deepEqual(column([...session.state.compactions.values()], 'case'), ['emergency']);
    assert.equal(session.compactor.status, null);
  });
});
