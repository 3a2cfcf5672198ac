import assert from 'node:assert/strict';
import { attemptStatus } from '../../src/engine/chat/replyStatus.js';
import { activeCompaction } from '../../src/engine/chat/slices/compaction.js';
import { openMessages } from '../../src/engine/compaction/range.js';
import { STOP } from '../../src/engine/run/input.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { compactionView } from '../../src/host/panel/conversation/summaryEntry.js';
import { column } from '../support/columns.js';
import { until } from '../support/host/clocks.js';
import { longTalk, messagesIn, PAGE, summariesShown, summarize } from '../support/host/longTalk.js';
import { messages, runStatuses } from '../support/host/reading.js';
import { DEAD_PID, useWindows } from '../support/host/window.js';
import { Gate } from '../support/http/gate.js';
import { rejection } from '../support/rejection.js';

/** With these settings five exchanges of `longTalk` are too many. */
const SMALL = { maxPromptTokens: 1_500, compaction: 'on', compactionPolicy: 'rolling-window' } as const;

function users(session: ChatSession): readonly string[] {
  return messages(session.state).flatMap(({ id, role }) => (role === 'user' ? [id] : []));
}

function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  const { opened: passed, open } = new Gate();
  return { passed, open };
}

describe('a summary that is being written', () => {
  const windows = useWindows();

  it('and whose extension host is killed leaves the chat as it was, is recorded as broken off, and the next one works', async () => {
    const talk = await longTalk(windows, 3, { writerId: 'killed', pid: DEAD_PID });
    const { house, session } = talk;
    house.replies.push([{ text: 'Half a summary' }, 'hang']);
    void session.compactor.summarize(null);
    await until(() => house.bodies.length === 4 && session.state.attempts.size === 4, 'the summary is asked for');
    const next = windows.open({ writerId: 'next', sources: [house.source] });
    const reopened = await next.chats.open(session.id);
    assert.deepEqual(runStatuses(reopened.state), ['committed', 'committed', 'committed', 'interrupted']);
    const [run, attempt] = [[...reopened.state.runs.values()].at(-1), [...reopened.state.attempts.values()].at(-1)];
    assert.ok(run !== undefined && attempt !== undefined);
    assert.deepEqual([attempt.purpose, attemptStatus(run, attempt)], ['summary', 'interrupted']);
    assert.deepEqual([activeCompaction(reopened.state), summariesShown(reopened.state), compactionView(reopened)], [null, [], null]);
    assert.deepEqual(column(openMessages(reopened.state), 'id'), column(openMessages(session.state), 'id'));
    house.replies.length = 0;
    await summarize({ ...talk, session: reopened }, null, 'A whole summary.');
    await reopened.conversation.send('And now?');
    assert.ok(messagesIn(house.bodies.at(-1)).includes('A whole summary.'));
    assert.deepEqual(next.errors, []);
  });

  describe('is not applied when the user', () => {
    const acts: Readonly<Record<string, (session: ChatSession) => Promise<void>>> = {
      'edits a message': (session) => session.conversation.edit(users(session)[1] ?? '', 'Another question'),
      'tries a reply again': (session) => session.conversation.retry(users(session)[2] ?? ''),
      'brings a branch back': async (session) => {
        const [rewindId] = [...session.state.rewinds.keys()];
        await session.conversation.restoreBranch(rewindId ?? '');
      },
    };
    for (const [name, act] of Object.entries(acts)) {
      it(name, async () => {
        const talk = await longTalk(windows, 3, {});
        const { house, session } = talk;
        await session.conversation.edit(users(session)[2] ?? '', `Question 3 anew. ${PAGE}`);
        const asked = house.bodies.length;
        house.replies.push([{ text: 'Half a summary' }, 'hang']);
        const writing = session.compactor.summarize(null);
        await until(() => house.bodies.length > asked, 'the summary is asked for');
        await act(session);
        await writing;
        assert.equal(session.state.compactions.size, 0);
        await session.conversation.send('And now?');
        assert.ok(messagesIn(house.bodies.at(-1)).includes('Question 1'));
      });
    }
  });

  it('in a chat that is forked meanwhile is that of the chat alone', async () => {
    const talk = await longTalk(windows, 3, {});
    const { house, window, session } = talk;
    house.replies.push(['hang']);
    const writing = session.compactor.summarize(null);
    await until(() => house.bodies.length === 4, 'the summary is asked for');
    const fork = await window.chats.fork(session, messages(session.state).findLast(({ role }) => role === 'assistant')?.id ?? '');
    assert.deepEqual([fork.state.compactions.size, fork.state.runs.size, openMessages(fork.state).length], [0, 0, 6]);
    await session.compactor.stop(STOP);
    await writing;
  });

  it('goes on when the user stops a reply, and is applied', async () => {
    const talk = await longTalk(windows, 3, {});
    const { house, session } = talk;
    const { passed, open } = gate();
    house.replies.push([{ after: passed }, { text: 'All three.' }], [{ text: 'Half an answer' }, 'hang']);
    const writing = session.compactor.summarize(null);
    await until(() => house.bodies.length === 4, 'the summary is asked for');
    const answering = session.conversation.send('Question 4');
    await until(() => house.bodies.length === 5, 'the message is sent');
    await session.conversation.stop();
    await answering;
    open();
    await writing;
    const summaries = summariesShown(session.state).map(({ text, status }) => [text.split('\n')[0], status]);
    assert.deepEqual(summaries, [['All three.', 'active']]);
  });

  it('of messages that another window sets aside meanwhile is not sent; the one before it is', async () => {
    const talk = await longTalk(windows, 3, {});
    const { house, session } = talk;
    const other = await windows.open({ writerId: 'other', pid: process.ppid, sources: [house.source] }).chats.open(session.id);
    await summarize(talk, users(session)[1] ?? '', 'The first one.');
    const { passed, open } = gate();
    const asked = house.bodies.length;
    house.replies.push([{ after: passed }, { text: 'All three.' }]);
    const writing = session.compactor.summarize(null);
    await until(() => house.bodies.length > asked, 'the summary is asked for');
    await other.poll();
    await other.conversation.edit(users(other)[2] ?? '', 'Another third question');
    open();
    await writing;
    await session.poll();
    await other.poll();
    for (const each of [session, other]) {
      await each.conversation.send('And now?');
      const body = messagesIn(house.bodies.at(-1));
      assert.ok(body.includes('The first one.') && body.includes('Another third question') && !body.includes('All three.'));
    }
  });

  it('in one window lets a second one that wants it too do nothing when nobody asked, and say so when somebody did', async () => {
    const talk = await longTalk(windows, 5, {});
    const { house, session } = talk;
    await session.changeConfig(SMALL);
    const there = await windows.open({ writerId: 'other', pid: process.ppid, sources: [house.source] }).chats.open(session.id);
    const asked = house.bodies.length;
    house.replies.push(['hang']);
    const writing = session.compactor.summarize(null);
    await until(() => house.bodies.length > asked, 'the summary is asked for');
    await there.poll();
    there.compactor.check();
    await there.compactor.settled();
    assert.deepEqual([there.state.compactions.size, compactionView(there), house.bodies.length], [0, null, asked + 1]);
    assert.equal((await rejection(there.compactor.summarize(null))).code, 'chat.summarizingElsewhere');
    assert.equal(compactionView(there), null);
    await session.compactor.stop(STOP);
    await writing;
    there.compactor.check();
    await there.compactor.settled();
    assert.equal(there.state.compactions.size, 1);
  });
});
