import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import { failure } from '../../../src/engine/errors.js';
import { openMessages } from '../../../src/engine/compaction/range.js';
import { SteppedClock, stepUntil, turn, until } from '../../support/host/clocks.js';
import { longTalk, messagesIn, type LongTalk } from '../../support/host/longTalk.js';
import { openPanel } from '../../support/host/panel.js';
import { messages } from '../../support/host/reading.js';
import { scriptedHouse } from '../../support/host/scriptedHouse.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

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
    await session.addContext({ type: 'file', name: 'tides.ts', includeMode: 'manual', addedHash: null, given: null });
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
