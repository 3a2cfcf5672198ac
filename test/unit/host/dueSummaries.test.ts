import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import { failure } from '../../../src/engine/errors.js';
import { openMessages } from '../../../src/engine/compaction/range.js';
import { SteppedClock, stepUntil, turn, until } from '../../support/host/clocks.js';
import { longTalk, messagesIn, type LongTalk, PAGE, RULE, summariesShown, summarize } from '../../support/host/longTalk.js';
import { openPanel } from '../../support/host/panel.js';
import { messages } from '../../support/host/reading.js';
import { scriptedHouse, type ScriptedPart } from '../../support/host/scriptedHouse.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';
import { compactionView } from '../../../src/host/panel/conversation/summaryEntry.js';
import { rejection } from '../../support/rejection.js';
import { promptBudget } from '../../../src/engine/budget/budget.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';

/** Shorter than the part of a message that the topic search sees. */
const PARAGRAPH = 'The tide tables of the harbour are read every hour. '.repeat(16);
/** Room for about eight exchanges with a paragraph, or for most of them and the question about topics. */
const SMALL = { compaction: 'on', maxPromptTokens: 2_500, verbatimTokens: 500 } as const;

const SERVER = { label: 'House', status: 401, inputLimit: null, refusedMember: null };

function topic(answer: { readonly index: number | null; readonly confidence: number; readonly summary: string }): string {
  const { index, confidence, summary } = answer;
  return JSON.stringify({ boundary_index: index, boundary_reason: 'another task', confidence, summary });
}

describe('a summary that is due', () => {
  const windows = useWindows();

  /** Sends messages until a summary exists. `housekeeping` has the model's answers to Loupe's own requests. */
  async function talkUntilSummarized(
    { house, session }: Pick<LongTalk, 'house' | 'session'>,
    housekeeping: (messages: number) => LongTalk['house']['replies'],
  ): Promise<void> {
    for (let number = 1; number <= 9 && session.state.compactions.size === 0; number += 1) {
      const said = openMessages(session.state).length + 2;
      house.replies.push([{ text: `Answer ${String(number)}. ${PARAGRAPH}` }], ...housekeeping(said));
      await session.conversation.send(`Question ${String(number)}`);
      await session.compactor.settled();
      house.replies.length = 0;
    }
  }

  function purposes({ session }: Pick<LongTalk, 'session'>): ReadonlySet<string> {
    return new Set([...session.state.attempts.values()].map(({ purpose }) => purpose));
  }

  const chat = (config: Partial<ChatConfig>): Promise<LongTalk> => longTalk(windows, 0, { config });

  it('is written with the summary that came with the topic, without another request, where that model read all of it whole', async () => {
    const talk = await chat(SMALL);
    // The answer is unsure, so no turn is replaced because of it.
    await talkUntilSummarized(talk, (said) => [[{ text: topic({ index: said - 4, confidence: 0.3, summary: 'Tides, in short.' }) }]]);
    const active = activeCompaction(talk.session.state);
    assert.deepEqual([active?.policy, active?.case], ['topic-boundary', 'summarize']);
    assert.deepEqual([...purposes(talk)].sort(), ['reply', 'topic']);
    await talk.session.conversation.send('And now?');
    const body = messagesIn(talk.house.bodies.at(-1));
    assert.ok(body.includes('Tides, in short.') && !body.includes('Question 1'));
  });

  it('is written by itself where the summary that came with the topic reaches to another message', async () => {
    const talk = await chat(SMALL);
    await talkUntilSummarized(talk, () => [
      [{ text: topic({ index: 1, confidence: 0.3, summary: 'Tides, in short.' }) }],
      [{ text: 'Own.' }],
    ]);
    assert.deepEqual([...purposes(talk)].sort(), ['reply', 'summary', 'topic']);
    const [summary] = messages(talk.session.state).filter((message) => message.role === 'summary');
    assert.match(summary?.text ?? '', /^Own\./);
  });

  it('is written all the same when the request for topics fails, which the log says', async () => {
    const talk = await chat(SMALL);
    const { session, window } = talk;
    await talkUntilSummarized(talk, () => [[{ fails: failure('http.keyRefused', SERVER) }], [{ text: 'In short.' }]]);
    assert.equal(activeCompaction(session.state)?.case, 'summarize');
    assert.deepEqual([...new Set(window.errors.map(({ code }) => code))], ['http.keyRefused']);
  });

  it('is written half a second after the reply, which is there meanwhile', async () => {
    const clock = new SteppedClock();
    const house = await scriptedHouse('openai-compatible', {});
    const config = { model: house.large, ...SMALL, compactionPolicy: 'message-count' } as const;
    const session = await windows.open({ clock, sources: [house.source], config }).chats.create();
    for (let number = 1; number <= 40; number += 1) {
      await session.conversation.send(`Question ${String(number)}`);
      let isSettled = false;
      void session.compactor.settled().then(() => {
        isSettled = true;
      });
      await stepUntil(clock, () => isSettled, 'the check has ended');
    }
    await session.conversation.send('Question 41');
    const [asked, ended] = [house.bodies.length, clock.now()];
    await until(() => clock.sleepers > 0, 'the check waits');
    await turn();
    assert.deepEqual([house.bodies.length, session.compactor.status], [asked, null]);
    house.replies.push([{ text: 'In short.' }]);
    await stepUntil(clock, () => house.bodies.length > asked, 'the summary is asked for');
    assert.equal(clock.now() - ended, 500);
    await stepUntil(clock, () => session.state.compactions.size === 1, 'the summary is in use');
    await session.compactor.settled();
  });

  it('by the number of messages leaves 20 to 30, from a user message on', async () => {
    const { house, session } = await chat({ compaction: 'on', compactionPolicy: 'message-count' });
    const say = async (number: number): Promise<void> => {
      house.replies.push([{ text: `Answer ${String(number)}.` }], [{ text: 'In short.' }]);
      await session.conversation.send(`Question ${String(number)}. ${PARAGRAPH}`);
      await session.compactor.settled();
      house.replies.length = 0;
    };
    for (let number = 1; number <= 40; number += 1) {
      await say(number);
    }
    assert.deepEqual([openMessages(session.state).length, session.state.compactions.size], [80, 0]);
    await say(41);
    const left = openMessages(session.state);
    assert.deepEqual([activeCompaction(session.state)?.policy, activeCompaction(session.state)?.case], ['message-count', 'summarize']);
    assert.ok(left.length >= 20 && left.length <= 30 && left[0]?.role === 'user', String(left.length));
  });

  it('is told as due by the API, and not where it is off', async () => {
    const talk = await chat({ ...SMALL, compaction: 'off' });
    const { house, session, window } = talk;
    const { api } = openPanel(window, { currentChat: session.id });
    for (let number = 1; number <= 8; number += 1) {
      house.replies.push([{ text: `Answer ${String(number)}. ${PARAGRAPH}` }]);
      await session.conversation.send(`Question ${String(number)}`);
    }
    assert.equal((await api.getHistoryStatus(session.id)).needsSummary, false);
    await session.changeConfig({ compaction: 'on' });
    const { needsSummary, compaction, historyTokens } = await api.getHistoryStatus(session.id);
    assert.ok(needsSummary && compaction.percent > 100 && historyTokens > compaction.trigger);
    house.replies.push([{ text: 'In short.' }]);
    await session.compactor.summarize(null);
    const after = await api.getHistoryStatus(session.id);
    assert.ok(!after.needsSummary && after.historyTokens < historyTokens);
  });
});

describe('the request for a summary', () => {
  const windows = useWindows();

  it('has the cache marks of the last reply, where they were: nothing more is written to the cache', async () => {
    const house = await scriptedHouse('anthropic', {});
    const session = await windows
      .open({ sources: [house.source], config: { model: house.large, compaction: 'off', cacheMode: 'cached' } })
      .chats.create();
    for (const number of [1, 2, 3]) {
      house.replies.push([{ text: `Answer ${String(number)}. ${PARAGRAPH.repeat(3)}` }]);
      await session.conversation.send(`Question ${String(number)}`);
    }
    house.replies.push([{ text: 'In short.' }]);
    await session.compactor.summarize(null);
    const [reply = '', summary = ''] = house.bodies.slice(-2);
    const uptoLastMark = (body: string): string => body.slice(0, body.lastIndexOf('cache_control'));
    assert.ok(reply.includes('cache_control'));
    const messagesOf = (body: string): string => messagesIn(body);
    assert.equal(uptoLastMark(messagesOf(summary)), uptoLastMark(messagesOf(reply)));
    assert.equal(summary.split('cache_control').length, reply.split('cache_control').length);
  });

  it('asks for abbreviations where the chat wants a terse one, and for whole sentences otherwise', async () => {
    for (const style of ['plain', 'terse'] as const) {
      const { house, session } = await longTalk(windows, 2, { config: { summaryStyle: style } });
      house.replies.push([{ text: 'In short.' }]);
      await session.compactor.summarize(null);
      const body = messagesIn(house.bodies.at(-1));
      assert.equal(body.includes('use ANY AND ALL ABBREVIATIONS'), style === 'terse');
      assert.ok(body.includes('Do not invent details.'));
    }
  });

  it('is never sent again, nor is its answer but as the one summary: of the user, behind the files and before the messages', async () => {
    const files = new MemoryFiles();
    files.texts.set('tides.ts', 'export const high = 6;');
    const { house, session } = await longTalk(windows, 3, { files });
    await session.context.add({ type: 'file', name: 'tides.ts', includeMode: 'manual', addedHash: null, given: null });
    const second = messages(session.state).filter(({ role }) => role === 'assistant')[1];
    house.replies.push([{ text: 'First two.' }], [{ text: 'Own summary.' }]);
    await session.compactor.summarize(second?.id ?? '');
    await session.conversation.send('And now?');
    const { messages: sent } = JSON.parse(house.bodies.at(-1) ?? '') as {
      readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    };
    const shown = sent.map(({ role, content }) => `${role}: ${JSON.stringify(content)}`);
    assert.match(shown.join('\n'), /^system: .*\nuser: .*Working Files.*Previous Conversation Summary:.*First two\..*\nassistant: /);
    assert.ok(!messagesIn(house.bodies.at(-1)).includes('Summarize the conversation'));
    assert.equal(messagesIn(house.bodies.at(-1)).split('And now?').length, 2);
  });
});

const BUSY_SERVER = { label: 'House', status: 503, inputLimit: null, refusedMember: null };

describe('a summary', () => {
  const windows = useWindows();

  describe('that is none leaves the conversation as it was', () => {
    const replies: Readonly<Record<string, readonly [readonly ScriptedPart[], string]>> = {
      refused: [[{ text: 'I cannot do that.' }, { stops: 'refused' }], 'summary.refused'],
      'ended early': [[{ text: 'They read' }, { stops: 'other' }], 'summary.endedEarly'],
      'cut off at the output limit': [[{ text: 'They read' }, { stops: 'length' }], 'summary.cutOff'],
      'a tool call beside a text': [[{ text: 'In short.' }, { call: 'read', id: 'c', args: {} }], 'summary.calledTool'],
      'white space': [[{ text: ' \n\t' }], 'summary.empty'],
      'reasoning alone': [[{ thought: 'They read tide tables.', opaque: null }], 'summary.empty'],
    };
    for (const [name, [reply, code]] of Object.entries(replies)) {
      it(name, async () => {
        const { house, session } = await longTalk(windows, 3, {});
        house.replies.push(reply);
        assert.equal((await rejection(session.compactor.summarize(null))).code, code);
        assert.deepEqual([activeCompaction(session.state), openMessages(session.state).length], [null, 6]);
        await session.conversation.send('And now?');
        assert.ok(messagesIn(house.bodies.at(-1)).includes('Answer 1'));
      });
    }
  });

  it('that was asked of an overloaded provider is asked for again twice, each time as an attempt, and then given up', async () => {
    const { house, session } = await longTalk(windows, 2, {});
    house.replies.push(...Array.from({ length: 4 }, () => [{ fails: failure('http.overloaded', BUSY_SERVER) }]));
    assert.equal((await rejection(session.compactor.summarize(null))).code, 'http.overloaded');
    const asked = [...session.state.attempts.values()].filter(({ purpose }) => purpose === 'summary').map(({ id }) => id);
    assert.equal(asked.length, 3);
    assert.equal(activeCompaction(session.state), null);
    const view = compactionView(session);
    assert.ok(view?.kind === 'failed');
    const opens = [...view.failedAttempts.map(({ id }) => id), view.attemptId ?? ''];
    assert.deepEqual(opens, asked, 'the panel opens each of them');
    for (const id of opens) {
      assert.match((await session.records.request(id)).rebuilt.body, /Question 2/);
    }
  });

  it('that a model finds too long, whose window is smaller than it says, is asked for once, and nothing is lost', async () => {
    const { house, session } = await longTalk(windows, 2, {});
    house.replies.push([{ fails: failure('http.tooLong', BUSY_SERVER) }]);
    assert.equal((await rejection(session.compactor.summarize(null))).kind, 'contextOverflow');
    assert.equal([...session.state.attempts.values()].filter(({ purpose }) => purpose === 'summary').length, 1);
    assert.equal(openMessages(session.state).length, 4);
  });

  it('that is over its own budget, but shorter than what it replaces, is used as it came, and its tokens are told', async () => {
    const talk = await longTalk(windows, 8, {});
    const text = `They read tide tables. ${PAGE.repeat(3)}`;
    await summarize(talk, null, text);
    const [shown] = summariesShown(talk.session.state);
    assert.ok(shown !== undefined && shown.tokens.after > 500 && shown.tokens.after < shown.tokens.before);
    assert.ok(shown.text.startsWith(text.trim()) && shown.text.endsWith(`Kept word for word:\n- ${RULE}`));
  });

  it('in another language keeps what the user demands word for word', async () => {
    const talk = await longTalk(windows, 3, {});
    await summarize(talk, null, 'Es ging um Gezeitentafeln. Sie dürfen nie geändert werden.');
    assert.deepEqual(activeCompaction(talk.session.state)?.lines, [RULE]);
    await talk.session.conversation.send('And now?');
    assert.ok(messagesIn(talk.house.bodies.at(-1)).includes(RULE));
  });

  it('of a conversation without room for the request alone is not asked for', async () => {
    const { house, session } = await longTalk(windows, 3, {});
    await session.changeConfig({ maxPromptTokens: 700 });
    const asked = house.bodies.length;
    assert.equal((await rejection(session.compactor.summarize(null))).code, 'summary.noRoom');
    assert.equal(house.bodies.length, asked);
  });

  it('of a conversation in parts of which one fails changes nothing', async () => {
    const { house, session } = await longTalk(windows, 6, {});
    await session.changeConfig({ maxPromptTokens: 1_800 });
    house.replies.push([{ text: 'The first part.' }], [{ text: '' }]);
    assert.equal((await rejection(session.compactor.summarize(null))).code, 'summary.empty');
    assert.deepEqual([activeCompaction(session.state), messages(session.state).some(({ role }) => role === 'summary')], [null, false]);
  });
});

const ROLLING = { compaction: 'on', compactionPolicy: 'rolling-window' } as const;
/** The summary of each part of a conversation that needs several requests, then the reply. */
const IN_SHORT = Array.from({ length: 4 }, () => [{ text: 'In short.' }]);

function times(text: string, part: string): number {
  return text.split(part).length - 1;
}

describe('a chat with a rolling window', () => {
  const windows = useWindows();

  it('has no summary while it is under its budget: every message is sent as it is', async () => {
    const { house, session } = await longTalk(windows, 5, { config: ROLLING });
    await session.compactor.settled();
    await session.conversation.send('And now?');
    const body = messagesIn(house.bodies.at(-1));
    assert.deepEqual([session.state.compactions.size, house.bodies.length], [0, 6]);
    assert.ok([1, 2, 3, 4, 5].every((number) => times(body, `Answer ${String(number)}.`) === 1) && !body.includes('Summary:'));
  });

  it('has older messages summarized when it is over its budget; the last six stay, and the message that is sent stands once', async () => {
    const { house, session } = await longTalk(windows, 8, {});
    // Room for three exchanges and a summary, but not for eight.
    await session.changeConfig({ ...ROLLING, maxPromptTokens: 2_000 });
    house.replies.push(...IN_SHORT);
    await session.conversation.send('And now?');
    const body = messagesIn(house.bodies.at(-1));
    assert.equal(activeCompaction(session.state)?.case, 'summarize');
    assert.equal(times(body, 'Previous Conversation Summary:'), 1);
    assert.equal(times(body, 'And now?'), 1);
    assert.ok([6, 7, 8].every((number) => times(body, `Answer ${String(number)}.`) === 1) && !body.includes('Answer 5.'));
  });

  it('shrinks its window when the last six are over its budget on their own, and keeps the latest exchange', async () => {
    const { house, session } = await longTalk(windows, 5, {});
    // Less than the last six messages take.
    await session.changeConfig({ ...ROLLING, maxPromptTokens: 1_600 });
    house.replies.push(...IN_SHORT);
    await session.conversation.send('And now?');
    const body = messagesIn(house.bodies.at(-1));
    assert.ok(windows.counter.count(body) <= promptBudget(session.state.config, PRACTICE_STANDARD));
    const held = ['In short.', 'Answer 5.', 'Answer 3.'].map((text) => body.includes(text));
    assert.deepEqual(held, [true, true, false], String(windows.counter.count(body)));
    assert.equal(times(body, 'And now?'), 1);
  });

  it('leaves out what the summary would have replaced when that fails, and the message is sent', async () => {
    const { house, session } = await longTalk(windows, 8, {});
    // Over the budget, but far below twice of it.
    await session.changeConfig({ ...ROLLING, maxPromptTokens: 2_000 });
    house.replies.push([{ text: '' }], [{ text: 'Sent.' }]);
    await session.conversation.send('And now?');
    const body = messagesIn(house.bodies.at(-1));
    assert.ok(windows.counter.count(body) <= promptBudget(session.state.config, PRACTICE_STANDARD));
    assert.ok([6, 7, 8].every((number) => times(body, `Answer ${String(number)}.`) === 1) && !body.includes('Answer 5.'));
    assert.ok(times(body, 'And now?') === 1 && body.includes(RULE), 'what binds is not left out');
  });

  it('stays under its limit when the summary fails: its beginning is left out', async () => {
    const { house, session } = await longTalk(windows, 12, {});
    await session.changeConfig({ ...ROLLING, maxPromptTokens: 1_500 });
    house.replies.push([{ text: '' }], [{ text: '' }], [{ text: '' }]);
    await session.conversation.send('And now?');
    const body = messagesIn(house.bodies.at(-1));
    assert.equal(activeCompaction(session.state)?.case, 'emergency');
    assert.ok(windows.counter.count(body) <= promptBudget(session.state.config, PRACTICE_STANDARD));
    assert.ok(times(body, 'And now?') === 1 && body.includes('Answer 12.') && body.includes(PAGE.trim()));
  });
});
