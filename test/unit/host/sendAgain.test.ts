import assert from 'node:assert/strict';
import { figureValue, inputTokens, type ReplyUsage } from '../../../src/engine/model/usage.js';
import type { Model, ModelClient } from '../../../src/engine/model/model.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { type AcceptedChange, SendAgain, type SendAgainChange } from '../../../src/host/chat/sendAgain.js';
import type { SpendLimits } from '../../../src/engine/spend/limits.js';
import { detailOf, sendAgainChoices, priceOfChoice } from '../../../src/host/inspector/sendAgainChoices.js';
import { fixedSource } from '../../../src/host/models/registry.js';
import { AnthropicClient } from '../../../src/providers/anthropic/anthropicClient.js';
import { startCachingServer, type CachingServer } from '../../support/cachingServer/cachingServer.js';
import { column } from '../../support/columns.js';
import { markedCache, OPEN_MODEL } from '../../support/engine/models.js';
import type { ChatState } from '../../../src/engine/chat/state.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import type { EntryView } from '../../../src/protocol/panel/entries.js';
import { SteppedClock, until } from '../../support/host/clocks.js';
import { lastAttempt, messages, sentTexts } from '../../support/host/reading.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';
import { asked } from '../../support/host/spending.js';
import { rejection } from '../../support/rejection.js';
import { endpoint } from '../../wire/anthropicPeer.js';
import { sentAgainText } from '../../../src/host/panel/conversation/branchViews.js';

const KEY = 'the-key';
/** The largest error of the price as a share of the input: for a model with replies, and for one without any count. */
const TOLERANCE = 0.02;
const UNKNOWN_MODEL = 0.25;

function text(words: number, from: number): string {
  return Array.from({ length: words }, (_, at) => `word${String((at * 7 + from) % 97)}`).join(' ');
}

const told = (change: SendAgainChange): AcceptedChange => ({ change, inWords: 'changed', usd: null });

describe('a message that is sent again with one thing changed', () => {
  const windows = useWindows();
  let server: CachingServer;
  let window: Window;
  let session: ChatSession;
  let again: SendAgain;
  let askAbove: number | null;

  beforeEach(async () => {
    const clock = new SteppedClock();
    server = await startCachingServer({
      key: KEY,
      now: () => clock.time,
      models: ['large', 'small'].map((id) => ({ id, minimumTokens: 256 })),
    });
    const at = endpoint(server.url, { keyHeader: 'x-api-key' });
    const capabilities = { ...OPEN_MODEL.capabilities, counterIsExact: false, cache: markedCache({ minimumTokens: 256 }) };
    const models = ['large', 'small'].map(
      (model): Model => ({
        ...OPEN_MODEL,
        ...{ ref: { provider: 'house', model }, protocol: 'anthropic', capabilities: { ...capabilities, reasoningReplay: 'needed' } },
      }),
    );
    const loadClient = (): Promise<ModelClient> => Promise.resolve(new AnthropicClient(at));
    const sources = [fixedSource([{ id: 'house', label: 'House', countsTokens: false, models, loadClient }])];
    const files = new MemoryFiles();
    files.texts.set('tides.md', text(500, 11));
    const config = { model: models[0]!.ref, systemPrompt: text(400, 3), compaction: 'off' as const };
    askAbove = null;
    const spend = (): SpendLimits => ({ askAbove, capPerChat: null, capPerDay: null });
    window = windows.open({ clock, files, sources, config, spend });
    session = await window.chats.create();
    again = new SendAgain({ chats: window.chats, logError: (error) => assert.fail(error) });
    await session.context.add({ type: 'file', name: 'tides.md', includeMode: 'manual', addedHash: null, given: null });
    for (const turn of [1, 2, 3]) {
      await session.conversation.send(`Question ${String(turn)}: ${text(300, turn)}`);
    }
  });

  afterEach(() => server.stop());

  /** Prices the last message, sends it again, and compares the price with the bill. */
  async function sentAgain(change: SendAgainChange, tolerance: number): Promise<ChatSession> {
    const { id } = lastAttempt(session.state);
    const [lines, asked] = [messages(session.state).length, server.requests.length];
    const price = await again.priceOfSendingAgain(session.id, id, change);
    assert.deepEqual([messages(session.state).length, server.requests.length, price.problem], [lines, asked, null]);
    const fork = await window.chats.open(await again.sendAgain(session.id, id, told(change)));
    await until(() => !fork.conversation.isRunning && messages(fork.state).at(-1)?.role === 'assistant', 'the answer in the fork');
    assert.equal(messages(session.state).length, lines);
    const usage = lastAttempt(fork.state).end?.usage ?? assert.fail('The server reports its usage.');
    const input = inputTokens(usage) ?? 0;
    const parts = price.forecast?.parts ?? assert.fail('The cache is known.');
    for (const [expected, reported] of [
      [parts.read, usage.cacheReadInputTokens],
      [parts.written, usage.cacheCreationInputTokens],
    ] as const) {
      const words = `${JSON.stringify(parts)} was ${JSON.stringify(usage)}`;
      assert.ok(Math.abs(expected - (figureValue(reported) ?? 0)) <= input * tolerance, words);
    }
    return fork;
  }

  const short = (fork: ChatSession): string[] => sentTexts(fork.state).map((each) => each.slice(0, 10));

  it('answers in a fork that ends before it, without the excluded turn, for the price that was told', async () => {
    const [first] = messages(session.state);
    const fork = await sentAgain({ kind: 'turn', messageId: first?.id ?? '' }, TOLERANCE);
    assert.equal(fork.state.parent?.chatId, session.id);
    const body = JSON.stringify(server.requests.at(-1)?.body);
    assert.ok(!body.includes('Question 1') && body.includes('Question 2') && body.includes('Question 3'));
    assert.equal(short(fork).filter((each) => each.startsWith('Question')).length, 3);
  });

  it('is answered without an item, which stays in the chat that it is forked from', async () => {
    const fork = await sentAgain({ kind: 'item', key: 'file:tides.md' }, TOLERANCE);
    assert.ok(!JSON.stringify(server.requests.at(-1)?.body).includes('tides.md'));
    assert.deepEqual([fork.state.context.size, session.state.context.size], [0, 1]);
  });

  it('is answered by another model, and otherwise by the one that answered it, whatever the chat has now', async () => {
    const fork = await sentAgain({ kind: 'model', model: { provider: 'house', model: 'small' } }, UNKNOWN_MODEL);
    assert.equal(lastAttempt(fork.state).model.model, 'small');
    await session.changeConfig({ model: { provider: 'house', model: 'small' } });
    const other = await sentAgain({ kind: 'item', key: 'file:tides.md' }, TOLERANCE);
    assert.equal(lastAttempt(other.state).model.model, 'large');
  });

  it('has what it held, the turns before it and the other models as choices', async () => {
    const attempt = lastAttempt(session.state);
    const house = window.models.providers().filter(({ id }) => id === 'house');
    const groups = sendAgainChoices(await session.whole(), attempt, house);
    assert.deepEqual(
      groups.map(({ choices }) => choices.map(({ label }) => label.slice(0, 29))),
      [['Without tides.md'], ['Without the turn "Question 2:', 'Without the turn "Question 1:'], [`With ${OPEN_MODEL.label}`]],
    );
    const [, turns] = groups;
    const [first] = messages(session.state);
    assert.deepEqual(turns?.choices.at(-1)?.change, { kind: 'turn', messageId: first?.id });
    const embedding = house.map((provider) => ({ ...provider, isForEmbeddings: () => true }));
    assert.equal(sendAgainChoices(await session.whole(), attempt, embedding).length, 2);
  });

  it('says in the fork, behind what was copied, what was changed and what both answers cost, also when it is read again', async () => {
    const { id } = lastAttempt(session.state);
    const forkId = await again.sendAgain(session.id, id, {
      change: { kind: 'item', key: 'file:tides.md' },
      inWords: 'without tides.md',
      usd: null,
    });
    const fork = await window.chats.open(forkId);
    const entries = (state: ChatState): readonly EntryView[] => new EntryViews(() => ({ label: '', key: '' })).derive(state, 100).entries;
    const line = (state: ChatState): EntryView | undefined => entries(state).find(({ kind }) => kind === 'fork');
    await until(() => !fork.conversation.isRunning && messages(fork.state).at(-1)?.role === 'assistant', 'the answer in the fork');
    assert.deepEqual(column(entries(fork.state), 'kind'), ['user', 'assistant', 'user', 'assistant', 'fork', 'user', 'assistant']);
    const told = line(fork.state);
    assert.ok(told?.kind === 'fork' && told.sentAgain?.attemptId === id && told.chatId === session.id);
    assert.match(told.sentAgain.text, /^Sent again without tides\.md: .+ instead of .+$/);
    const other = windows.open({ writerId: 'other', clock: window.clock });
    assert.deepEqual(line(await (await other.chats.open(forkId)).whole()), told);
  });

  it('may be the first one of its chat', async () => {
    const [first] = [...session.state.attempts.values()];
    const id = await again.sendAgain(session.id, first?.id ?? '', told({ kind: 'model', model: { provider: 'house', model: 'small' } }));
    const fork = await window.chats.open(id);
    await until(() => messages(fork.state).at(-1)?.role === 'assistant', 'the answer in the fork');
    assert.deepEqual(column(messages(fork.state), 'role'), ['user', 'assistant']);
  });

  it('is asked about once: with the price that was agreed to its request is sent, and with none it waits', async () => {
    askAbove = 0.000001;
    const { id } = lastAttempt(session.state);
    const change = { kind: 'item', key: 'file:tides.md' } as const;
    const price = await again.priceOfSendingAgain(session.id, id, change);
    assert.equal(price.askedAbove, askAbove);
    assert.match(detailOf(price, null), /^The request and its reply cost about \$0\.\d+\. This is above your limit of /);
    const agreed = await window.chats.open(await again.sendAgain(session.id, id, { ...told(change), usd: price.usd }));
    await until(() => messages(agreed.state).at(-1)?.role === 'assistant', 'the answer in the fork');
    const unasked = await window.chats.open(await again.sendAgain(session.id, id, told(change)));
    const question = await asked(unasked);
    unasked.spending.answer(question.id, false);
    await until(() => !unasked.conversation.isRunning, 'the end of the run');
  });

  it('is refused for what answered nothing, or a change that changes nothing', async () => {
    const { id } = lastAttempt(session.state);
    const model = { kind: 'model', model: { provider: 'house', model: 'small' } } as const;
    assert.equal((await rejection(again.sendAgain(session.id, 'unknown', told(model)))).code, 'chat.noRequestRecord');
    assert.equal((await rejection(again.sendAgain(session.id, id, told({ kind: 'item', key: 'file:none' })))).code, 'chat.fileNotAdded');
    await session.titler.generate();
    const title = await rejection(again.sendAgain(session.id, lastAttempt(session.state).id, told(model)));
    assert.equal(
      title.message,
      'This request asked for a title. You can send a request again only if it asked for a reply to your message.',
    );
    const last = messages(session.state).findLast(({ role }) => role === 'user');
    const own = { kind: 'turn', messageId: last?.id ?? '' } as const;
    assert.equal((await rejection(again.priceOfSendingAgain(session.id, id, own))).code, 'chat.messageNotSent');
  });
});

const BEFORE: ReplyUsage = { tokens: 15_000, usd: 0.0456, isAtLeast: false, isPretended: false };
const NOW: ReplyUsage = { tokens: 12_104, usd: 0.0123, isAtLeast: false, isPretended: false };

function said(now: Partial<ReplyUsage> | null, before: Partial<ReplyUsage>): string {
  const answer = now === null ? null : { ...NOW, ...now };
  return sentAgainText({ change: 'without AGENTS.md', instead: { ...BEFORE, ...before } }, answer);
}

describe('What is told of a message that was sent again', () => {
  it('is what was changed, and what both answers cost once there are two', () => {
    assert.equal(said(null, {}), 'Sent again without AGENTS.md');
    assert.equal(said({}, {}), 'Sent again without AGENTS.md: $0.0123 instead of $0.0456');
    assert.equal(said({ isAtLeast: true }, {}), 'Sent again without AGENTS.md: at least $0.0123 instead of $0.0456');
  });

  it('is told in tokens where one of the prices is not known', () => {
    assert.equal(said({ usd: null }, {}), 'Sent again without AGENTS.md: 12,104 tokens instead of 15,000 tokens');
    assert.equal(said({}, { usd: null, isAtLeast: true }), 'Sent again without AGENTS.md: 12,104 tokens instead of at least 15,000 tokens');
  });

  it('says of prices that nobody bills that they are for show', () => {
    const free = { isPretended: true };
    assert.equal(said(free, free), 'Sent again without AGENTS.md: would cost $0.0123 instead of $0.0456');
    assert.equal(said({}, free), 'Sent again without AGENTS.md: $0.0123 instead of $0.0456 (not billed)');
  });

  it('says before that what it costs, with a typical reply once there was one', () => {
    const price = {
      tokens: 12_104,
      inputCost: 0.0123,
      replyCost: 0.007,
      isPretended: false,
      forecast: null,
      usd: 0.0193,
      askedAbove: null,
      problem: null,
    };
    const told = { change: { kind: 'item', key: 'rule:AGENTS.md' }, inWords: 'without AGENTS.md' } as const;
    assert.equal(priceOfChoice(told, price), 'Send again without AGENTS.md: 12,104 tokens, ≈ $0.019 with reply');
    assert.equal(priceOfChoice(told, { ...price, replyCost: null }), 'Send again without AGENTS.md: 12,104 tokens, $0.0123 + reply');
    assert.equal(priceOfChoice(told, { ...price, inputCost: null }), 'Send again without AGENTS.md: 12,104 tokens');
    assert.match(priceOfChoice(told, { ...price, isPretended: true }), /, would cost ≈ \$0\.019 with reply$/);
  });

  it('says before that, too, where it is dear, and where no key goes along', () => {
    const price = {
      tokens: 12_104,
      inputCost: 0.6,
      replyCost: 0.0214,
      isPretended: false,
      forecast: null,
      usd: 0.6214,
      askedAbove: null,
      problem: null,
    };
    const end = 'Loupe shows the reply in a fork, next to this chat. This chat does not change.';
    assert.equal(detailOf(price, null), end);
    assert.equal(
      detailOf({ ...price, askedAbove: 0.5 }, 'Loupe has no stored key for House.'),
      [
        'The request and its reply cost about $0.6214. This is above your limit of $0.50 (loupe.spend.askAbove).',
        'Loupe has no stored key for House. Without a key, the provider may refuse the request.',
        end,
      ].join('\n'),
    );
  });
});
