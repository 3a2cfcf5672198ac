import assert from 'node:assert/strict';
import { attemptUsages } from '../../../src/engine/accounting/attemptUsage.js';
import { addTotals, attemptTotals, ledgerTotals, spentTotals } from '../../../src/engine/chat/ledger.js';
import type { UsageTotals } from '../../../src/engine/model/usage.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import {
  conversation,
  EchoTool,
  lastAccounting,
  lastReply,
  lastUser,
  messages,
  sentTexts,
  unsentTexts,
  wholeState,
} from '../../support/host/reading.js';
import { rejection } from '../../support/rejection.js';
import { useWindows } from '../../support/host/window.js';
import { failureOf } from '../../support/failures.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';

const REPLIES: Readonly<Record<string, string>> = { '/long 1': 'Practice.', '/long 2': 'Practice text.', '/long 3': 'Practice text that.' };

function exchange(...texts: string[]): string[] {
  return texts.flatMap((text) => [`user: ${text}`, `assistant: ${REPLIES[text] ?? '?'}`]);
}

function idOf(session: ChatSession, text: string): string {
  const found = messages(session.state).find((message) => message.role === 'user' && JSON.stringify(message).includes(text));
  assert.ok(found);
  return found.id;
}

function discardedInUsage({ state }: ChatSession): UsageTotals {
  assert.ok(state.extent === 'whole');
  return spentTotals(attemptUsages(state).filter(({ isDiscarded }) => isDiscarded));
}

describe('going back in a chat', () => {
  const windows = useWindows();

  async function talk(...texts: string[]): Promise<ChatSession> {
    const session = await windows.open({}).chats.create();
    for (const text of texts) {
      await session.conversation.send(text);
    }
    return session;
  }

  async function reopened(session: ChatSession): Promise<ChatSession> {
    return windows.open({ writerId: 'other' }).chats.open(session.id);
  }

  describe('editing a message', () => {
    it('replaces it and sets aside what followed', async () => {
      const session = await talk('/long 1', '/long 2', '/long 3');
      await session.conversation.edit(idOf(session, '/long 2'), '/long 3');
      assert.deepEqual(conversation(session.state), exchange('/long 1', '/long 3'));
      assert.deepEqual(conversation((await reopened(session)).state), exchange('/long 1', '/long 3'));
    });

    it('works on the first message', async () => {
      const session = await talk('/long 1', '/long 2');
      await session.conversation.edit(idOf(session, '/long 1'), '/long 3');
      assert.deepEqual(conversation(session.state), exchange('/long 3'));
    });

    it('is accounted for: how many messages, and what all attempts so far used', async () => {
      const session = await talk('/long 1', '/long 2', '/long 3');
      const before = ledgerTotals(session.state);
      await session.conversation.edit(idOf(session, '/long 2'), '/long 1');
      const { reason, discardedMessages, totals } = lastAccounting(session.state);
      assert.deepEqual([reason, discardedMessages], ['edited', 4]);
      assert.deepEqual(totals, before);
      assert.equal(totals.attempts, 3);
    });

    it('is accounted for with what gave way had used, and whether that had ended early', async () => {
      const session = await talk('/long 1', '/long 2', '/error 401');
      const [second, third] = [idOf(session, '/long 2'), idOf(session, '/error 401')];
      const usedBy = (id: string): UsageTotals => {
        const runs = [...session.state.runs.values()].filter(({ userMessageId }) => userMessageId === id);
        return attemptTotals(runs.flatMap(({ attemptIds }) => attemptIds.flatMap((each) => session.state.attempts.get(each) ?? [])));
      };
      const failed = usedBy(third);
      await session.conversation.retry(third);
      assert.deepEqual([lastAccounting(session.state).discarded, lastAccounting(session.state).isAfterError], [failed, true]);
      await session.conversation.edit(second, '/long 3');
      const { discarded, totals } = lastAccounting(session.state);
      assert.ok(discarded !== undefined && discarded.attempts > 0 && discarded.attempts < totals.attempts);
      // The first try of the failed message was replaced before.
      assert.deepEqual(addTotals(discarded, failed), addTotals(usedBy(second), usedBy(third)));
      await session.conversation.retry(idOf(session, '/long 3'));
      assert.equal(lastAccounting(session.state).isAfterError, undefined);
    });

    it('is no retry after an error if only a later message has failed', async () => {
      const session = await talk('/long 1', '/error 401');
      await session.conversation.retry(idOf(session, '/long 1'));
      assert.equal(lastAccounting(session.state).isAfterError, undefined);
    });

    it('does not count the failed request of an earlier message, which stays where it was', async () => {
      const session = await talk('/error 401', '/long 2');
      await session.conversation.edit(idOf(session, '/long 2'), '/long 3');
      const { discarded } = lastAccounting(session.state);
      assert.equal(discarded?.attempts, 1);
      assert.deepEqual(discardedInUsage(session), discarded);
    });

    it('keeps what was set aside in the totals', async () => {
      const session = await talk('/long 1', '/long 2');
      const before = ledgerTotals(session.state);
      await session.conversation.edit(idOf(session, '/long 1'), '/long 3');
      const after = ledgerTotals(session.state);
      assert.equal(after.attempts, before.attempts + 1);
      assert.ok(after.completionTokens > before.completionTokens);
      assert.deepEqual(ledgerTotals((await reopened(session)).state), after);
    });

    it('keeps the messages before it as they were, also one whose reply was stopped before its first word', async () => {
      const { window, session } = await windows.openChat({});
      const stopped = session.conversation.send('First');
      await session.conversation.stop();
      await stopped;
      await session.conversation.send('/long 1');
      const { id } = lastUser(session.state);
      const preview = await session.next.preview({ text: '/long 2', editing: id });
      await session.conversation.edit(id, '/long 2');
      assert.deepEqual(sentTexts(session.state), ['First', '/long 2', 'Practice text.']);
      assert.equal(window.model.bodies.at(-1), preview.wire().body);
      assert.deepEqual(sentTexts((await reopened(session)).state), sentTexts(session.state));
    });

    it('refuses an empty text, and a message that is not there, and changes nothing', async () => {
      const session = await talk('/long 1');
      const before = wholeState(session.state);
      assert.equal((await rejection(session.conversation.edit(lastUser(session.state).id, ' '))).message, 'The message is empty.');
      const replyId = lastReply(session.state).id;
      for (const id of ['unknown', replyId]) {
        assert.match((await rejection(session.conversation.edit(id, 'x'))).message, /This message no longer exists/);
      }
      assert.deepEqual(wholeState(session.state), before);
    });
  });

  describe('retrying', () => {
    it('answers the message anew, under the same id', async () => {
      const session = await talk('/long 1', '/long 2');
      const id = idOf(session, '/long 1');
      await session.conversation.retry(id);
      assert.deepEqual(conversation(session.state), exchange('/long 1'));
      assert.equal(lastUser(session.state).id, id);
      const { reason, discardedMessages, totals } = lastAccounting(session.state);
      assert.deepEqual([reason, discardedMessages, totals.attempts], ['retried', 3, 2]);
    });

    it('has Usage count the replies that gave way as discarded, with the figures of its line, until they are brought back', async () => {
      const session = await talk('/long 1', '/long 2');
      await session.conversation.retry(idOf(session, '/long 2'));
      const { discarded, rewindId } = lastAccounting(session.state);
      assert.equal(discarded?.attempts, 1);
      assert.deepEqual(discardedInUsage(session), discarded);
      assert.deepEqual(discardedInUsage(await reopened(session)), discarded);
      await session.conversation.restoreBranch(rewindId);
      assert.deepEqual(discardedInUsage(session), lastAccounting(session.state).discarded);
    });

    it('does not discard a title that the chat still has', async () => {
      const { session } = await windows.openChat({ models: BILLED_MODELS }, '/long 1');
      await session.titler.generate();
      await session.conversation.retry(lastUser(session.state).id);
      const { discarded } = lastAccounting(session.state);
      assert.deepEqual(discardedInUsage(session), discarded);
    });
  });

  describe('bringing back', () => {
    it('restores what an edit set aside, and can be undone', async () => {
      const session = await talk('/long 1', '/long 2');
      await session.conversation.edit(idOf(session, '/long 2'), '/long 3');
      await session.conversation.restoreBranch(lastAccounting(session.state).rewindId);
      assert.deepEqual(conversation(session.state), exchange('/long 1', '/long 2'));
      const note = lastAccounting(session.state);
      // Outside of the restored branch: the edited message and its reply.
      assert.deepEqual([note.reason, note.discardedMessages, note.totals.attempts], ['broughtBack', 2, 3]);
      await session.conversation.restoreBranch(note.rewindId);
      assert.deepEqual(conversation(session.state), exchange('/long 1', '/long 3'));
      assert.deepEqual(wholeState((await reopened(session)).state), wholeState(session.state));
    });

    it('goes on where the branch had ended', async () => {
      const session = await talk('/long 1', '/long 2');
      await session.conversation.retry(idOf(session, '/long 1'));
      await session.conversation.restoreBranch(lastAccounting(session.state).rewindId);
      await session.conversation.send('/long 3');
      assert.deepEqual(conversation(session.state), exchange('/long 1', '/long 2', '/long 3'));
      assert.deepEqual(sentTexts(session.state).length, 6);
    });

    it('refuses a branch that is not there', async () => {
      const session = await talk('/long 1');
      const error = await rejection(session.conversation.restoreBranch('unknown'));
      assert.deepEqual([error.kind, error.message], ['invalidInput', 'This branch of the chat no longer exists.']);
    });
  });

  describe('clearing', () => {
    it('begins a fresh chat with the context and the settings, and leaves the other as it was', async () => {
      const { window, session } = await windows.openChat({}, '/long 1');
      await session.context.add({ type: 'file', name: 'a', includeMode: 'manual', addedHash: null, given: { inline: 'a' } });
      await session.changeConfig({ systemPrompt: 'Be brief.' });
      const before = wholeState(session.state);
      const fresh = await window.chats.fresh(session);
      assert.notEqual(fresh.id, session.id);
      assert.deepEqual(messages(fresh.state), []);
      assert.deepEqual([...fresh.state.context.keys()], ['file:a']);
      assert.equal(fresh.state.config.systemPrompt, 'Be brief.');
      assert.equal(fresh.state.parent, null);
      assert.deepEqual(wholeState(session.state), before);
      assert.deepEqual(new Set(window.chats.list().map(({ id }) => id)), new Set([session.id, fresh.id]));
      assert.equal(await window.chats.fresh(fresh), fresh, 'one in which nothing was said is fresh already');
    });
  });

  describe('forking', () => {
    it('makes a chat of its own with the conversation up to the message, the context and the settings', async () => {
      const { window, session } = await windows.openChat({});
      await session.context.add({ type: 'file', name: 'a', includeMode: 'manual', addedHash: null, given: { inline: 'a' } });
      await session.changeConfig({ systemPrompt: 'Be brief.' });
      await session.conversation.send('/long 1');
      const at = lastReply(session.state).id;
      await session.conversation.send('/long 2');
      const before = wholeState(session.state);
      const fork = await window.chats.fork(session, at);
      assert.notEqual(fork.id, session.id);
      assert.deepEqual(fork.state.parent, { chatId: session.id, messageId: at });
      assert.deepEqual(conversation(fork.state), exchange('/long 1'));
      assert.deepEqual([...fork.state.context], [...session.state.context]);
      assert.deepEqual(fork.state.config, session.state.config);
      assert.equal(fork.state.title, '/long 1 (fork)');
      await fork.conversation.send('/long 3');
      assert.deepEqual(conversation(fork.state), exchange('/long 1', '/long 3'));
      assert.deepEqual(wholeState(session.state), before);
      assert.deepEqual(wholeState((await reopened(fork)).state), wholeState(fork.state));
    });

    it('counts its own attempts only', async () => {
      const { window, session } = await windows.openChat({}, '/long 1');
      const fork = await window.chats.fork(session, lastReply(session.state).id);
      assert.equal(ledgerTotals(fork.state).attempts, 0);
      await fork.conversation.send('/long 2');
      assert.equal(ledgerTotals(fork.state).attempts, 1);
      assert.equal(ledgerTotals(session.state).attempts, 1);
    });

    it('shows what its copied replies used as inherited, and what its own used as its own', async () => {
      const { window, session } = await windows.openChat({}, '/long 1');
      const fork = await window.chats.fork(session, lastReply(session.state).id);
      await fork.conversation.send('/long 2');
      const used = ({ state }: ChatSession) =>
        new EntryViews(() => ANY_MODEL).derive(state, 50).entries.flatMap((entry) => (entry.kind === 'assistant' ? [entry.usage] : []));
      const [inherited, own] = used(await reopened(fork));
      assert.deepEqual([inherited?.inherited, own?.inherited], [true, false]);
      assert.deepEqual(used(session), [{ ...inherited, inherited: false }]);
    });

    it('takes the results of the tool calls along', async () => {
      const { window, session } = await windows.openChat({ tools: new EchoTool() }, '/tool echo {}');
      const calling = messages(session.state).find(({ role }) => role === 'assistant');
      const fork = await window.chats.fork(session, calling?.id ?? '');
      assert.deepEqual(conversation(fork.state).at(-1), 'tool-results: Echo of {}');
    });

    it('has a line behind what was copied, with the results of its tool calls, that names the chat and the place', async () => {
      const { window, session } = await windows.openChat({ tools: new EchoTool() }, '/tool echo {}');
      const kinds = ({ state }: ChatSession): readonly string[] =>
        new EntryViews(() => ANY_MODEL).derive(state, 50).entries.map(({ kind }) => kind);
      const calling = messages(session.state).find(({ role }) => role === 'assistant');
      assert.ok(calling?.role === 'assistant');
      const fork = await window.chats.fork(session, calling.attemptId);
      assert.deepEqual(kinds(fork), ['user', 'assistant', 'fork']);
      await fork.conversation.send('/long 1');
      assert.deepEqual(kinds(await reopened(fork)), ['user', 'assistant', 'fork', 'user', 'assistant']);
      const line = new EntryViews(() => ANY_MODEL).derive(fork.state, 50).entries.find(({ kind }) => kind === 'fork');
      assert.deepEqual(line, { kind: 'fork', id: 'fork', chatId: session.id, messageId: calling.attemptId, sentAgain: null });
      assert.ok(!kinds(session).includes('fork'));
    });

    it('marks a copied message as unsent when its retry fails, as any other', async () => {
      const { window, session } = await windows.openChat({}, '/long 1');
      const fork = await window.chats.fork(session, lastReply(session.state).id);
      window.model.failures.push(failureOf('auth', 'The key is not valid.'));
      await fork.conversation.retry(lastUser(fork.state).id);
      assert.deepEqual([sentTexts(fork.state), unsentTexts(fork.state)], [[], ['/long 1']]);
      await fork.conversation.retry(lastUser(fork.state).id);
      assert.deepEqual([sentTexts(fork.state), unsentTexts(fork.state)], [['/long 1', 'Practice.'], []]);
    });

    it('is refused at what was never answered', async () => {
      const { window, session } = await windows.openChat({}, '/error 500');
      const error = await rejection(window.chats.fork(session, lastUser(session.state).id));
      assert.match(error.message, /not part of the conversation/);
    });
  });
});
