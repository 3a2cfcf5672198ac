import assert from 'node:assert/strict';
import { LoupeError } from '../../../src/engine/errors.js';
import { checkedQuery, type HistoryResults } from '../../../src/host/search/searchHistory.js';
import { searchRows } from '../../../src/host/search/searchRows.js';
import { TypedSearch, type TypedSearchState } from '../../../src/host/search/typedSearch.js';
import type { ApiSearchResult } from '../../../src/protocol/api/api.js';
import { column, columns } from '../../support/columns.js';
import { SteppedClock, stepUntil, RunningClock } from '../../support/host/clocks.js';
import { openPanel, readyPanel } from '../../support/host/panel.js';
import { useWindows } from '../../support/host/window.js';
import { failureOf } from '../../support/failures.js';
import { PanelSearch } from '../../../src/host/search/panelSearch.js';
import type { SearchResults } from '../../../src/protocol/panel/toWebview.js';
import type { SearchHit } from '../../../src/storage/search/searchHits.js';
import type { SearchQuery } from '../../../src/storage/search/search.js';

const RESULT: ApiSearchResult = {
  chatId: 'sess_1_aaaaaa',
  chatTitle: 'A chat',
  messageId: 'm',
  role: 'assistant',
  excerpt: 'the $(gear) in it',
  matchStart: 4,
  matchLength: 3,
  timestamp: 1_000,
};

describe('searchHistory of the API', () => {
  const windows = useWindows();

  it('gives plain JSON values, with the title of the chat and the place of the match', async () => {
    const { api } = openPanel(windows.open({}), { currentChat: undefined });
    const chatId = await api.newChat();
    await api.sendMessage('Where is the Gauge of the river?', { chatId });
    const results = await api.searchHistory('gauge', { role: 'user' });
    const [first] = results;
    assert.deepEqual(JSON.parse(JSON.stringify(results)), results);
    assert.deepEqual(
      [results.length, first?.chatId, first?.chatTitle, first?.role],
      [1, chatId, 'Where is the Gauge of the river?', 'user'],
    );
    assert.equal(first?.excerpt.slice(first.matchStart, first.matchStart + first.matchLength), 'Gauge');
    const { messages } = await api.getChat(chatId);
    assert.deepEqual([first.messageId, first.timestamp], [messages[0]?.id, messages[0]?.timestamp]);
  });

  it('finds in all chats without having listed them, and names them', async () => {
    const before = windows.open({ writerId: 'before' });
    const { api: old } = openPanel(before, { currentChat: undefined });
    await old.sendMessage('a barometer', { chatId: await old.newChat() });
    await old.sendMessage('two Barometers', { chatId: await old.newChat() });
    const { api } = openPanel(windows.open({ writerId: 'after' }), { currentChat: undefined });
    const found = await api.searchHistory('BAROMETER', { role: 'user' });
    assert.deepEqual(column(found, 'chatTitle'), ['two Barometers', 'a barometer']);
    assert.equal((await api.searchHistory('BAROMETER', { role: 'user', limit: 1 })).length, 1);
    assert.deepEqual(await api.searchHistory(''), []);
  });

  it('finds a reply that streams in once, and its message when it has ended', async () => {
    const clock = new SteppedClock();
    const window = windows.open({ clock });
    const { api } = openPanel(window, { currentChat: undefined });
    const session = await window.chats.create();
    const run = session.conversation.send('/slow');
    const text = (): string =>
      [...session.state.attempts.values()]
        .flatMap(({ reply }) => reply.flatMap((part) => (part?.type === 'text' ? [part.text] : [])))
        .join('');
    await stepUntil(clock, () => text().length > 10, 'some text');
    const attempt = [...session.state.attempts.keys()].at(-1);
    assert.deepEqual(column(await api.searchHistory(text(), { role: 'assistant' }), 'messageId'), [attempt]);
    const half = text();
    await stepUntil(clock, () => !session.conversation.isRunning, 'the end');
    await run;
    const reply = (await api.getChat(session.id)).messages.findLast(({ role }) => role === 'assistant');
    assert.deepEqual(column(await api.searchHistory(half, { role: 'assistant' }), 'messageId'), [reply?.id]);
  });

  it('does not find a deleted chat until it is brought back', async () => {
    const { api, shown } = openPanel(windows.open({}), { currentChat: undefined });
    const chatId = await api.newChat();
    await api.sendMessage('a thermometer', { chatId });
    await shown.delete(chatId);
    assert.deepEqual(await api.searchHistory('thermometer'), []);
    await shown.undoDelete(chatId);
    assert.notDeepEqual(await api.searchHistory('thermometer'), []);
  });

  it('refuses what is no text, no role and no limit', () => {
    const message = (text: unknown, options: unknown): string => {
      try {
        checkedQuery(text, options);
        return '';
      } catch (thrown) {
        return thrown instanceof LoupeError && thrown.kind === 'invalidInput' ? thrown.message : String(thrown);
      }
    };
    assert.deepEqual(checkedQuery('x', undefined), { text: 'x', role: null, limit: 50 });
    assert.deepEqual(checkedQuery('x', { role: 'title', limit: 3 }), { text: 'x', role: 'title', limit: 3 });
    assert.match(message(7, undefined), /must be text/);
    assert.match(message('x', 7), /must be an object/);
    assert.match(message('x', { role: 'accounting' }), /user, assistant, tool-results, summary, title/);
    for (const limit of [0, -1, 1.5, '3', NaN]) {
      assert.match(message('x', { limit }), /whole number above 0/);
    }
  });
});

interface Search {
  readonly text: string;
  readonly signal: AbortSignal;
  readonly end: (results: HistoryResults) => void;
  readonly fail: (error: Error) => void;
}

describe('search while typing', () => {
  const clock = new SteppedClock();
  const found: HistoryResults = { results: [RESULT], failures: [] };
  let states: TypedSearchState[];
  let searches: Search[];
  let typed: TypedSearch;
  beforeEach(() => {
    states = [];
    searches = [];
    typed = new TypedSearch({
      clock,
      show: (state) => {
        states.push(state);
      },
      search: (text, signal) =>
        new Promise((resolve, reject) => {
          searches.push({ text, signal, end: resolve, fail: reject });
        }),
    });
  });
  const under = (index: number): Search => {
    const search = searches[index];
    assert.ok(search);
    return search;
  };
  const kinds = (): string[] => states.map(({ kind }) => kind);

  it('waits for a pause, then searches for the latest text only', async () => {
    const first = typed.type('ga');
    const second = typed.type('gauge');
    await first;
    assert.deepEqual(searches, []);
    await stepUntil(clock, () => searches.length > 0, 'a search');
    assert.deepEqual(column(searches, 'text'), ['gauge']);
    under(0).end(found);
    await second;
    assert.deepEqual(kinds(), ['searching', 'searching', 'found']);
  });

  it('cancels the search under way when the text changes, and shows nothing of it', async () => {
    const first = typed.type('ga');
    await stepUntil(clock, () => searches.length === 1, 'a search');
    const second = typed.type('gauge');
    const overtaken = under(0);
    assert.equal(overtaken.signal.aborted, true);
    overtaken.end(found);
    await first;
    assert.deepEqual(kinds(), ['searching', 'searching']);
    await stepUntil(clock, () => searches.length === 2, 'the other search');
    under(1).end({ results: [], failures: [] });
    await second;
    assert.deepEqual(states.at(-1), { kind: 'found', results: [], failures: [] });
  });

  it('shows nothing for an empty text, and a failure as one', async () => {
    await typed.type(' ');
    assert.deepEqual(states, [{ kind: 'idle' }]);
    const failing = typed.type('gauge');
    await stepUntil(clock, () => searches.length === 1, 'a search');
    under(0).fail(failureOf('storage', 'The disk is gone.'));
    await failing;
    assert.equal(states.at(-1)?.kind, 'failed');
  });
});

describe('the rows of the search', () => {
  it('show the chat, who said it when, and the excerpt, in which nothing becomes an icon', () => {
    assert.deepEqual(searchRows({ kind: 'found', results: [RESULT], failures: [] }, 7_201_000), [
      {
        label: 'A chat',
        description: 'Assistant · 2 h',
        detail: 'the $\u200b(gear) in it',
        choice: { type: 'chat', chatId: 'sess_1_aaaaaa', messageId: 'm' },
      },
    ]);
  });

  it('say when nothing was found, when the search failed, and when a part could not be read', () => {
    const error = failureOf('storage', 'The disk is gone.');
    const labels = (state: TypedSearchState): string[] | undefined =>
      searchRows(state, 0)?.map(({ label, detail, choice }) => `${label}|${detail}|${choice.type}`);
    assert.deepEqual(labels({ kind: 'found', results: [], failures: [] }), ['Nothing found||none']);
    assert.deepEqual(labels({ kind: 'failed', error }), ['$(error) The search failed|The disk is gone.|log']);
    const failures = [
      { chatId: 'a', error },
      { chatId: 'a', error },
      { chatId: 'b', error },
    ];
    assert.deepEqual(labels({ kind: 'found', results: [], failures }), [
      'Nothing found||none',
      '$(warning) Loupe could not search 2 chats completely|The disk is gone.|log',
    ]);
    assert.deepEqual(labels({ kind: 'found', results: [], failures: [{ chatId: null, error }] }), [
      'Nothing found||none',
      '$(warning) Loupe could search only the open chats|The disk is gone.|log',
    ]);
    assert.deepEqual([labels({ kind: 'idle' }), labels({ kind: 'searching' })], [[], undefined]);
  });
});

const HIT: SearchHit = {
  chatId: 'c',
  messageId: 'm',
  role: 'assistant',
  timestamp: 5,
  excerpt: 'A **lone surrogate**',
  matchStart: 9,
  matchLength: 9,
};

function rig(hits: readonly SearchHit[], unreadable: readonly (string | null)[], thrown: LoupeError | null) {
  const told: SearchResults[] = [];
  const asked: SearchQuery[] = [];
  const failures = unreadable.map((chatId) => ({ chatId, error: failureOf('storage', 'Gone.') }));
  const chats = {
    search: (query: SearchQuery) => {
      asked.push(query);
      return thrown === null ? Promise.resolve({ hits, failures }) : Promise.reject(thrown);
    },
    titleOf: (chatId: string) => Promise.resolve(`Title of ${chatId}`),
  };
  const tell = (results: SearchResults): void => {
    told.push(results);
  };
  return { search: new PanelSearch({ chats, clock: new RunningClock(), tell }), told, asked };
}

describe('The search of the panel', () => {
  const windows = useWindows();

  it('tells the messages as values, with the title of their chat and without titles among them', async () => {
    const { search, told } = rig([HIT, { ...HIT, messageId: null, role: 'title' }], [], null);
    await search.query('surrogate', 'all');
    assert.deepEqual(told, [
      {
        type: 'searchResults',
        text: 'surrogate',
        role: 'all',
        messages: [
          {
            chatId: 'c',
            chatTitle: 'Title of c',
            messageId: 'm',
            role: 'assistant',
            at: 5,
            before: 'A lone ',
            match: 'surrogate',
            after: '',
          },
        ],
        isCut: false,
        unread: 0,
        failure: null,
      },
    ]);
  });

  it('begins with two letters, and tells only of the latest text', async () => {
    const { search, told, asked } = rig([HIT], [], null);
    await search.query('s', 'all');
    await search.query(' s ', 'all');
    assert.deepEqual([told, asked], [[], []]);
    await Promise.all([search.query('su', 'all'), search.query('sur', 'user')]);
    assert.deepEqual(columns(asked, 'text', 'role'), [['sur', 'user']]);
    assert.deepEqual(columns(told, 'text', 'role'), [['sur', 'user']]);
    await Promise.all([search.query('surr', 'all'), search.query('', 'all')]);
    assert.equal(told.length, 1, 'an empty text ends the search');
  });

  it('tells that there may be more, what could not be read, and why it failed', async () => {
    const many = rig(
      Array.from({ length: 200 }, () => HIT),
      ['a', 'a', 'b'],
      null,
    );
    await many.search.query('lone', 'all');
    assert.deepEqual([many.told[0]?.isCut, many.told[0]?.unread], [true, 2]);
    const unlisted = rig([], ['a', null], null);
    await unlisted.search.query('lone', 'all');
    assert.equal(unlisted.told[0]?.unread, 'all');
    const failing = rig([], [], failureOf('storage', 'The disk is gone.'));
    await failing.search.query('lone', 'all');
    assert.equal(failing.told[0]?.failure, 'The disk is gone.');
  });

  it('finds in the messages of real chats, and the panel opens them with the text to be marked', async () => {
    const window = windows.open({});
    const { chats, webview, say, shown } = await readyPanel(window);
    const asked = await chats.create();
    await asked.conversation.send('Where is the Anemometer?');
    const told: SearchResults[] = [];
    const search = new PanelSearch({ chats, clock: new RunningClock(), tell: (results) => told.push(results) });
    await search.query('anemometer', 'user');
    const [message] = told[0]?.messages ?? [];
    assert.deepEqual([message?.chatId, message?.match, message?.role], [asked.id, 'Anemometer', 'user']);
    assert.notEqual((await shown.current()).id, asked.id);
    await say({ type: 'openMessage', chatId: asked.id, messageId: message?.messageId ?? '', found: 'anemometer' });
    assert.equal(webview.state.chat?.id, asked.id);
    const revealed = webview.received.filter(({ type }) => type === 'reveal');
    assert.deepEqual(revealed, [{ type: 'reveal', entryId: message?.messageId, text: 'anemometer' }]);
  });
});
