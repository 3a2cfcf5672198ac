import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import type { FileReader } from '../../../../src/engine/context/fileContents.js';
import { SecretFiles } from '../../../../src/host/context/secretFiles.js';
import { WorkspaceFiles } from '../../../../src/host/context/files/workspaceFiles.js';
import { READING_TOOLS } from '../../../../src/engine/request/adapt/repeats.js';
import { fetchPageTool } from '../../../../src/host/tools/workspace/fetchPage.js';
import { listFilesTool } from '../../../../src/host/tools/workspace/listFiles.js';
import { LineMatcher } from '../../../../src/host/tools/workspace/lineMatcher.js';
import { numbered, readFileTool } from '../../../../src/host/tools/workspace/readFile.js';
import { searchTextTool } from '../../../../src/host/tools/workspace/searchText.js';
import { SESSION_FILE_TOOLS } from '../../../../src/host/tools/workspace/sessionFileTools.js';
import { longestWork } from '../../../support/longestWork.js';
import { NO_SECRETS, answer, reporting, textOf, UNSTOPPED } from '../../../support/host/ownTools.js';
import { useTemporaryFolder } from '../../files/temporaryFolder.js';
import { UTF8_EDITOR } from '../../../support/utf8Editor.js';

describe('the tools that read the workspace', () => {
  const folder = useTemporaryFolder();
  let files: WorkspaceFiles;
  beforeEach(() => {
    files = new WorkspaceFiles([folder.path], UTF8_EDITOR);
  });

  it('are those that references to repeated results ask to call again, with the tools for pages and session files', () => {
    const own = [
      ...[
        listFilesTool(() => files),
        readFileTool(files, files, NO_SECRETS),
        searchTextTool({ files: () => files, reader: files, secrets: NO_SECRETS }),
      ],
      ...SESSION_FILE_TOOLS,
    ];
    const names = own.filter(({ saysItOnlyReads }) => saysItOnlyReads).map(({ name }) => name);
    const page = fetchPageTool(() => Promise.reject(new Error('not used'))).name;
    assert.deepEqual([...READING_TOOLS].sort(), [...names, page].sort());
  });

  describe('with a file that may contain secrets', () => {
    const allowed = new Set<string>();
    const questions = {
      isAllowed: (name: string) => allowed.has(name),
      allow: (names: readonly string[]) => {
        names.forEach((name) => allowed.add(name));
        return Promise.resolve();
      },
    };
    const secrets = new SecretFiles({ questions, resolved: (path) => files.resolved(path) });
    beforeEach(() => {
      allowed.clear();
      folder.write('.env', 'TIDE_TOKEN=high\n');
      folder.write('tides.txt', 'the tide is high\n');
    });

    it('name it for the question to the user, and read it once it is allowed', async () => {
      const tool = readFileTool(files, files, secrets);
      const read = (path: string): Promise<string> => answer(tool, { path });
      for (const args of [{ path: 'tides.txt' }, { path: 'none.txt' }, { path: '../.env' }]) {
        assert.equal(await tool.secretRead?.(args), null, args.path);
      }
      assert.equal(await read('tides.txt'), '1\tthe tide is high');
      assert.match(await read('.env'), /^Error: \.env may contain passwords or keys/);
      const secret = await tool.secretRead?.({ path: './.env' });
      assert.deepEqual([secret?.path, secret?.by], ['.env', 'name']);
      await secret?.allow();
      assert.deepEqual([await tool.secretRead?.({ path: '.env' }), await read('.env')], [null, '1\tTIDE_TOKEN=high']);
    });

    it('ask about it behind a link with another name, and again when the link leads elsewhere', async () => {
      folder.write('other/.env', 'TIDE_TOKEN=low\n');
      symlinkSync(folder.at('.env'), folder.at('notes.txt'));
      const tool = readFileTool(files, files, secrets);
      const secret = await tool.secretRead?.({ path: 'notes.txt' });
      assert.deepEqual([secret?.path, secret?.by], ['notes.txt', 'name']);
      await secret?.allow();
      assert.equal(await answer(tool, { path: 'notes.txt' }), '1\tTIDE_TOKEN=high');
      rmSync(folder.at('notes.txt'));
      symlinkSync(folder.at('other/.env'), folder.at('notes.txt'));
      assert.match(await answer(tool, { path: 'notes.txt' }), /may contain passwords or keys/);
    });

    it('search it without its lines, which the result says', async () => {
      const search = (): Promise<string> => answer(searchTextTool({ files: () => files, reader: files, secrets }), { query: 'high' });
      assert.equal(
        await search(),
        'tides.txt\n1: the tide is high\n(Lines of these files also match, but the files may contain passwords or keys: .env. read_file asks the user.)',
      );
      allowed.add('.env');
      assert.equal(await search(), '.env\n1: TIDE_TOKEN=high\ntides.txt\n1: the tide is high');
    });
  });

  describe('list_files', () => {
    const list = (args: Record<string, string>): Promise<string> =>
      answer(
        listFilesTool(() => files),
        args,
      );
    beforeEach(() => {
      for (const name of ['a.ts', 'src/b.ts', 'src/deep/c.css', 'build/d.ts', '.github/e.yml']) {
        folder.write(name, '');
      }
      folder.write('.gitignore', 'build/\n.gitignore\n');
    });

    it('gives what .gitignore leaves, of all folders or of one', async () => {
      assert.equal(await list({}), '.github/e.yml\na.ts\nsrc/b.ts\nsrc/deep/c.css');
      for (const all of ['', '.', './', '/']) {
        assert.equal(await list({ folder: all }), await list({}));
      }
      assert.equal(await list({ folder: 'src/' }), 'src/b.ts\nsrc/deep/c.css');
    });

    it('takes a glob: without a slash for names in every folder, else for whole paths', async () => {
      assert.equal(await list({ pattern: '*.ts' }), 'a.ts\nsrc/b.ts');
      assert.equal(await list({ pattern: '/*.ts' }), 'a.ts');
      assert.equal(await list({ pattern: 'src/**' }), 'src/b.ts\nsrc/deep/c.css');
      assert.equal(await list({ pattern: '*.{css,yml}' }), '.github/e.yml\nsrc/deep/c.css');
      assert.equal(await list({ pattern: '*.nothing' }), 'There is no such file.');
      assert.equal(await list({ pattern: '[' }), 'Error: This glob pattern cannot be read: [');
    });

    it('says how many files an answer has no room for', async () => {
      for (let count = 0; count < 510; count += 1) {
        folder.write(`many/${String(count)}.txt`, '');
      }
      assert.match(await list({ folder: 'many' }), /\nmany\/499\.txt\n\(10 more\. Name a folder or a pattern\.\)$/);
    });

    it('refuses what is no folder of the workspace, in a sentence', async () => {
      assert.equal(await list({ folder: 'gone' }), 'Error: gone does not exist.');
      assert.equal(await list({ folder: 'a.ts' }), 'Error: a.ts is not a folder.');
      assert.match(await list({ folder: '../other' }), /^Error: The arguments do not fit the tool\. folder: .*inside the workspace/);
      assert.match(await list({ folder: '/etc' }), /folder: Use a path within the workspace/);
      symlinkSync('/', folder.at('out'));
      assert.equal(await list({ folder: 'out/etc' }), 'Error: out/etc links to a place outside the workspace.');
    });

    it('stops when the user stops the call', async () => {
      await assert.rejects(listFilesTool(() => files).run({}, reporting(AbortSignal.abort())));
    });
  });

  describe('read_file', () => {
    const read = (args: Record<string, string | number | boolean>): Promise<string> => answer(readFileTool(files, files, NO_SECRETS), args);

    it('numbers the lines that were asked for', async () => {
      folder.write('a.ts', 'one\ntwo\nthree\n');
      assert.equal(await read({ path: 'a.ts' }), '1\tone\n2\ttwo\n3\tthree');
      assert.equal(await read({ path: './a.ts', first_line: 2, last_line: 2 }), '2\ttwo');
      assert.equal(await read({ path: 'a.ts', first_line: 4 }), 'The file has 3 lines.');
      folder.write('empty.ts', '');
      assert.equal(await read({ path: 'empty.ts' }), 'The file is empty.');
    });

    it('reads the outputs of a notebook only when they are asked for', async () => {
      const outputs = [{ output_type: 'stream', text: 'high: 2.1 m' }];
      folder.write('week.ipynb', JSON.stringify({ cells: [{ cell_type: 'code', source: 'show()', outputs }] }));
      assert.equal(await read({ path: 'week.ipynb', outputs: true }), '1\t# %%\n2\tshow()\n3\t# Output:\n4\thigh: 2.1 m');
      assert.match(await read({ path: 'week.ipynb' }), /^1\t\{"cells"/, 'the reader of this test knows no notebooks');
    });

    it('cuts a long file and says where to read on, and cuts a long line', () => {
      const long = `${'x'.repeat(1_000)}\n`.repeat(60);
      assert.match(numbered(long, [1, Infinity], 'file'), /\n49\tx+\n\(The file has 60 lines\. Read on from line 50\.\)$/);
      assert.match(numbered(long, [50, Infinity], 'file'), /^50\tx+\n[^(]*60\tx+$/);
      assert.match(numbered('y'.repeat(60_000), [1, Infinity], 'file'), /^1\ty+ \(This line is cut\.\)$/);
    });

    it('refuses what is no text file of the workspace', async () => {
      folder.write('b.dat', new Uint8Array([0, 1]));
      assert.equal(await read({ path: 'b.dat' }), 'Error: b.dat is not a text file.');
      assert.equal(await read({ path: 'gone.ts' }), 'Error: gone.ts does not exist.');
      assert.match(await read({ path: '/etc/passwd' }), /^Error: .*not an absolute one\.$/);
      assert.match(await read({ path: 'a.ts', first_line: 0 }), /^Error: The arguments do not fit the tool\. first_line/);
      assert.match(await read({}), /^Error: The arguments do not fit the tool\. path/);
    });
  });

  describe('search_text', () => {
    const search = (args: Record<string, string | boolean>): Promise<string> =>
      answer(searchTextTool({ files: () => files, reader: files, secrets: NO_SECRETS }), args);

    it('gives the lines with their numbers, below the path of their file', async () => {
      folder.write('a.ts', 'const tide = 1;\r\nlet x;\r\n// tide.');
      folder.write('src/b.css', '.tide { }');
      assert.equal(await search({ query: 'tide' }), 'a.ts\n1: const tide = 1;\n3: // tide.\nsrc/b.css\n1: .tide { }');
      assert.equal(await search({ query: 'tide', folder: 'src' }), 'src/b.css\n1: .tide { }');
      assert.equal(await search({ query: 'tide', pattern: '*.ts' }), 'a.ts\n1: const tide = 1;\n3: // tide.');
      assert.equal(await search({ query: 'ebb' }), 'No line matches.');
    });

    it('takes text as it is, and an expression where one is meant', async () => {
      folder.write('a.ts', 'a.b\naxb\nA.B');
      assert.equal(await search({ query: 'a.b' }), 'a.ts\n1: a.b');
      assert.equal(await search({ query: 'a.b', is_regex: true }), 'a.ts\n1: a.b\n2: axb');
      assert.equal(await search({ query: 'a.b', ignore_case: true }), 'a.ts\n1: a.b\n3: A.B');
      assert.equal(await search({ query: 'b$', is_regex: true }), 'a.ts\n1: a.b\n2: axb');
      assert.match(await search({ query: '(', is_regex: true }), /^Error: Invalid regular expression/);
    });

    it('says when there are more lines than it gives', async () => {
      folder.write('a.txt', 'tide\n'.repeat(150));
      folder.write('b.txt', 'tide\n'.repeat(51));
      const found = await search({ query: 'tide' });
      assert.match(found, /\nb\.txt\n1: tide\n(.*\n)*50: tide\n\(There are more than 200 lines\./);
      folder.write('b.txt', 'tide\n'.repeat(50));
      assert.match(await search({ query: 'tide' }), /\n50: tide$/);
    });

    it('shows of a very long line what stands around the match', async () => {
      folder.write('a.txt', `${'x'.repeat(5_000)}tide${'y'.repeat(5_000)}`);
      assert.match(await search({ query: 'tide' }), /^a\.txt\n1: …x{80}tidey{156}…$/);
    });

    it('ends when the call is stopped', async () => {
      folder.write('a.txt', `${'a'.repeat(40)}!`);
      const stop = new AbortController();
      const reader: FileReader = {
        read: (path) => {
          stop.abort();
          return files.read(path);
        },
      };
      const call = searchTextTool({ files: () => files, reader, secrets: NO_SECRETS }).run(
        { query: '^(a+)+$', is_regex: true },
        reporting(stop.signal),
      );
      await assert.rejects(call, { name: 'AbortError' });
    });

    it('with an expression that takes for ever keeps nobody waiting, and ends in time', async () => {
      const matcher = new LineMatcher(/^(a+)+$/);
      const longest = await longestWork(() =>
        assert.rejects(matcher.in(`${'a'.repeat(60)}!`, 1, AbortSignal.timeout(300)), { name: 'TimeoutError' }),
      );
      assert.ok(longest < 100, `${String(longest)} ms`);
    });

    it('looks at no file that cannot be read as text', async () => {
      folder.write('a.txt', new Uint8Array([0x74, 0x69, 0x64, 0x65, 0]));
      assert.equal(
        textOf(await searchTextTool({ files: () => files, reader: files, secrets: NO_SECRETS }).run({ query: 'tide' }, UNSTOPPED)),
        'No line matches.',
      );
    });
  });
});
