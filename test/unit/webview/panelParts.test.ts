import assert from 'node:assert/strict';
import { isAnsweredElsewhere } from '../../../webview/chat/answeredElsewhere.js';
import { modelChoices } from '../../../webview/chat/choices.js';
import { carriesFiles, droppedUris } from '../../../webview/chat/dropFiles.js';
import { filterChats } from '../../../webview/chat/filterChats.js';
import { parseCount } from '../../../webview/chat/integerSetting.js';
import { savedDisclosures } from '../../../webview/chat/savedState.js';
import { Disclosures } from '../../../webview/shared/disclosures.js';
import { splitPaths } from '../../../webview/shared/paths.js';

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
    assert.deepEqual(
      splitPaths(paths).map(({ lead, tail }) => lead + tail),
      paths,
    );
  });
});

describe('Counts in the chat settings', () => {
  const reserve = { least: 0, emptyIsNull: false };
  const limit = { least: 1, emptyIsNull: true };

  it('are whole numbers, not negative', () => {
    assert.deepEqual(parseCount('8192', reserve), { ok: true, value: 8192 });
    assert.deepEqual(parseCount(' 8,192 ', reserve), { ok: true, value: 8192 });
    assert.deepEqual(parseCount('0', reserve), { ok: true, value: 0 });
    for (const text of ['-1', '1.5', '1e3', 'x', '99999999999999999999', '']) {
      assert.equal(parseCount(text, reserve).ok, false, text);
    }
  });

  it('may be left out where that means the model limit, which is not 0', () => {
    assert.deepEqual(parseCount('  ', limit), { ok: true, value: null });
    assert.equal(parseCount('0', limit).ok, false);
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

describe('Chat list', () => {
  const chat = (title: string, preview: string) => ({ id: title, title, preview, messageCount: 0, updatedAt: 0, running: false });

  it('finds chats that hold all words', () => {
    const chats = [chat('Journal', 'torn write'), chat('Tokens', 'a JOURNAL of counts')];
    assert.deepEqual(
      filterChats(chats, 'journal').map(({ id }) => id),
      ['Journal', 'Tokens'],
    );
    assert.deepEqual(
      filterChats(chats, '  Count journal ').map(({ id }) => id),
      ['Tokens'],
    );
    assert.deepEqual(filterChats(chats, '').length, 2);
  });
});

describe('An answer in another window', () => {
  const chat = {
    id: 'a',
    title: '',
    running: false,
    readOnly: null,
    damage: null,
    earlierMessages: 0,
    laterMessages: 0,
    settings: { model: '', cacheMode: 'cached', systemPrompt: '', maxPromptTokens: null, reservedResponseTokens: 0 },
  } as const;
  const row = (id: string, running: boolean) => ({ id, title: '', preview: '', messageCount: 0, updatedAt: 0, running });

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

describe('Choices', () => {
  it('always hold the model of the chat', () => {
    const models = [{ key: 'a/b', label: 'B', detail: '' }];
    assert.deepEqual(
      modelChoices(models, 'a/b').map(({ value }) => value),
      ['a/b'],
    );
    assert.deepEqual(
      modelChoices(models, 'gone/x').map(({ value }) => value),
      ['gone/x', 'a/b'],
    );
  });
});

describe('Open parts', () => {
  it('are remembered, and read back from whatever was saved', () => {
    const saved: (readonly string[])[] = [];
    const disclosures = new Disclosures(['a'], (open) => saved.push(open));
    disclosures.toggle('b');
    disclosures.toggle('a');
    assert.deepEqual(saved, [['a', 'b'], ['b']]);
    assert.equal(disclosures.isOpen('b'), true);
    assert.deepEqual(savedDisclosures({ open: ['a', 1] }), ['a']);
    for (const other of [undefined, null, 3, {}, { open: 'a' }]) {
      assert.deepEqual(savedDisclosures(other), []);
    }
  });
});
