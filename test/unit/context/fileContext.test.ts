import assert from 'node:assert/strict';
import {
  addContent,
  addFromDisk,
  contentOf,
  countTokens,
  EMPTY_FILE_CONTEXT,
  formatForPrompt,
  hasFile,
  listFiles,
  removeFile,
  tokensByFile,
  type FileContext,
  type FileRead,
  type FileReader,
} from '../../../src/engine/context/fileContext.js';
import { characters } from '../../support/engine/ports.js';

function readerOf(files: Readonly<Record<string, FileRead>>): FileReader & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    read: async (path) => {
      asked.push(path);
      return files[path] ?? { ok: false, problem: { code: 'missing' }, reason: `There is no file ${path}.` };
    },
  };
}

function contextOf(files: Readonly<Record<string, string>>): FileContext {
  return Object.entries(files).reduce((context, [path, content]) => {
    const result = addContent(context, path, content);
    assert.ok(result.added);
    return result.context;
  }, EMPTY_FILE_CONTEXT);
}

describe('FileContext', () => {
  it('adds a file with the content given', () => {
    const result = addContent(EMPTY_FILE_CONTEXT, './src\\a.ts', 'given');
    assert.ok(result.added);
    assert.equal(result.path, 'src/a.ts');
    assert.equal(contentOf(result.context, 'src/a.ts'), 'given');
  });

  it('adds a file from disk under its normalized path', async () => {
    const reader = readerOf({ 'src/a.ts': { ok: true, content: 'on disk', bytes: 7 } });
    const result = await addFromDisk(EMPTY_FILE_CONTEXT, '/src//a.ts', reader);
    assert.ok(result.added);
    assert.deepEqual(reader.asked, ['src/a.ts']);
    assert.equal(contentOf(result.context, 'src/a.ts'), 'on disk');
  });

  it('does not add a file that is missing on disk', async () => {
    const result = await addFromDisk(EMPTY_FILE_CONTEXT, 'gone.ts', readerOf({}));
    assert.deepEqual(result, { added: false, problem: { code: 'missing' }, reason: 'There is no file gone.ts.' });
  });

  it('does not add a file that the reader refuses, and passes the reason on', async () => {
    const reader = readerOf({ 'a.bin': { ok: false, problem: { code: 'binary' }, reason: 'a.bin is a binary file.' } });
    assert.deepEqual(await addFromDisk(EMPTY_FILE_CONTEXT, 'a.bin', reader), {
      added: false,
      problem: { code: 'binary' },
      reason: 'a.bin is a binary file.',
    });
  });

  it('rejects binary content, given or read', async () => {
    const given = addContent(EMPTY_FILE_CONTEXT, 'a.bin', 'a\0b');
    const reader = readerOf({ 'a.bin': { ok: true, content: 'a\0b', bytes: 3 } });
    const read = await addFromDisk(EMPTY_FILE_CONTEXT, 'a.bin', reader);
    for (const result of [given, read]) {
      assert.ok(!result.added);
      assert.match(result.reason, /binary/);
    }
  });

  it('blocks path traversal before anything is read', async () => {
    const reader = readerOf({});
    for (const result of [addContent(EMPTY_FILE_CONTEXT, '../a.ts', ''), await addFromDisk(EMPTY_FILE_CONTEXT, 'src/../../a.ts', reader)]) {
      assert.ok(!result.added);
      assert.match(result.reason, /out of the workspace/);
    }
    assert.deepEqual(reader.asked, []);
  });

  it('replaces the content of a file that is added again', () => {
    const context = contextOf({ 'a.ts': 'old' });
    const result = addContent(context, './a.ts', 'new');
    assert.ok(result.added);
    assert.equal(contentOf(result.context, 'a.ts'), 'new');
    assert.deepEqual(listFiles(result.context), ['a.ts']);
  });

  it('never changes a context that it was given', () => {
    const before = contextOf({ 'a.ts': 'a' });
    addContent(before, 'b.ts', 'b');
    addContent(before, 'a.ts', 'changed');
    removeFile(before, 'a.ts');
    assert.deepEqual([...before.contents], [['a.ts', 'a']]);
  });

  it('removes a file by any spelling of its path', () => {
    const context = contextOf({ 'src/a.ts': 'a', 'b.ts': 'b' });
    assert.deepEqual(listFiles(removeFile(context, '.\\src\\a.ts')), ['b.ts']);
  });

  it('stays as it is when a file is removed that is not in', () => {
    const context = contextOf({ 'a.ts': 'a' });
    assert.equal(removeFile(context, 'b.ts'), context);
    assert.equal(removeFile(context, '../a.ts'), context);
  });

  it('lists its files sorted', () => {
    assert.deepEqual(listFiles(contextOf({ 'b.ts': '', 'a/z.ts': '', 'B.ts': '', 'a.ts': '' })), ['B.ts', 'a.ts', 'a/z.ts', 'b.ts']);
  });

  it('gives the content of one file, and knows an empty one from none', () => {
    const context = contextOf({ 'empty.ts': '' });
    assert.equal(contentOf(context, 'empty.ts'), '');
    assert.equal(contentOf(context, 'none.ts'), null);
    assert.equal(contentOf(context, '../empty.ts'), null);
  });

  it('knows which files it has', () => {
    const context = contextOf({ 'src/a.ts': '' });
    assert.equal(hasFile(context, './src/a.ts'), true);
    assert.equal(hasFile(context, 'a.ts'), false);
  });

  it('is empty when cleared', () => {
    assert.deepEqual(listFiles(EMPTY_FILE_CONTEXT), []);
    assert.equal(formatForPrompt(EMPTY_FILE_CONTEXT), '');
    assert.equal(countTokens(EMPTY_FILE_CONTEXT, characters), 0);
  });

  it('formats all files with path and fenced content, in the order of the list', () => {
    assert.equal(
      formatForPrompt(contextOf({ 'b.py': 'b = 2\n', 'a.ts': 'const a = 1;\n' })),
      'a.ts\n```ts\nconst a = 1;\n```\n\nb.py\n```py\nb = 2\n```',
    );
  });

  it('counts the tokens of each file as it stands in the prompt', () => {
    const counts = tokensByFile(contextOf({ 'b.ts': 'bb\n', 'a.ts': 'a\n' }), characters);
    assert.deepEqual(
      [...counts],
      [
        ['a.ts', 'a.ts\n```ts\na\n```'.length],
        ['b.ts', 'b.ts\n```ts\nbb\n```'.length],
      ],
    );
  });

  it('counts the tokens of all files as the sum over the files', () => {
    const context = contextOf({ 'b.ts': 'bb\n', 'a.ts': 'a\n' });
    assert.equal(countTokens(context, characters), 'a.ts\n```ts\na\n```'.length + 'b.ts\n```ts\nbb\n```'.length);
  });
});
