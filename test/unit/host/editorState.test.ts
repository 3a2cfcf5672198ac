import assert from 'node:assert/strict';
import { DEFAULTS } from '../../support/host/window.js';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { LoupeError } from '../../../src/engine/errors.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { boundedWorkspace } from '../../../src/engine/request/workspace.js';
import { PART_SETTINGS, type PartSetting } from '../../../src/engine/chat/settings/editorSettings.js';
import { EDITOR_PARTS } from '../../../src/host/context/editorState/editorParts.js';
import type { ActiveFile, EditorSource, FileProblems } from '../../../src/host/context/editorState/editorSource.js';
import { EditorState } from '../../../src/host/context/editorState/editorState.js';
import { mayHaveSecrets } from '../../../src/host/context/editorState/commandSecrets.js';
import { signOfSecrets } from '../../../src/engine/context/fileDoubt.js';
import { NO_EDITOR } from '../../support/host/editor.js';
import { characters, sha256 } from '../../support/engine/ports.js';

const HEAP: ActiveFile = {
  path: 'src/heap.ts',
  withheld: null,
  selection: { lines: [40, 88], text: 'push(item);\n', isCut: false },
  visible: [30, 95],
};

/** The text of one part, or null for a part that says nothing. */
async function textOf(setting: PartSetting, shown: Partial<EditorSource>): Promise<string | null> {
  const off = Object.fromEntries(PART_SETTINGS.map((name) => [name, name === setting ? 'on' : 'off']));
  const state = new EditorState({ source: { ...NO_EDITOR, ...shown }, logError: assert.ifError });
  const parts = await state.read({ ...DEFAULTS, ...(off as Pick<ChatConfig, PartSetting>) });
  return boundedWorkspace(parts, 10_000, new BlockFactory(characters, sha256))[0]?.text ?? null;
}

function active(change: Partial<ActiveFile>): Pick<EditorSource, 'active'> {
  return { active: () => Promise.resolve({ ...HEAP, ...change }) };
}

describe('the editor state', () => {
  it('says by default the date, the open file and the selection', async () => {
    const state = new EditorState({
      source: { ...NO_EDITOR, ...active({}), tabs: () => ['a.ts'] },
      logError: assert.ifError,
    });
    const parts = await state.read(DEFAULTS);
    assert.deepEqual(
      parts.map(({ key }) => key),
      ['editor:date', 'editor:open file', 'editor:selection'],
    );
  });

  it('has the date without a time of day, which would change each request', async () => {
    assert.equal(await textOf('editorDate', {}), 'Date: 2026-11-29 (time zone Europe/Berlin)');
  });

  it('has the open file, and nothing without one', async () => {
    assert.equal(await textOf('editorFile', active({})), 'Open in the editor: src/heap.ts');
    assert.equal(await textOf('editorFile', {}), null);
  });

  it('has the selected text in a fence, and nothing without a selection', async () => {
    assert.equal(
      await textOf('editorSelection', active({})),
      'Selected in the editor: src/heap.ts, lines 40 to 88\n```ts\npush(item);\n```',
    );
    const one = active({ selection: { lines: [4, 4], text: '```', isCut: true } });
    assert.match(
      (await textOf('editorSelection', one)) ?? '',
      /^Selected in the editor: src\/heap\.ts, line 4 \(only the beginning\)\n````ts\n/,
    );
    assert.equal(await textOf('editorSelection', active({ selection: null })), null);
    assert.equal(await textOf('editorSelection', {}), null, 'the file was closed');
  });

  it('has only the place of a selection that must stay private, and says why', async () => {
    const selection = { lines: [1, 3], text: '', isCut: false } as const;
    const said = (path: string, withheld: ActiveFile['withheld']): Promise<string | null> =>
      textOf('editorSelection', active({ path, withheld, selection }));
    const reason = (why: string): string => `lines 1 to 3 (Loupe does not send the text: ${why})`;
    assert.equal(await said('.env', 'secret'), `Selected in the editor: .env, ${reason('it may contain secrets')}`);
    assert.equal(await said('out/a.js', 'ignored'), `Selected in the editor: out/a.js, ${reason('git ignores the file')}`);
    assert.equal(await said('a.ts', 'restricted'), `Selected in the editor: a.ts, ${reason('the user does not trust this folder')}`);
    assert.equal(
      await said('hosts', 'outside'),
      'Selected in the editor: hosts (outside the workspace, Loupe does not send its text), lines 1 to 3',
    );
  });

  it('has the visible lines', async () => {
    assert.equal(await textOf('editorVisible', active({})), 'Visible in the editor: src/heap.ts, lines 30 to 95');
    assert.equal(await textOf('editorVisible', active({ visible: null })), null);
  });

  it('has the branch and the changed files', async () => {
    const git = (change: object): Promise<string | null> =>
      textOf('editorGit', {
        repository: () => ({ branch: 'main', commit: '1a2b3c4d', changed: ['a.ts', 'b.ts'], conflicts: [], outside: 0, ...change }),
      });
    assert.equal(await git({}), 'Git: branch main, 2 changed files:\na.ts\nb.ts');
    assert.equal(await git({ changed: [] }), 'Git: branch main, 0 changed files');
    assert.equal(await git({ branch: null, changed: ['a.ts'] }), 'Git: no branch, commit 1a2b3c4d, 1 changed file:\na.ts');
    assert.equal(
      await git({ outside: 3 }),
      'Git: branch main, 5 changed files, 3 of them outside the workspace:\na.ts\nb.ts',
      'paths outside stay private',
    );
    assert.equal(await textOf('editorGit', {}), null, 'no git');
  });

  it('names the files with conflicts', async () => {
    const merging = { branch: 'main', commit: 'c', changed: ['b.ts'], conflicts: ['a.ts'], outside: 0 };
    assert.equal(await textOf('editorGit', { repository: () => merging }), 'Git: branch main, 2 changed files:\na.ts (conflict)\nb.ts');
  });

  it('has the open editors, at most 50', async () => {
    assert.equal(await textOf('editorTabs', { tabs: () => ['a.ts', 'b\n.ts'] }), 'Open editors:\na.ts\n"b\\n.ts"');
    const many = await textOf('editorTabs', { tabs: () => Array.from({ length: 52 }, (_, at) => `f${String(at)}`) });
    assert.ok(many?.endsWith('\nand 2 more') === true && many.includes('f49\n') && !many.includes('f50'));
    assert.equal(await textOf('editorTabs', {}), null);
  });

  it('has the problems, errors first', async () => {
    const problems = [
      { line: 3, isError: false, message: 'Unused' },
      { line: 7, isError: true, message: 'No such\nname' },
    ];
    const read = (withheld: FileProblems['withheld']): Promise<string | null> =>
      textOf('editorProblems', { problems: () => Promise.resolve([{ path: 'a.ts', withheld, problems }]) });
    assert.equal(
      await read('secret'),
      'Problems in open editors:\na.ts:7: error (Loupe does not send the text: it may contain secrets)\n' +
        'a.ts:3: warning (Loupe does not send the text: it may contain secrets)',
    );
    assert.equal(await read(null), 'Problems in open editors:\na.ts:7: error: No such name\na.ts:3: warning: Unused');
    assert.equal(await textOf('editorProblems', {}), null);
  });

  it('has the last command with the end of its output', async () => {
    const command = (exitCode: number | undefined | null, output: string): Promise<string | null> =>
      textOf('editorTerminal', { lastCommand: () => ({ line: 'npm test', withheld: null, output, isCut: output.length > 20, exitCode }) });
    assert.equal(await command(1, 'failed\n'), 'Last command in the terminal: npm test (exit code 1)\n```\nfailed\n```');
    assert.equal(await command(null, ''), 'Last command in the terminal: npm test (still running)');
    assert.equal(await command(undefined, ' \n'), 'Last command in the terminal: npm test (exit code unknown)');
    const secret = { line: 'cat .env', withheld: 'secret', output: 'KEY=1', isCut: false, exitCode: 0 } as const;
    assert.equal(
      await textOf('editorTerminal', { lastCommand: () => secret }),
      'Last command in the terminal (Loupe does not send the text: it may contain secrets)',
    );
    assert.match((await command(0, `${'x'.repeat(30)}\nend\n`)) ?? '', /\(exit code 0\) \(only the end\)\n```\n/);
  });

  it('goes on without a part that cannot be read, and logs it', async () => {
    const errors: LoupeError[] = [];
    const fails = (): never => {
      throw new Error('Git failed.');
    };
    const state = new EditorState({
      source: { ...NO_EDITOR, repository: fails, tabs: () => ['a.ts'] },
      logError: (error) => {
        errors.push(error);
      },
    });
    const parts = await state.read({ ...DEFAULTS, editorDate: 'off', editorGit: 'on', editorTabs: 'on' });
    assert.deepEqual(
      parts.map(({ key }) => key),
      ['editor:open editors'],
    );
    assert.equal(errors.length, 1);
  });

  it('limits every part, and its parts cost little by default', () => {
    for (const [setting, { mostTokens }] of Object.entries(EDITOR_PARTS)) {
      assert.ok(mostTokens <= 1_500, setting);
    }
    const on = PART_SETTINGS.filter((setting) => DEFAULTS[setting] === 'on');
    assert.deepEqual(on, ['editorDate', 'editorFile', 'editorSelection']);
  });
});

describe('a file that may contain secrets', () => {
  it('is recognized by its name in any folder and case', () => {
    for (const path of ['.env', 'a/.env.local', 'prod.ENV', 'keys/server.pem', '.ssh/id_ed25519', 'secrets.yaml', '.npmrc']) {
      assert.equal(signOfSecrets(path, ''), 'name', path);
    }
    for (const path of ['.env.example', 'env.ts', 'src/secret.ts', 'environment.md', 'keyboard.ts']) {
      assert.equal(signOfSecrets(path, 'const a = 1;'), null, path);
    }
  });

  it('is recognized by the form of a key in the selected text', () => {
    assert.equal(signOfSecrets('src/a.ts', `const key = '${'-'.repeat(5)}BEGIN PRIVATE KEY${'-'.repeat(5)}';`), 'text');
  });
});

describe('a command of the terminal', () => {
  const key = `${'-'.repeat(5)}BEGIN PRIVATE KEY${'-'.repeat(5)}`;

  it('may have secrets if it names such a file, or shows the form of a key', () => {
    for (const line of ['cat .env', 'vim "config/.env.local"', 'scp ~/.ssh/id_rsa host:', 'source=.npmrc', 'type keys\\server.pem']) {
      assert.ok(mayHaveSecrets(line, ''), line);
    }
    assert.ok(mayHaveSecrets('make', `> ${key}\n`));
    assert.ok(!mayHaveSecrets('npm test -- env.ts', '4 passing'));
  });
});
