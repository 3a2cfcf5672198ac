import assert from 'node:assert/strict';
import { textMessage } from '../../../src/engine/chat/message/message.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { column } from '../../support/columns.js';
import { RunningClock, SteppedClock, stepUntil, until } from '../../support/host/clocks.js';
import { panelOf, readyPanel } from '../../support/host/panel.js';
import { conversation, messages, partialText, runStatuses, wholeState } from '../../support/host/reading.js';
import { lookUntil, useWindows } from '../../support/host/window.js';
import { failureOf } from '../../support/failures.js';
import { scriptedHouse } from '../../support/host/scriptedHouse.js';
import { rejection } from '../../support/rejection.js';
import { openStreaming } from '../../support/host/streaming.js';

const BUSY = 'The model is writing a reply in another window. Wait for the end of the reply.';
const queued = ({ state }: ChatSession): string[] => [...state.queued.values()].map(({ message }) => JSON.stringify(message.parts));
const said = ({ state }: ChatSession): string[] =>
  messages(state).flatMap((message) =>
    message.role === 'user' ? message.parts.map((part) => (part.type === 'text' ? part.text : '')) : [],
  );

/** Lines are written in order: when the last one is there, all are. */
const onDisk = (session: ChatSession): Promise<void> => session.titler.rename('Named');

describe('a window that answers in a chat', () => {
  const windows = useWindows();

  async function answering() {
    const clock = new SteppedClock();
    const window = windows.open({ clock });
    const opened = await readyPanel(window);
    const session = await opened.shown.current();
    const first = session.conversation.send('/long 60');
    await stepUntil(clock, () => partialText(session) !== '', 'text streams');
    return { ...opened, clock, model: window.model, session, first };
  }

  /** A chat whose first reply waits for `fail`, and then fails. */
  async function failing() {
    const house = await scriptedHouse('openai-compatible', {});
    let fail = (): void => undefined;
    const after = new Promise<void>((resolve) => {
      fail = resolve;
    });
    house.replies.push([{ after }, { fails: failureOf('auth', 'The key is wrong.') }]);
    const { session } = await windows.openChat({ sources: [house.source], config: { model: house.large } });
    const first = session.conversation.send('First');
    await until(() => house.bodies.length === 1, 'the request is sent');
    return { house, session, first, fail };
  }

  it('queues what is sent meanwhile, with an empty message box, and sends it in its order when the reply has ended', async () => {
    const { clock, model, session, first, say, webview, snapshot } = await answering();
    await say({ type: 'draft', chatId: session.id, text: '/long 2 One', edit: 1 });
    const one = say({ type: 'send', chatId: session.id, text: '/long 2 One' });
    await until(() => session.state.queued.size === 1, 'the first one waits');
    const two = session.conversation.send('/long 2 Two');
    await until(() => session.state.queued.size === 2, 'both wait');
    const waiting = snapshot().entries.flatMap((entry) => (entry.kind === 'user' ? [[entry.text, entry.status]] : []));
    assert.deepEqual(waiting, [
      ['/long 60', 'sent'],
      ['/long 2 One', 'queued'],
      ['/long 2 Two', 'queued'],
    ]);
    assert.deepEqual([webview.state.draft.text, webview.state.banners, model.bodies.length], ['', [], 1]);
    await stepUntil(clock, () => session.state.queued.size === 0 && !session.conversation.isRunning, 'all are answered');
    await Promise.all([first, one, two]);
    assert.deepEqual(said(session), ['/long 60', '/long 2 One', '/long 2 Two']);
    assert.deepEqual(new Set(runStatuses(session.state)), new Set(['committed']));
  });

  it('holds what waits when the reply is stopped, until it is sent or taken back', async () => {
    const { clock, model, session, first, say, snapshot } = await answering();
    const one = session.conversation.send('/long 2 One');
    const two = session.conversation.send('Two');
    await until(() => session.state.queued.size === 2, 'both wait');
    const messageId = [...session.state.queued.keys()].at(-1) ?? '';
    const chatId = session.id;
    await session.conversation.stop();
    await Promise.all([first, one, two]);
    assert.deepEqual([model.bodies.length, session.state.queued.size, session.conversation.isRunning], [1, 2, false]);
    await say({ type: 'takeBack', chatId, messageId });
    const [held = ''] = session.state.queued.keys();
    const sent = say({ type: 'sendQueued', chatId, messageId: held });
    await stepUntil(clock, () => session.state.queued.size === 0 && !session.conversation.isRunning, 'the other one is answered');
    await sent;
    assert.deepEqual([said(session), snapshot().draft.text, model.bodies.length], [['/long 60', '/long 2 One'], 'Two', 2]);
  });

  it('holds what waits when the reply fails', async () => {
    const { house, session, first, fail } = await failing();
    const one = session.conversation.send('One');
    const two = session.conversation.send('Two');
    await until(() => session.state.queued.size === 2, 'both wait');
    fail();
    await Promise.all([first, one, two]);
    assert.deepEqual([house.bodies.length, session.state.queued.size, session.conversation.isWaiting], [1, 2, false]);
  });

  it('sends one held message at a click, and the messages that are written then', async () => {
    const { house, session, first, fail } = await failing();
    const one = session.conversation.send('One');
    await until(() => session.state.queued.size === 1, 'it waits');
    fail();
    await Promise.all([first, one]);
    const [held = ''] = session.state.queued.keys();
    const sent = session.conversation.sendQueued(held);
    await Promise.all([sent, session.conversation.send('Two')]);
    assert.deepEqual([said(session), house.bodies.length, session.state.queued.size], [['First', 'One', 'Two'], 3, 0]);
  });

  it('holds what waits when the message before it is refused and goes back into the message box', async () => {
    const { window, session } = await windows.openChat({ config: { maxPromptTokens: 1_500 } });
    const refused = rejection(session.conversation.sendDraft(textMessage('long', 'word '.repeat(4_000))));
    const one = session.conversation.send('One');
    await Promise.all([refused, one]);
    assert.deepEqual([said(session), queued(session).length, window.model.bodies.length], [[], 1, 0]);
  });

  it('sends nothing more when it closes', async () => {
    const { model, session, first } = await answering();
    void session.conversation.send('Too late');
    await until(() => session.state.queued.size === 1, 'it waits');
    await session.conversation.shutDown();
    await first;
    assert.deepEqual([model.bodies.length, session.state.queued.size, session.conversation.isRunning], [1, 1, false]);
  });
});

describe('two windows that want to answer in one chat', () => {
  const windows = useWindows();

  async function sharedChat() {
    const { window: first, session } = await windows.openChat({ clock: new RunningClock(), writerId: 'first', pid: process.ppid });
    await session.conversation.send('/long 3');
    const second = windows.open({ clock: new RunningClock(), writerId: 'second' });
    const seen = await second.chats.open(session.id);
    return { first, session, second, seen };
  }

  it('at the same instant answer one after the other, and keep both texts', async () => {
    const { first, session, second, seen } = await sharedChat();
    for (let round = 1; round <= 5; round += 1) {
      const texts = [`/long 5\nfirst ${String(round)}`, `/long 5\nsecond ${String(round)}`] as const;
      await lookUntil(Promise.all([session.conversation.send(texts[0]), seen.conversation.send(texts[1])]), first, second);
      await Promise.all([session.poll(), seen.poll()]);
      assert.deepEqual(said(session).slice(-2).sort(), [...texts]);
    }
    assert.deepEqual(wholeState(seen.state), wholeState(session.state));
    assert.deepEqual([queued(seen), new Set(runStatuses(seen.state))], [[], new Set(['committed'])]);
    // A reply follows each message: no run began before the end of the one before.
    assert.deepEqual(
      conversation(seen.state).map((line) => line.split(':', 1)[0]),
      Array.from({ length: 22 }, (_, index) => (index % 2 === 0 ? 'user' : 'assistant')),
    );
    // The later request contains the result of the earlier run.
    const bodies = [...first.model.bodies, ...second.model.bodies].sort((a, b) => a.length - b.length);
    assert.equal(new Set(bodies.map((body) => (JSON.parse(body) as { messages: unknown[] }).messages.length)).size, 11);
  });

  /** One window answers. Message `One` of another window waits. */
  async function waitingBehind() {
    const first = await openStreaming(windows, { writerId: 'first', pid: process.ppid }, '/long 60', 0);
    const { session } = first;
    const second = windows.open({ clock: new RunningClock(), writerId: 'second' });
    const seen = await second.chats.open(session.id);
    const one = seen.conversation.send('One');
    await until(() => seen.state.queued.size === 1, 'the message waits');
    return { ...first, second, seen, one };
  }

  it('each send what they have queued, in its order, when the other has answered', async () => {
    const { session, finish, second, seen, one } = await waitingBehind();
    const two = seen.conversation.send('Two');
    await until(() => seen.state.queued.size === 2, 'the next one waits behind it');
    await onDisk(seen);
    await session.poll();
    assert.deepEqual(queued(session), queued(seen));
    await finish();
    await lookUntil(Promise.all([one, two]), second);
    assert.deepEqual(said(seen), ['/long 60', 'One', 'Two']);
    assert.deepEqual([queued(seen), new Set(runStatuses(seen.state))], [[], new Set(['committed'])]);
  });

  it('hold what they have queued when the reply of the other was stopped', async () => {
    const { session, stop, second, seen, one } = await waitingBehind();
    await stop();
    await onDisk(session);
    await lookUntil(one, second);
    assert.deepEqual([said(seen), queued(seen).length, seen.conversation.isWaiting], [['/long 60'], 1, false]);
  });

  it('wait for nothing more in a chat that one of them deletes: brought back, what was queued waits for the user', async () => {
    const { window: first, session, running, second, seen, one } = await waitingBehind();
    const two = session.conversation.send('Two');
    await until(() => session.state.queued.size === 1, 'that of the other window waits, too');
    await second.chats.delete(session.id);
    await one;
    await first.chats.otherWindows.poll([session.id]);
    await Promise.all([running, two]);
    await second.chats.undelete(session.id);
    await Promise.all([seen.poll(), first.chats.otherWindows.poll([session.id])]);
    assert.deepEqual([said(seen), queued(seen).length, seen.conversation.isWaiting], [['/long 60'], 2, false]);
  });

  describe('while another window holds the claim', () => {
    async function claimed() {
      const { second, session, seen } = await sharedChat();
      const claim = second.store.runClaim(session.id, 'run');
      assert.equal(await claim.take(), true);
      return { claim, session, second, seen };
    }

    it('refuse an edit, a retry and a bringing on, and change nothing', async () => {
      const { session } = await claimed();
      const before = wholeState(session.state);
      const [user] = messages(session.state);
      assert.ok(user);
      assert.equal((await rejection(session.conversation.edit(user.id, 'Other words'))).message, BUSY);
      assert.equal((await rejection(session.conversation.retry(user.id))).message, BUSY);
      assert.deepEqual(wholeState(session.state), before);
      assert.equal(session.conversation.isRunning, false);
    });

    it('keep what was written in an edit, which goes on', async () => {
      const { second, session } = await claimed();
      const claim = second.store.runClaim(session.id, 'run');
      await claim.take();
      const third = await panelOf(windows.open({ writerId: 'third', pid: process.ppid }), session.id);
      const [user] = messages(session.state);
      assert.ok(user);
      await third.say({ type: 'beginEdit', chatId: session.id, messageId: user.id });
      await third.say({ type: 'send', chatId: session.id, text: 'Other words' });
      const { draft, banners } = third.snapshot();
      assert.deepEqual([draft.text, draft.editing, banners.map(({ text }) => text)], ['Other words', user.id, [BUSY]]);
    });

    it('show the message as waiting, and send it once the claim is free', async () => {
      const { claim, session, second, seen } = await claimed();
      const sent = session.conversation.send('Me too');
      await until(() => session.state.queued.size === 1, 'it waits');
      await onDisk(session);
      await seen.poll();
      assert.deepEqual(queued(seen), queued(session));
      assert.deepEqual(second.model.bodies, []);
      await claim.release();
      await session.poll();
      await sent;
      assert.deepEqual([said(session).at(-1), queued(session)], ['Me too', []]);
    });
  });

  describe('a message of a window that is gone', () => {
    /** A panel with a message that its window has left in the queue. */
    async function leftBehind() {
      const { session, second } = await sharedChat();
      const claim = second.store.runClaim(session.id, 'run');
      await claim.take();
      void session.conversation.send('Left behind');
      await until(() => session.state.queued.size === 1, 'it waits');
      await onDisk(session);
      await claim.release();
      const third = await panelOf(windows.open({ writerId: 'third', clock: new RunningClock() }), session.id);
      const entry = third.webview.state.entries.at(-1);
      assert.ok(entry?.kind === 'user');
      assert.deepEqual([entry.text, entry.status], ['Left behind', 'queued']);
      return { ...third, chatId: session.id, messageId: entry.id };
    }

    it('waits, and is sent at a click', async () => {
      const { snapshot, say, chatId, messageId, shown } = await leftBehind();
      await (await shown.current()).poll();
      assert.equal((await shown.current()).conversation.isRunning, false);
      await say({ type: 'sendQueued', chatId, messageId });
      const { entries } = snapshot();
      assert.deepEqual(
        entries.slice(-2).map((entry) => [entry.kind, 'status' in entry ? entry.status : '']),
        [
          ['user', 'sent'],
          ['assistant', 'done'],
        ],
      );
      await say({ type: 'sendQueued', chatId, messageId });
      assert.deepEqual(column(snapshot().banners, 'text'), [
        'This message is no longer in the queue: Loupe has sent it, or you have removed it.',
      ]);
    });

    it('goes back into the message box, in front of what stands there', async () => {
      const { snapshot, webview, say, chatId, messageId, shown } = await leftBehind();
      await say({ type: 'draft', chatId, text: 'Mine', edit: 1 });
      await say({ type: 'takeBack', chatId, messageId });
      assert.equal(snapshot().draft.text, 'Left behind\n\nMine');
      assert.deepEqual(queued(await shown.current()), []);
      assert.notEqual(webview.state.entries.at(-1)?.id, messageId);
    });

    it('is found by search and brought into sight', async () => {
      const { panel, messageId, chats } = await leftBehind();
      const { hits } = await chats.search({ text: 'left behind', role: null, limit: 10 }, new AbortController().signal);
      assert.deepEqual(column(hits, 'messageId'), [messageId]);
      await panel.reveal(messageId, null);
    });
  });
});
