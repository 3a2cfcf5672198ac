import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { root } from '../../support/paths.mjs';
import { run } from '../../support/processes.mjs';
import { useTemporaryFolder } from '../files/temporaryFolder.js';

/** Files with one fault each: description, path, text, and the rule that finds it. */
const PLANTED: readonly (readonly [string, string, string, string])[] = [
  ['an import across a zone', 'src/engine/planted.ts', `export * from '../host/planted.js';`, 'architecture/zones'],
  ['a dynamic import across a zone', 'webview/planted.ts', `export const it = import('../src/engine/json.js');`, 'architecture/zones'],
  [
    'the settings of the engine outside of the preview',
    'webview/planted.ts',
    `export * from '../src/engine/chat/settings/config.js';`,
    'architecture/zones',
  ],
  ['an import from a higher floor', 'src/host/models/planted.ts', `export * from '../panel/planted.js';`, 'architecture/zones'],
  [
    'an import from a higher floor of the engine',
    'src/engine/model/planted.ts',
    `export * from '../request/planted.js';`,
    'architecture/zones',
  ],
  ['a value of the engine in the protocol', 'src/protocol/planted.ts', `export * from '../engine/ports.js';`, 'architecture/zones'],
  ['a type that no view shows', 'src/protocol/planted.ts', `export type * from '../engine/json.js';`, 'architecture/zones'],
  ['a package where it may not be', 'src/storage/planted.ts', `export * from 'vscode';`, 'architecture/packages'],
  ['a default parameter', 'src/planted.ts', 'export const f = (a = 1): number => a;', 'architecture/no-default-parameters'],
  ['state of a module', 'src/planted.ts', 'export let state = 1;\nstate = 2;', 'architecture/no-module-state'],
  ['a test alone', 'test/planted.ts', `it.only('runs', () => undefined);`, 'architecture/no-test-only'],
  ['an empty catch', 'src/planted.ts', 'try { f(); } catch { /* why */ }', 'architecture/no-empty-catch'],
  ['a command of its own', 'src/host/planted.ts', `await vscode.commands.executeCommand('loupe.showLog');`, 'architecture/no-own-commands'],
  ['an error without a code', 'src/planted.ts', `throw new LoupeError('It failed.');`, 'architecture/no-bare-failure'],
  ['a long file', 'src/planted.ts', 'f();\n'.repeat(351), 'max-lines'],
  ['a long function', 'src/planted.ts', `export function f(): void {\n${'f();\n'.repeat(60)}}`, 'max-lines-per-function'],
  ['a complex function', 'src/planted.ts', `export const f = (a: number): boolean => ${'a > 1 && '.repeat(12)}a > 1;`, 'complexity'],
  ['many parameters', 'src/planted.ts', 'f((a, b, c, d, e) => [a, b, c, d, e]);', 'max-params'],
  ['an impure engine', 'src/engine/planted.ts', 'export const now = Date.now();', 'no-restricted-globals'],
  ['chance in the engine', 'src/engine/planted.ts', 'export const chance = Math.random();', 'no-restricted-properties'],
  ['a mistake that ESLint knows', 'src/planted.ts', 'debugger;', 'no-debugger'],
  ['a mistake in a script', 'build/planted.mjs', 'f({ a: 1, a: 2 });', 'no-dupe-keys'],
  ['a choice of this project', 'src/planted.ts', 'console.log(1);', 'no-console'],
  ['a mistake that typescript-eslint knows', 'src/planted.ts', 'export const a: any = 1;', '@typescript-eslint/no-explicit-any'],
  ['an avoided word in a comment', 'src/planted.ts', '// What the user was told.\nf();', 'prose/comments'],
  ['an avoided expression across two lines', 'src/planted.ts', '/** f. */\n// The parts of\n// which it consists.\nf();', 'prose/comments'],
  ['a long line of a comment', 'src/planted.ts', `/** ${'a '.repeat(60)}*/\nf();`, 'prose/comments'],
  ['an avoided word in a document', 'docs/planted.md', 'What the *user* was told.', 'prose/documents'],
  ['a long line of a document', 'docs/planted.md', 'a '.repeat(61), 'prose/documents'],
  ['a style that typescript-eslint knows', 'src/planted.ts', 'export type A = Array<string>;', '@typescript-eslint/array-type'],
];

const OXLINT = join(root, 'node_modules/oxlint/bin/oxlint');

/** Faults for oxlint. The first one needs types. */
const PLANTED_FILES = {
  'floating.ts': 'Promise.resolve(1);\nexport {};',
  'one.ts': `import type { Two } from './two.js';\nexport type One = Two | 1;`,
  'two.ts': `import type { One } from './one.js';\nexport type Two = One[];`,
};

describe('npm run lint', () => {
  const eslint = new ESLint({ cwd: root });
  const folder = useTemporaryFolder();

  async function rulesBroken(file: string, text: string): Promise<readonly (string | null)[]> {
    const results = await eslint.lintText(text, { filePath: join(root, file) });
    return results.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId));
  }

  for (const [what, file, text, rule] of PLANTED) {
    it(`finds ${what}`, async () => {
      assert.deepEqual([...new Set(await rulesBroken(file, text))], [rule]);
    });
  }

  it('finds an exception that nothing needs', async () => {
    const [result] = await eslint.lintText('// eslint-disable-next-line eqeqeq\nf();', { filePath: join(root, 'src/planted.ts') });
    assert.match(result?.messages.map(({ message }) => message).join('\n') ?? '', /^Unused eslint-disable directive/u);
    assert.equal(result?.errorCount, 1);
  });

  it('checks no words of code, nor the length of lines that cannot be wrapped', async () => {
    assert.deepEqual(
      await rulesBroken('src/planted.ts', `// \`told\` is a name.\nf('told');\n// See https://example.com/${'a'.repeat(120)}`),
      [],
    );
    assert.deepEqual(await rulesBroken('docs/planted.md', `\`told\`\n\n| a | b |\n|---|---|\n| ${'a '.repeat(60)} | b |`), []);
  });

  it('says what to write instead of an avoided expression, and where it is', async () => {
    const text = '/**\n * The parts\n * of which it consists.\n */\nf();';
    const [result] = await eslint.lintText(text, { filePath: join(root, 'src/planted.ts') });
    const problems = result?.messages.map(({ line, column, message }) => ({ line, column, message }));
    assert.deepEqual(problems, [{ line: 3, column: 4, message: 'Avoid "of which". Begin a new sentence.' }]);
  });

  it('lets the protocol take the types of the engine that views show', async () => {
    assert.deepEqual(await rulesBroken('src/protocol/planted.ts', `export type { Json } from '../engine/ports.js';`), []);
  });

  it('lets a file of one concept have more lines, when it says so', async () => {
    const text = `/* eslint max-lines: ["error", 400] -- one table */\n${'f();\n'.repeat(380)}`;
    assert.deepEqual(await rulesBroken('src/planted.ts', text), []);
  });

  it('finds what needs types, and files that import each other', async () => {
    folder.write('tsconfig.json', '{ "compilerOptions": { "strict": true } }');
    for (const [name, text] of Object.entries(PLANTED_FILES)) folder.write(name, text);
    const config = join(root, '.oxlintrc.json');
    const { output } = await run(process.execPath, [OXLINT, '--config', config, '--format', 'unix', '.'], {
      cwd: folder.path,
      timeoutMs: 60_000,
    });
    assert.match(output, /floating\.ts.*no-floating-promises/u);
    assert.match(output, /one\.ts.*no-cycle/u);
  });
});
