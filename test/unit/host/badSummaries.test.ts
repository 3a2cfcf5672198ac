import assert from 'node:assert/strict';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import { failure } from '../../../src/engine/errors.js';
import { openMessages } from '../../../src/engine/compaction/range.js';
import { compactionView } from '../../../src/host/panel/conversation/summaryEntry.js';
import { longTalk, messagesIn, PAGE, RULE, summariesShown, summarize } from '../../support/host/longTalk.js';
import { messages } from '../../support/host/reading.js';
import type { ScriptedPart } from '../../support/host/scriptedHouse.js';
import { useWindows } from '../../support/host/window.js';
import { rejection } from '../../support/rejection.js';

const SERVER = { label: 'House', status: 503, inputLimit: null, refusedMember: null };

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
    house.replies.push(...Array.from({ length: 4 }, () => [{ fails: failure('http.overloaded', SERVER) }]));
    assert.equal((await rejection(session.compactor.summarize(null))).code, 'http.overloaded');
    const asked = [...session.state.attempts.values()].filter(({ purpose }) => purpose === 'summary').map(({ id }) => id);
    assert.equal(asked.length, 3);
    assert.equal(activeCompaction(session.state), null);
    const view = compactionView(session);
    assert.ok(view?.kind === 'failed');
    const opens = [...view.failedAttempts.map(({ id }) => id), view.attemptId ?? ''];
    assert.deepEqual(opens, asked, 'the panel opens each of them');
    for (const id of opens) {
      assert.match((await session.request(id)).rebuilt.body, /Question 2/);
    }
  });

  it('that a model finds too long, whose window is smaller than it says, is asked for once, and nothing is lost', async () => {
    const { house, session } = await longTalk(windows, 2, {});
    house.replies.push([{ fails: failure('http.tooLong', SERVER) }]);
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
