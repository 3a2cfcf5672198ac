import assert from 'node:assert/strict';
import { ledgerTotals } from '../../src/engine/chat/ledger.js';
import type { ToolExecutor } from '../support/engine/toolExecutor.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { BILLED_MODELS } from '../support/host/billedModels.js';
import { SteppedClock, stepUntil, until } from '../support/host/clocks.js';
import { panelOf } from '../support/host/panel.js';
import {
  conversation,
  EchoTool,
  lastUser,
  messages,
  partialText,
  runStatuses,
  sentTexts,
  unsentTexts,
  wholeState,
} from '../support/host/reading.js';
import { asked } from '../support/host/spending.js';
import { DEAD_PID, useWindows } from '../support/host/window.js';
import { readChat } from '../support/storage/readChat.js';

/** More text than a killed host can lose. */
const WELL_UNDER_WAY = 600;

describe('a chat whose extension host was killed', () => {
  const windows = useWindows();

  /** A chat after its host was killed during a reply: nothing is closed, and the process has ended. */
  async function killedWhile(text: string): Promise<ChatSession> {
    const clock = new SteppedClock();
    const { session } = await windows.openChat({ clock, writerId: 'killed', pid: DEAD_PID, tools: new EchoTool(), models: BILLED_MODELS });
    const first = session.conversation.send('/long 2');
    await stepUntil(clock, () => !session.conversation.isRunning, 'the first run ends');
    await first;
    void session.conversation.send(text);
    await stepUntil(clock, () => partialText(session).length > WELL_UNDER_WAY, 'text streams');
    return session;
  }

  it('shows the partial text, the status interrupted, Continue and Retry', async () => {
    const killed = await killedWhile('/long 500');
    const { webview } = await panelOf(windows.open({ writerId: 'next' }), killed.id);
    assert.equal(webview.state.chat?.running, false);
    assert.equal(webview.reply?.status, 'interrupted');
    assert.ok(webview.replyText.length > WELL_UNDER_WAY / 2 && partialText(killed).startsWith(webview.replyText));
    const note = webview.state.entries.at(-1);
    assert.ok(note?.kind === 'runNote');
    assert.deepEqual(
      [note.status, note.actions, note.userMessageId],
      ['interrupted', ['continue', 'keepReply', 'retry'], lastUser(killed.state).id],
    );
    assert.equal(note.text, 'Interrupted: VS Code closed while the reply was arriving.');
  });

  it('says that a request whose cost the user had not approved was never sent', async () => {
    const spend = () => ({ askAbove: 0, capPerChat: null, capPerDay: null });
    const { session } = await windows.openChat({ writerId: 'killed', pid: DEAD_PID, models: BILLED_MODELS, spend });
    void session.conversation.send('When is ebb?');
    await asked(session);
    const { webview } = await panelOf(windows.open({ writerId: 'next' }), session.id);
    const note = webview.state.entries.at(-1);
    assert.ok(note?.kind === 'runNote');
    assert.deepEqual([note.text, note.actions], ['Interrupted: VS Code closed before the request was sent.', ['retry']]);
  });

  it('has lost at most what arrived in the last quarter of a second', async () => {
    const killed = await killedWhile('/long 500');
    const reopened = await windows.open({ writerId: 'next' }).chats.open(killed.id);
    const chunks = (text: string): number => text.split(/\s+/).length / 3;
    // A chunk of three words comes every 20 ms.
    assert.ok(chunks(partialText(killed)) - chunks(partialText(reopened)) <= 250 / 20 + 1);
  });

  it('answers the message anew on Retry, and keeps the partial text aside', async () => {
    const killed = await killedWhile('/long 500');
    const session = await windows.open({ writerId: 'next' }).chats.open(killed.id);
    assert.deepEqual(runStatuses(session.state), ['committed', 'interrupted']);
    assert.deepEqual(unsentTexts(session.state), ['/long 500']);
    const partial = partialText(session);
    await session.conversation.retry(lastUser(session.state).id);
    assert.deepEqual(runStatuses(session.state), ['committed', 'interrupted', 'committed']);
    assert.equal(conversation(session.state).length, 4);
    assert.equal(partialText(session).split(/\s+/).length, 500);
    assert.ok(
      [...session.state.attempts.values()].some(({ reply }) => reply.some((part) => part?.type === 'text' && part.text === partial)),
    );
  });

  it('makes the partial text part of the chat on Continue, and asks the model to go on', async () => {
    const killed = await killedWhile('/long 500');
    const window = windows.open({ writerId: 'next' });
    const { webview, say } = await panelOf(window, killed.id);
    const arrived = webview.replyText;
    await say({ type: 'continue', chatId: killed.id });
    const session = await window.chats.open(killed.id);
    assert.deepEqual(unsentTexts(session.state), []);
    assert.deepEqual(sentTexts(session.state).slice(2, 5), ['/long 500', arrived, 'Continue']);
    const shown = (): string[] => webview.state.entries.filter(({ kind }) => kind === 'assistant' || kind === 'user').map(({ id }) => id);
    await until(() => shown().length === 6, 'the message and the reply that follow the partial one');
    assert.equal(new Set(shown()).size, 6);
    const body = window.model.bodies.at(-1) ?? '';
    assert.ok(body.includes(JSON.stringify(arrived).slice(1, -1)), 'the request holds what had arrived');
    const third = await windows.open({ writerId: 'third' }).chats.open(killed.id);
    assert.deepEqual(wholeState(third.state), wholeState(session.state));
  });

  it('takes a new message instead; the interrupted one is not sent', async () => {
    const killed = await killedWhile('/long 500');
    const session = await windows.open({ writerId: 'next' }).chats.open(killed.id);
    await session.conversation.send('/long 3');
    assert.deepEqual(sentTexts(session.state), ['/long 2', 'Practice text.', '/long 3', 'Practice text that.']);
  });

  it('counts the attempt, with its usage unknown', async () => {
    const killed = await killedWhile('/long 500');
    const { state } = await windows.open({ writerId: 'next' }).chats.open(killed.id);
    const { attempts, unknownAttempts } = ledgerTotals(state);
    assert.deepEqual([attempts, unknownAttempts], [2, 1]);
  });

  it('is closed once: a third window finds the same and adds nothing', async () => {
    const killed = await killedWhile('/long 500');
    const second = await windows.open({ writerId: 'second' }).chats.open(killed.id);
    const third = windows.open({ writerId: 'third' });
    const opened = await third.chats.open(killed.id);
    assert.deepEqual(wholeState(opened.state), wholeState(second.state));
    const { events } = await readChat(third.store, killed.id);
    assert.equal(events.filter(({ type }) => type === 'run-interrupted').length, 1);
    assert.ok(events.every(({ writer }) => writer !== 'third'));
  });

  it('in the middle of a tool goes on from there, and the next request has a result for the call', async () => {
    const clock = new SteppedClock();
    let started = false;
    const tools: ToolExecutor = {
      has: () => true,
      call: () => {
        started = true;
        return new Promise<never>(() => undefined);
      },
    };
    const { session: killed } = await windows.openChat({ clock, writerId: 'killed', pid: DEAD_PID, tools });
    void killed.conversation.send('/tool hang {"a": 1}');
    await stepUntil(clock, () => started, 'the tool runs');
    const next = windows.open({ writerId: 'next' });
    const { panel, webview, say } = await panelOf(next, killed.id);
    const note = webview.state.entries.at(-1);
    assert.ok(note?.kind === 'runNote');
    assert.deepEqual([note.status, note.actions], ['interrupted', ['continue', 'retry']]);
    assert.equal(note.text, 'Interrupted: VS Code closed before the tools had finished.');
    await say({ type: 'continue', chatId: killed.id });
    const session = panel.session!;
    assert.deepEqual(runStatuses(session.state), ['interrupted', 'committed']);
    assert.match(conversation(session.state).at(-1) ?? '', /The tool `hang` reported an error/);
    assert.ok((next.model.bodies[0] ?? '').includes('The tool call was interrupted; it has no result.'));
  });

  it('before the request was sent keeps the message, unsent', async () => {
    const clock = new SteppedClock();
    const { window, session: killed } = await windows.openChat({ clock, writerId: 'killed', pid: DEAD_PID });
    // Composing never ends.
    window.models.find = () => new Promise<never>(() => undefined);
    void killed.conversation.send('My message');
    await until(
      () => window.store.journal(killed.id).pendingEvents.length === 0 && messages(killed.state).length === 1,
      'the message is on the disk',
    );
    const session = await windows.open({ writerId: 'next' }).chats.open(killed.id);
    assert.deepEqual(unsentTexts(session.state), ['My message']);
    assert.deepEqual(runStatuses(session.state), ['interrupted']);
    await session.conversation.retry(lastUser(session.state).id);
    assert.deepEqual(unsentTexts(session.state), []);
  });

  it('is left alone while its window may still live', async () => {
    const clock = new SteppedClock();
    const { session: running } = await windows.openChat({ clock, writerId: 'slow', pid: process.ppid });
    void running.conversation.send('/long 500');
    await stepUntil(clock, () => partialText(running).length > WELL_UNDER_WAY, 'text streams');
    const other = new SteppedClock();
    other.time = clock.time + 59_000;
    const next = windows.open({ clock: other, writerId: 'next' });
    const session = await next.chats.open(running.id);
    assert.deepEqual(runStatuses(session.state), ['running']);
    const sent = session.conversation.send('/long 2');
    await until(() => session.state.queued.size === 1, 'the message waits');
    // The sign of life dates from the start of the run.
    other.time += 2_000;
    const text = partialText(session);
    await next.chats.otherWindows.pollRuns();
    assert.ok(partialText(running).startsWith(text));
    await stepUntil(other, () => session.state.queued.size === 0 && !session.conversation.isRunning, 'what waited is answered');
    await sent;
    assert.deepEqual(runStatuses(session.state), ['interrupted', 'committed']);
  });
});
