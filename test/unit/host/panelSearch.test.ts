import assert from 'node:assert/strict';
import type { LoupeError } from '../../../src/engine/errors.js';
import { PanelSearch } from '../../../src/host/search/panelSearch.js';
import type { SearchResults } from '../../../src/protocol/panel/search.js';
import type { SearchHit } from '../../../src/storage/search/searchHits.js';
import type { SearchQuery } from '../../../src/storage/search/search.js';
import { columns } from '../../support/columns.js';
import { failureOf } from '../../support/failures.js';
import { RunningClock } from '../../support/host/clocks.js';
import { readyPanel } from '../../support/host/panel.js';
import { useWindows } from '../../support/host/window.js';

const HIT: SearchHit = {
  chatId: 'c',
  messageId: 'm',
  role: 'assistant',
  timestamp: 5,
  excerpt: 'A **lone surrogate**',
  matchStart: 9,
  matchLength: 9,
};

interface Rig {
  readonly search: PanelSearch;
  readonly told: SearchResults[];
  readonly asked: SearchQuery[];
}

function rig(hits: readonly SearchHit[], unreadable: readonly (string | null)[], thrown: LoupeError | null): Rig {
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
    assert.deepEqual(
      webview.received.filter(({ type }) => type === 'reveal'),
      [{ type: 'reveal', entryId: message?.messageId, text: 'anemometer' }],
    );
  });
});
