import assert from 'node:assert/strict';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import type { RunStatus } from '../../../src/engine/chat/slices/runs.js';
import { lastRun } from '../../../src/engine/chat/branch.js';
import { STOP } from '../../../src/engine/run/input.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { compactionView } from '../../../src/host/panel/conversation/summaryEntry.js';
import { until } from '../../support/host/clocks.js';
import { openPanel, panelOf, type TestPanel } from '../../support/host/panel.js';
import { messages } from '../../support/host/reading.js';
import { LONG, talk as talkIn, type Rig } from '../../support/host/summaryRig.js';
import { useWindows } from '../../support/host/window.js';

describe('a message that waits for a summary', () => {
  const windows = useWindows();

  /** A chat whose next message does not fit. The summary that makes room hangs. */
  async function waiting(): Promise<Rig & { readonly test: TestPanel; readonly sent: Promise<void> }> {
    const rig = await talkIn(windows, 3, { compactionPolicy: 'rolling-window' });
    const { house, window, session } = rig;
    const test = await panelOf(window, session.id);
    await session.changeConfig({ maxPromptTokens: 1_500 });
    house.replies.push([{ text: 'Half' }, 'hang']);
    const sent = session.conversation.send(`Question 4. ${LONG.repeat(2)}`);
    await until(() => house.bodies.length === 4, 'the summary is asked for');
    return { ...rig, test, sent };
  }

  function statusOf({ state }: ChatSession): RunStatus | undefined {
    return lastRun(state)?.status;
  }

  function summaryRuns({ state }: ChatSession): readonly string[] {
    return [...state.runs.values()].flatMap(({ cause, status }) => (cause === 'summary' ? [status] : []));
  }

  it('says so', async () => {
    const { session, test, sent } = await waiting();
    const view = compactionView(session);
    assert.ok(view?.kind === 'running' && view.isAwaited);
    await test.say({ type: 'stop', chatId: session.id });
    await sent;
  });

  it('and is stopped ends the summary, too, and asks for no other', async () => {
    const { house, session, test, sent } = await waiting();
    await test.say({ type: 'stop', chatId: session.id });
    await sent;
    await until(() => compactionView(session) === null, 'the summary has ended');
    await session.compactor.settled();
    assert.deepEqual([statusOf(session), summaryRuns(session)], ['stopped', ['stopped']]);
    assert.deepEqual([compactionView(session), activeCompaction(session.state), house.bodies.length], [null, null, 4]);
  });

  it('is refused when the summary is cancelled, because it does not fit without; and the panel tells of both', async () => {
    const { house, session, test, sent } = await waiting();
    await test.say({ type: 'cancelSummary', chatId: session.id });
    await sent;
    assert.deepEqual([statusOf(session), summaryRuns(session), house.bodies.length], ['rolledBack', ['stopped'], 4]);
    assert.deepEqual(compactionView(session), { kind: 'cancelled' });
    assert.ok(messages(session.state).some(({ role }) => role === 'user'));
  });

  it('asks for no other summary when the one that it found is cancelled', async () => {
    const rig = await talkIn(windows, 3, { compactionPolicy: 'rolling-window' });
    const { house, window, session } = rig;
    const test = openPanel(window, { currentChat: session.id });
    await session.changeConfig({ maxPromptTokens: 1_500 });
    house.replies.push(['hang']);
    const writing = session.compactor.summarize(null);
    await until(() => house.bodies.length === 4, 'the summary is asked for');
    const sent = session.conversation.send(`Question 4. ${LONG.repeat(2)}`);
    await until(() => session.compactor.isAwaited, 'the message waits');
    await test.say({ type: 'cancelSummary', chatId: session.id });
    await Promise.all([writing, sent]);
    assert.deepEqual([statusOf(session), summaryRuns(session), house.bodies.length], ['rolledBack', ['stopped'], 4]);
  });
});

describe('a summary that came to nothing in the panel', () => {
  const windows = useWindows();

  async function cancelled(): Promise<Rig & { readonly test: TestPanel }> {
    const rig = await talkIn(windows, 2, {});
    const { house, window, session } = rig;
    const test = await panelOf(window, session.id);
    house.replies.push(['hang']);
    const writing = test.say({ type: 'summarize', chatId: session.id, upTo: null });
    await until(() => house.bodies.length === 3, 'the summary is asked for');
    await test.say({ type: 'cancelSummary', chatId: session.id });
    await writing;
    test.panel.channel.snapshot();
    assert.deepEqual([test.webview.state.compaction, test.webview.state.banners], [{ kind: 'cancelled' }, []]);
    return { ...rig, test };
  }

  it('is told as cancelled until it is dismissed', async () => {
    const { session, test } = await cancelled();
    await test.say({ type: 'dismissSummary', chatId: session.id });
    assert.equal(compactionView(session), null);
  });

  it('is told as cancelled until the next message', async () => {
    const { house, session } = await cancelled();
    house.replies.push(['hang']);
    const sent = session.conversation.send('Question 3');
    await until(() => house.bodies.length === 4, 'the message is sent');
    assert.equal(compactionView(session), null);
    await session.conversation.stop();
    await sent;
  });

  it('is told in passing when there is nothing to summarize', async () => {
    const { window, session } = await talkIn(windows, 0, {});
    const test = await panelOf(window, session.id);
    await test.say({ type: 'summarize', chatId: session.id, upTo: null });
    assert.deepEqual([test.notices, test.snapshot().banners, compactionView(session)], [['There is nothing to summarize yet.'], [], null]);
  });

  it('is not told as cancelled where another operation ended it: that shows by itself', async () => {
    const { house, session } = await talkIn(windows, 2, {});
    house.replies.push(['hang']);
    const writing = session.compactor.summarize(null);
    await until(() => house.bodies.length === 3, 'the summary is asked for');
    await session.compactor.stop(STOP);
    await writing;
    assert.equal(compactionView(session), null);
  });
});
