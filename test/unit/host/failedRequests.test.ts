import assert from 'node:assert/strict';
import { column } from '../../support/columns.js';
import { SteppedClock, until } from '../../support/host/clocks.js';
import {
  conversation,
  EchoTool,
  lastAttempt,
  lastUser,
  messages,
  partialText,
  runStatuses,
  sentTexts,
  unsentTexts,
  wholeState,
} from '../../support/host/reading.js';
import { rejection } from '../../support/rejection.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';
import type { AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { failureOf } from '../../support/failures.js';

function hasEnded({ state }: ChatSession): boolean {
  const last: AttemptState | undefined = [...state.attempts.values()].at(-1);
  return last !== undefined && last.end !== null;
}

const SHORT = '/long 3';
const SHORT_REPLY = 'Practice text that.';

describe('a chat session', () => {
  const windows = useWindows();

  describe('a request that fails', () => {
    it('is rolled back: the message stays, unsent, with the reason', async () => {
      const { session } = await windows.openChat({}, SHORT, 'Do it\n/error 500');
      assert.deepEqual(runStatuses(session.state), ['committed', 'rolledBack']);
      assert.deepEqual(unsentTexts(session.state), ['Do it\n/error 500']);
      assert.deepEqual(sentTexts(session.state), [SHORT, SHORT_REPLY]);
      const run = [...session.state.runs.values()].at(-1);
      assert.deepEqual([run?.error?.kind, run?.error?.retryable], ['overloaded', true]);
    });

    it('is tried again, and the failed try is set aside', async () => {
      const { session } = await windows.openChat({});
      await session.changeConfig({ model: { provider: 'gone', model: 'model' } });
      await session.conversation.send(SHORT);
      assert.deepEqual(unsentTexts(session.state), [SHORT]);
      await session.changeConfig({ model: { provider: 'practice', model: 'standard' } });
      await session.conversation.retry(lastUser(session.state).id);
      assert.deepEqual(conversation(session.state), [`user: ${SHORT}`, `assistant: ${SHORT_REPLY}`]);
      assert.deepEqual(unsentTexts(session.state), []);
      const shown = session.state.timeline.flatMap((item) => (item.kind === 'run' ? [session.state.runs.get(item.runId)?.status] : []));
      assert.deepEqual(shown, ['committed']);
      assert.equal(session.state.rewinds.size, 1);
    });

    it('keeps the part of the reply that had arrived', async () => {
      const { session } = await windows.openChat({}, '/error cut');
      assert.deepEqual(runStatuses(session.state), ['rolledBack']);
      assert.equal(lastAttempt(session.state).end?.error?.kind, 'incomplete');
      assert.match(partialText(session), /^I'm the \*\*practice model\*\*/);
      const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
      assert.equal(partialText(reopened), partialText(session));
    });

    it('when later messages came after it, is sent again at the end, and nothing is set aside', async () => {
      const { session } = await windows.openChat({}, 'First\n/error 500');
      const failed = lastUser(session.state).id;
      await session.conversation.send(SHORT);
      await session.conversation.retry(failed);
      assert.equal(session.state.rewinds.size, 0);
      assert.deepEqual(column(messages(session.state), 'role'), ['user', 'user', 'assistant', 'user']);
      assert.deepEqual(sentTexts(session.state), [SHORT, SHORT_REPLY]);
    });

    it('after a tool ran keeps the complete round', async () => {
      const { session } = await windows.openChat({ tools: new EchoTool() }, '/tool echo {"n": 1}\n/error 500');
      assert.deepEqual(runStatuses(session.state), ['failed']);
      assert.deepEqual(unsentTexts(session.state), []);
      assert.deepEqual(column(messages(session.state), 'role'), ['user', 'assistant', 'tool-results']);
    });

    it('after a tool ran goes on from there, and the tool does not run again', async () => {
      const tools = new EchoTool();
      const window = windows.open({ tools });
      window.model.failures.push(null, failureOf('auth', 'The key is not valid.'));
      const session = await window.chats.create();
      await session.conversation.send('/tool echo {"n": 1}');
      assert.deepEqual(runStatuses(session.state), ['failed']);
      await session.conversation.continueRun();
      assert.deepEqual(runStatuses(session.state), ['failed', 'committed']);
      assert.deepEqual(tools.calls, ['{"n":1}']);
      assert.deepEqual(column(messages(session.state), 'role'), ['user', 'assistant', 'tool-results', 'assistant']);
      assert.match(conversation(session.state).at(-1) ?? '', /^assistant: The tool `echo` answered/);
      await session.conversation.send(SHORT);
      assert.equal(sentTexts(session.state).length, 6);
    });

    it('after a tool ran can be continued until that succeeds', async () => {
      const window = windows.open({ tools: new EchoTool() });
      const lost = failureOf('auth', 'The key is not valid.');
      window.model.failures.push(null, lost, lost);
      const session = await window.chats.create();
      await session.conversation.send('/tool echo {"n": 1}');
      await session.conversation.continueRun();
      await session.conversation.continueRun();
      assert.deepEqual(runStatuses(session.state), ['failed', 'rolledBack', 'committed']);
      assert.deepEqual(sentTexts(session.state).length, 4);
    });

    it('has nothing to continue where no tool ran', async () => {
      const session = await windows.open({}).chats.create();
      assert.equal((await rejection(session.conversation.continueRun())).message, 'There is no unfinished reply to continue.');
      await session.conversation.send('/error 500');
      assert.equal((await rejection(session.conversation.continueRun())).message, 'There is no unfinished reply to continue.');
      await session.conversation.send(SHORT);
      assert.equal((await rejection(session.conversation.continueRun())).message, 'There is no unfinished reply to continue.');
    });
  });

  describe('a request that fails for now', () => {
    it('is made again, and nothing of the failures is in the conversation', async () => {
      const { window, session } = await windows.openChat({}, '/error 503 times 2');
      assert.deepEqual(runStatuses(session.state), ['committed']);
      assert.deepEqual(column(messages(session.state), 'role'), ['user', 'assistant']);
      const numbers = [...session.state.attempts.values()].map(({ end }) => end?.retry?.number ?? null);
      assert.deepEqual(numbers, [1, 2, null]);
      assert.equal(new Set(window.model.bodies).size, 1);
      const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
      assert.deepEqual(wholeState(reopened.state), wholeState(session.state));
    });

    it('waits as long as it is asked to, and Stop ends the wait', async () => {
      const clock = new SteppedClock();
      const session = await windows.open({ clock }).chats.create();
      const running = session.conversation.send('/error 429 wait 100');
      await until(() => hasEnded(session), 'the request has failed');
      assert.deepEqual(lastAttempt(session.state).end?.retry, { at: clock.now() + 100_000, number: 1, most: 4 });
      await session.conversation.stop();
      await running;
      assert.deepEqual(runStatuses(session.state), ['stopped']);
      assert.equal(session.state.attempts.size, 1);
    });

    it('holds the files as they are then', async () => {
      const files = new MemoryFiles();
      files.texts.set('a.ts', 'let before;');
      const { window, session } = await windows.openChat({ files });
      await session.context.add({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: null, given: null });
      window.model.failures.push(failureOf('overloaded', 'Busy.'));
      session.onChange(() => {
        if (hasEnded(session)) {
          files.texts.set('a.ts', 'let after;');
        }
      });
      await session.conversation.send(SHORT);
      assert.deepEqual(
        window.model.bodies.map((body) => [body.includes('let before;'), body.includes('let after;')]),
        [
          [true, false],
          [false, true],
        ],
      );
    });
  });
});
