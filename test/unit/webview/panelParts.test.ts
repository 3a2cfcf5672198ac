import assert from 'node:assert/strict';
import type { ChatListItem } from '../../../src/protocol/panel/view.js';
import { isAnsweredElsewhere } from '../../../webview/chat/notices/answeredElsewhere.js';
import { carriesFiles, droppedUris, isImageAlone } from '../../../webview/chat/composer/dropFiles.js';
import { chatGroups, filterChats } from '../../../webview/chat/chatList/chatGroups.js';
import { parseInteger } from '../../../webview/chat/settings/integerSetting.js';
import { Disclosures } from '../../../webview/shared/controls/disclosures.js';
import { splitName, splitPaths } from '../../../webview/shared/paths.js';
import { column } from '../../support/columns.js';
import { markup, words } from '../../support/webview/markup.js';
import { LISTED_CHAT } from '../../support/listedChat.js';
import { cutTitle } from '../../../webview/chat/shell/header.js';
import { chatBadge } from '../../../webview/chat/chatList/chatFacts.js';

describe('Names on chips', () => {
  const tails = (paths: string[]): string[] => splitPaths(paths).map(({ tail }) => tail);

  it('are the file names, with folders where two are alike', () => {
    assert.deepEqual(tails(['src/a.ts', 'src/b.ts']), ['a.ts', 'b.ts']);
    assert.deepEqual(tails(['x/src/index.ts', 'y/src/index.ts', 'z.ts']), ['x/src/index.ts', 'y/src/index.ts', 'z.ts']);
    assert.deepEqual(tails(['index.ts', 'a/index.ts']), ['index.ts', 'a/index.ts']);
    assert.deepEqual(tails(['same', 'same']), ['same', 'same']);
  });

  it('lose nothing', () => {
    const paths = ['a/b/c.ts', 'c.ts', '', 'a//b', 'a/'];
    const joined = splitPaths(paths).map(({ lead, tail }) => lead + tail);
    assert.deepEqual(joined, paths);
  });
});

describe('The title of a chat', () => {
  const parts = (title: string): string[] => [...markup(cutTitle(title)).matchAll(/<span>([^<]*)<\/span>/g)].map(([, part]) => part ?? '');

  it('keeps what tells a fork from its original apart from what may be cut', () => {
    assert.deepEqual(parts('Tides'), ['Tides', '']);
    assert.deepEqual(parts('Tides (fork) (fork)'), ['Tides', ' (fork) (fork)']);
    assert.deepEqual(parts('The (fork) in the road'), ['The (fork) in the road', '']);
  });
});

describe('The name of a file', () => {
  it('begins with the slash after its folders, so that it tells where they are cut', () => {
    assert.deepEqual(splitName('src/deep/a.ts'), { folders: 'src/deep', name: '/a.ts' });
    assert.deepEqual(splitName('a.ts'), { folders: '', name: 'a.ts' });
    assert.deepEqual(splitName('src/a.ts:3-6'), { folders: 'src', name: '/a.ts:3-6' });
  });
});

describe('Counts in the chat settings', () => {
  const reserve = { kind: 'integer', least: 0, most: 9_000, empty: null, expected: 'some' } as const;
  const limit = { kind: 'integer', least: 1, most: null, empty: 'Model limit', expected: 'some' } as const;

  it('are whole numbers within their bounds', () => {
    assert.deepEqual(parseInteger('8192', reserve), { ok: true, value: 8192 });
    assert.deepEqual(parseInteger(' 8,192 ', reserve), { ok: true, value: 8192 });
    assert.deepEqual(parseInteger('0', reserve), { ok: true, value: 0 });
    assert.deepEqual(parseInteger('9000', reserve), { ok: true, value: 9000 });
    for (const text of ['-1', '1.5', '1e3', 'x', '9001', '99999999999999999999', '']) {
      assert.deepEqual(parseInteger(text, reserve), { ok: false, problem: 'Enter some' }, text);
    }
    assert.equal(parseInteger('99999999999999999999', limit).ok, false);
  });

  it('may be left out where that means the model limit, which is not 0', () => {
    assert.deepEqual(parseInteger('  ', limit), { ok: true, value: null });
    assert.equal(parseInteger('0', limit).ok, false);
  });
});

describe('Dropped files', () => {
  it('are read from the list of VS Code, else from the list of the web', () => {
    const lists = new Map([['text/uri-list', '# comment\r\nfile:///a\r\nfile:///b\r\n']]);
    const read = (type: string): string => lists.get(type) ?? '';
    assert.deepEqual(droppedUris(read), ['file:///a', 'file:///b']);
    lists.set('application/vnd.code.uri-list', 'vscode-remote://x/c');
    assert.deepEqual(droppedUris(read), ['vscode-remote://x/c']);
    assert.deepEqual(
      droppedUris(() => ''),
      [],
    );
  });

  it('are told from other drags', () => {
    assert.equal(carriesFiles(['Files']), true);
    assert.equal(carriesFiles(['text/plain']), false);
  });
});

describe('What is pasted', () => {
  it('is an image where it holds no text', () => {
    assert.equal(isImageAlone(['Files'], [{ type: 'image/png' }]), true);
    assert.equal(isImageAlone(['text/plain', 'Files'], [{ type: 'image/png' }]), false);
    assert.equal(isImageAlone(['Files'], [{ type: 'text/csv' }]), false);
  });
});

describe('Chat list', () => {
  const chat = (title: string, preview: string): ChatListItem => ({ ...LISTED_CHAT, id: title, title, preview });

  it('finds chats whose titles hold all words', () => {
    const chats = [chat('Journal', 'counts'), chat('A JOURNAL of counts', 'torn write')];
    assert.deepEqual(column(filterChats(chats, 'journal'), 'id'), ['Journal', 'A JOURNAL of counts']);
    assert.deepEqual(column(filterChats(chats, '  Count journal '), 'id'), ['A JOURNAL of counts']);
    assert.deepEqual(filterChats(chats, '').length, 2);
  });
});

describe('The groups of the chat list', () => {
  const now = new Date(2026, 10, 24, 9, 30).getTime();
  const at = (id: string, updatedAt: number): ChatListItem => ({ ...LISTED_CHAT, id, title: id, messageCount: 1, updatedAt });

  it('are today, the last 7 days and what is older, each in its order', () => {
    const all = [
      at('now', now),
      at('midnight', new Date(2026, 10, 24).getTime()),
      at('yesterday', new Date(2026, 10, 23, 23, 59).getTime()),
      at('week', now - 7 * 86_400_000),
      at('older', now - 7 * 86_400_000 - 1),
      at('unreadable', 0),
    ];
    assert.deepEqual(
      chatGroups(all, now).map(({ title, chats }) => [title, chats.map(({ id }) => id)]),
      [
        ['Today', ['now', 'midnight']],
        ['Last 7 days', ['yesterday', 'week']],
        ['Older', ['older', 'unreadable']],
      ],
    );
  });

  it('are only those that hold a chat', () => {
    assert.deepEqual(column(chatGroups([at('old', 1)], now), 'title'), ['Older']);
  });
});

describe('An answer in another window', () => {
  const chat = {
    id: 'a',
    title: '',
    running: false,
    isPractice: false,
    readOnly: null,
    damage: null,
    earlierMessages: 0,
    laterMessages: 0,
    model: { label: '', detail: '', hasKey: false },
    settings: [],
    titleRun: null,
    spent: null,
  } as const;
  const row = (id: string, running: boolean): ChatListItem => ({ ...LISTED_CHAT, id, running });

  it('is told from one in this window, and from those in other chats', () => {
    assert.equal(isAnsweredElsewhere(chat, [row('b', false), row('a', true)]), true);
    assert.equal(isAnsweredElsewhere({ ...chat, running: true }, [row('a', true)]), false);
    assert.equal(isAnsweredElsewhere(chat, [row('a', false), row('b', true)]), false);
  });

  it('is not assumed before the chats have been read', () => {
    assert.equal(isAnsweredElsewhere(chat, null), false);
    assert.equal(isAnsweredElsewhere(chat, []), false);
  });
});

describe('Open parts', () => {
  it('are remembered, and read back from whatever was saved', () => {
    const saved: (readonly string[])[] = [];
    const disclosures = new Disclosures({ open: ['a', 1] }, (open) => saved.push(open));
    disclosures.toggle('b');
    disclosures.toggle('a');
    assert.deepEqual(saved, [['a', 'b'], ['b']]);
    assert.equal(disclosures.isOpen('b'), true);
    for (const other of [undefined, null, 3, {}, { open: 'a' }]) {
      assert.equal(new Disclosures(other, () => undefined).isOpen('a'), false);
    }
  });
});

describe('The badge of a chat in the list', () => {
  const said = (changes: Partial<ChatListItem>): string => words(chatBadge({ ...LISTED_CHAT, ...changes }));

  it('is not there where nothing is remarkable', () => {
    assert.equal(said({}), '');
  });

  it('says in words, beside an icon that screen readers skip, what wants to be looked at', () => {
    assert.equal(said({ running: true }), 'Running');
    assert.equal(said({ unsaved: true }), 'Unsaved');
    assert.equal(said({ damage: { lines: 1 } }), '1 damaged line');
    assert.equal(said({ damage: { lines: 1_204 } }), '1,204 damaged lines');
    assert.equal(said({ damage: { lines: 0 } }), 'Damaged');
    assert.match(markup(chatBadge({ ...LISTED_CHAT, unsaved: true })), /title=Changes of this chat are lost.*aria-hidden="true"/s);
  });

  it('is one, the most urgent: what may be lost, then what goes on, then what stays for good', () => {
    const damage = { lines: 2 };
    assert.equal(said({ unsaved: true, running: true, damage }), 'Unsaved');
    assert.equal(said({ running: true, damage }), 'Running');
  });
});
