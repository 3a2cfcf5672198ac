import assert from 'node:assert/strict';
import { column } from '../../support/columns.js';
import { SteppedClock, stepUntil, until } from '../../support/host/clocks.js';
import { writeNewerLine } from '../../support/host/damage.js';
import {
  actionsOf,
  conversation,
  EchoTool,
  lastAttempt,
  lastReply,
  lastUser,
  messages,
  partialText,
  runStatuses,
  sentTexts,
  unsentTexts,
  wholeState,
} from '../../support/host/reading.js';
import { rejection } from '../../support/rejection.js';
import { useWindows } from '../../support/host/window.js';
import { readChat } from '../../support/storage/readChat.js';
import { openStreaming } from '../../support/host/streaming.js';

const SHORT = '/long 3';
const SHORT_REPLY = 'Practice text that.';

describe('a chat session', () => {
  const windows = useWindows();

  describe('sending', () => {
    it('commits the reply of the model', async () => {
      const { session } = await windows.openChat({}, SHORT);
      assert.deepEqual(conversation(session.state), [`user: ${SHORT}`, `assistant: ${SHORT_REPLY}`]);
      assert.deepEqual(runStatuses(session.state), ['committed']);
      assert.equal(session.conversation.isRunning, false);
      assert.equal(lastReply(session.state).stopped, false);
    });

    it('leaves a log that folds to the very state on show', async () => {
      const { session } = await windows.openChat({ tools: new EchoTool() });
      await session.context.add({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: null, given: { inline: 'let a;' } });
      await session.conversation.send('/tool echo {"a": 1}');
      await session.changeConfig({ systemPrompt: 'Be brief.', maxPromptTokens: 9_000 });
      await session.titler.rename('About a');
      await session.conversation.edit(lastUser(session.state).id, 'Hello');
      await session.conversation.send('/error 500');
      const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
      assert.deepEqual(wholeState(reopened.state), wholeState(session.state));
      assert.deepEqual([reopened.faults, reopened.readOnly], [[], null]);
    });

    it('has the user message on the disk before the model is called', async () => {
      const clock = new SteppedClock();
      const session = await windows.open({ clock }).chats.create();
      const running = session.conversation.send(SHORT);
      await until(() => session.state.attempts.size === 1, 'the request is sent');
      const reader = windows.open({ writerId: 'reader' });
      const { events } = await readChat(reader.store, session.id);
      assert.ok(events.some((event) => event.type === 'message' && event.message.role === 'user'));
      await session.conversation.stop();
      await running;
    });

    it('refuses an empty message, and one of blanks', async () => {
      const session = await windows.open({}).chats.create();
      for (const text of ['', ' \n\t']) {
        const error = await rejection(session.conversation.send(text));
        assert.deepEqual([error.kind, error.message], ['invalidInput', 'The message is empty.']);
      }
      assert.deepEqual(messages(session.state), []);
    });

    it('refuses an edit and a retry while a message is answered, and loses neither the first nor its reply', async () => {
      const { session, finish } = await openStreaming(windows, {}, '/long 40', 20);
      const { id } = lastUser(session.state);
      for (const second of [session.conversation.retry(id), session.conversation.edit(id, 'Second')]) {
        const error = await rejection(second);
        assert.match(error.message, /is writing a reply\. Stop/);
      }
      await finish();
      assert.deepEqual(runStatuses(session.state), ['committed']);
      assert.equal(messages(session.state).length, 2);
      assert.equal(partialText(session).split(/\s+/).length, 40);
    });

    it('runs the tools that the model calls, and goes on until it concludes', async () => {
      const tools = new EchoTool();
      const { session } = await windows.openChat({ tools }, '/tool echo {"text": "one"}\n/tool echo {"text": "two"}');
      assert.deepEqual(tools.calls, ['{"text":"one"}', '{"text":"two"}']);
      assert.deepEqual(column(messages(session.state), 'role'), [
        'user',
        'assistant',
        'tool-results',
        'assistant',
        'tool-results',
        'assistant',
      ]);
      assert.equal(session.state.attempts.size, 3);
      assert.match(conversation(session.state).at(-1) ?? '', /The tool `echo` answered with \d+ characters/);
    });

    it('tells the model about a tool that is not there', async () => {
      const { session } = await windows.openChat({}, '/tool echo {}');
      assert.deepEqual(runStatuses(session.state), ['committed']);
      assert.match(conversation(session.state)[2] ?? '', /there is no tool named echo/);
    });
  });

  describe('stopping', () => {
    it('leaves a reply that Continue goes on from with a message; without any text there is nothing to continue', async () => {
      const clock = new SteppedClock();
      const session = await windows.open({ clock }).chats.create();
      void session.conversation.send('/long 300');
      await session.conversation.stop();
      assert.deepEqual(actionsOf(session), ['retry']);
      void session.conversation.send('/long 300');
      await stepUntil(clock, () => partialText(session).length > 100, 'text streams');
      await session.conversation.stop();
      assert.deepEqual(actionsOf(session), ['continue', 'retry']);
      const going = session.conversation.continueRun();
      await stepUntil(clock, () => runStatuses(session.state).at(-1) === 'committed', 'the reply');
      await going;
      assert.deepEqual(
        conversation(session.state)
          .slice(-2)
          .map((line) => line.slice(0, 14)),
        ['user: Continue', "assistant: I'm"],
      );
    });

    it('keeps what had arrived, and never a later token', async () => {
      const { session, clock, stop } = await openStreaming(windows, {}, '/long 300', 100);
      const arrived = partialText(session);
      await stop();
      const stopped = wholeState(session.state);
      assert.equal(conversation(session.state).at(-1), `assistant: ${arrived}`);
      assert.equal(lastReply(session.state).stopped, true);
      assert.deepEqual(runStatuses(session.state), ['stopped']);
      for (let step = 0; step < 20; step += 1) {
        clock.step();
        await new Promise(setImmediate);
      }
      assert.deepEqual(wholeState(session.state), stopped);
      const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
      assert.deepEqual(wholeState(reopened.state), stopped);
    });

    it('leaves one record of the end, however often it is asked for', async () => {
      const { window, session, running } = await openStreaming(windows, {}, '/long 300', 0);
      await Promise.all([session.conversation.stop(), session.conversation.stop(), session.conversation.stop()]);
      await running;
      await session.conversation.stop();
      const { events } = await readChat(window.store, session.id);
      assert.equal(events.filter(({ type }) => type.startsWith('run-') && type !== 'run-started').length, 1);
      assert.equal(events.filter(({ type }) => type === 'attempt-ended').length, 1);
    });

    it('sends the stopped reply with the next message', async () => {
      const { window, session, clock, stop } = await openStreaming(windows, {}, '/long 300', 30);
      await stop();
      const arrived = partialText(session);
      const next = session.conversation.send(SHORT);
      await stepUntil(clock, () => !session.conversation.isRunning, 'the next run ends');
      await next;
      assert.deepEqual(sentTexts(session.state), ['/long 300', arrived, SHORT, SHORT_REPLY]);
      assert.ok((window.model.bodies.at(-1) ?? '').includes(JSON.stringify(arrived)));
    });

    it('while a tool runs gives its call a result, so that the next request is valid', async () => {
      let started = false;
      const tools = {
        has: () => true,
        call: () => {
          started = true;
          // It ignores the signal.
          return new Promise<never>(() => undefined);
        },
      };
      const session = await windows.open({ tools }).chats.create();
      const running = session.conversation.send('/tool hang {}');
      await until(() => started, 'the tool runs');
      await session.conversation.stop();
      await running;
      const results = messages(session.state).findLast((message) => message.role === 'tool-results');
      assert.deepEqual(column(results?.parts, 'synthetic'), [true]);
      assert.deepEqual(runStatuses(session.state), ['stopped']);
      await session.conversation.send(SHORT);
      assert.equal(runStatuses(session.state).at(-1), 'committed');
    });
  });

  it('whose run a defect breaks off ends it, and the attempt that was open', async () => {
    const { window, session } = await windows.openChat({});
    const defect = new TypeError('x is undefined');
    let isArmed = true;
    session.onChange((change) => {
      if (change === 'progress' && isArmed) {
        isArmed = false;
        throw defect;
      }
    });
    await session.conversation.send(SHORT);
    assert.deepEqual(runStatuses(session.state), ['rolledBack']);
    const { end } = lastAttempt(session.state);
    assert.deepEqual(
      [end?.outcome, end?.error?.kind, end?.error?.message],
      ['failed', 'internal', [...session.state.runs.values()][0]?.error?.message],
    );
    assert.deepEqual(column(window.errors, 'cause'), [defect]);
    await session.conversation.send(SHORT);
    assert.deepEqual(runStatuses(session.state), ['rolledBack', 'committed']);
  });

  it('with a model that is gone says so, stays readable, and keeps the message', async () => {
    const { session } = await windows.openChat({}, SHORT);
    const gone = windows.open({ writerId: 'other', models: [] });
    const reopened = await gone.chats.open(session.id);
    assert.deepEqual(conversation(reopened.state), [`user: ${SHORT}`, `assistant: ${SHORT_REPLY}`]);
    await reopened.conversation.send('Are you there?');
    const run = [...reopened.state.runs.values()].at(-1);
    assert.deepEqual([run?.status, run?.error?.kind], ['rolledBack', 'modelGone']);
    assert.match(run?.error?.message ?? '', /^practice\/standard is no longer available\. Choose another model/);
    assert.deepEqual(unsentTexts(reopened.state), ['Are you there?']);
  });

  it('that is read-only refuses every change with the reason, and can be read', async () => {
    const { session } = await windows.openChat({}, SHORT);
    const { id } = lastUser(session.state);
    await writeNewerLine(windows.folder, session.id);
    const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
    assert.match(reopened.readOnly ?? '', /newer version/);
    const file = { type: 'file', name: 'a', includeMode: 'manual', addedHash: null, given: { inline: 'a' } } as const;
    const changes = [
      () => reopened.conversation.send('Hello'),
      () => reopened.conversation.edit(id, 'Hello'),
      () => reopened.conversation.retry(id),
      () => reopened.conversation.continueRun(),
      () => reopened.conversation.restoreBranch('x'),
      () => reopened.titler.rename('x'),
      () => reopened.context.add(file),
      () => reopened.context.remove(file),
      () => reopened.changeConfig({ systemPrompt: 'x' }),
    ];
    for (const change of changes) {
      const error = await rejection(change());
      assert.deepEqual([error.kind, error.message], ['invalidInput', reopened.readOnly]);
    }
    assert.deepEqual(conversation(reopened.state), conversation(session.state));
    assert.equal((await reopened.records.request(lastReply(reopened.state).id)).rebuilt.note, null);
  });
});
