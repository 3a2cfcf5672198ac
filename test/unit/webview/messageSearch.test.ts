import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { FoundMessage, PanelSearchRole, SearchResults } from '../../../src/protocol/panel/toWebview.js';
import { byChat } from '../../../webview/chat/search/foundMessages.js';
import { MessageSearch, SLOW_MS, summary } from '../../../webview/chat/search/messageSearch.js';

function message(chatId: string, messageId: string): FoundMessage {
  return { chatId, chatTitle: chatId, messageId, role: 'user', at: 1, before: '', match: 'x', after: '' };
}

function results(text: string, role: PanelSearchRole, messages: readonly FoundMessage[]): SearchResults {
  return { type: 'searchResults', text, role, messages, isCut: false, unread: 0, failure: null };
}

describe('The search for messages in the list of chats', () => {
  let posted: string[];
  let answered: string[];
  let search: MessageSearch;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    posted = [];
    answered = [];
    search = new MessageSearch({
      post: ({ text, role }) => posted.push(`${text}|${role}`),
      answered: (found) => answered.push(summary(found)),
      changed: () => undefined,
    });
  });

  afterEach(() => {
    mock.timers.reset();
  });

  it('calls who waits for the answer: at once without a search, else after its answer, and not after another question', () => {
    const calls: string[] = [];
    search.whenFound(() => calls.push('none under way'));
    search.type('su');
    search.whenFound(() => calls.push('su'));
    search.type('sur');
    search.take(results('sur', 'all', []));
    assert.deepEqual(calls, ['none under way']);
    search.type('surr');
    search.whenFound(() => calls.push('surr'));
    mock.timers.tick(SLOW_MS);
    search.take(results('surr', 'all', []));
    search.type('surro');
    search.whenFound(() => calls.push('surro'));
    search.cancel();
    assert.deepEqual(calls, ['none under way', 'surr']);
  });

  it('asks from two letters on, takes the answer to the latest question only, and tells it once', () => {
    search.type('s');
    assert.deepEqual([posted, search.stage], [[], 'none']);
    search.type('su');
    search.type('sur');
    search.take(results('su', 'all', [message('a', '1')]));
    assert.equal(search.results, null);
    search.take(results('sur', 'all', [message('a', '2'), message('b', '3'), message('a', '4')]));
    assert.deepEqual(posted, ['su|all', 'sur|all']);
    assert.deepEqual([search.stage, answered], ['found', ['3 messages in 2 chats']]);
  });

  it('asks again for the messages of one speaker, and keeps what it found until then', () => {
    search.type('sur');
    search.take(results('sur', 'all', [message('a', '2')]));
    search.choose('user');
    assert.deepEqual([posted.at(-1), search.stage, search.results?.messages.length], ['sur|user', 'searching', 1]);
    search.take(results('sur', 'all', []));
    assert.equal(search.stage, 'searching', 'the answer for all comes too late');
    search.take(results('sur', 'user', []));
    assert.deepEqual(search.results?.messages, []);
  });

  it('forgets what it found when the text gets too short', () => {
    search.type('sur');
    search.take(results('sur', 'all', [message('a', '2')]));
    search.type(' s ');
    assert.deepEqual([search.stage, search.results], ['none', null]);
    search.take(results('sur', 'all', [message('a', '2')]));
    assert.equal(search.results, null);
  });

  it('shows after a second that it goes on, and can be cancelled', () => {
    search.type('sur');
    mock.timers.tick(SLOW_MS - 1);
    assert.equal(search.stage, 'searching');
    mock.timers.tick(1);
    assert.equal(search.stage, 'slow');
    search.cancel();
    assert.deepEqual([search.stage, posted.at(-1)], ['cancelled', '|all']);
    search.take(results('sur', 'all', [message('a', '2')]));
    assert.deepEqual([search.stage, answered], ['cancelled', []]);
    search.type('surr');
    mock.timers.tick(SLOW_MS);
    search.take(results('surr', 'all', []));
    mock.timers.tick(SLOW_MS);
    assert.equal(search.stage, 'found');
    search.cancel();
    assert.equal(posted.at(-1), 'surr|all', 'there is nothing to cancel');
  });

  it('groups the messages by chat, and counts them', () => {
    const found = [message('b', '1'), message('a', '2'), message('b', '3')];
    assert.deepEqual(
      byChat(found).map(([chatId, messages]) => [chatId, messages.map(({ messageId }) => messageId)]),
      [
        ['b', ['1', '3']],
        ['a', ['2']],
      ],
    );
    assert.equal(summary({ messages: [message('a', '1')], isCut: false }), '1 message in 1 chat');
    assert.equal(summary({ messages: found, isCut: true }), 'Latest 3 messages in 2 chats');
  });
});
