import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyGrammars } from '../../../build/grammars.mjs';
import { SIGNATURE_LENGTH, type FileSymbols } from '../../../src/engine/repository/symbols.js';
import { languageOf } from '../../../src/tools/symbols/languages.js';
import { SymbolParser } from '../../../src/tools/symbols/symbolParser.js';
import { writtenSymbols } from '../../support/symbols/writtenSymbols.js';

/*
 * The symbols of a source file in each language: `<file>.txt` has the source, and `<file>.symbols` the definitions with
 * line, kind, container, name and signature, then the references. LOUPE_GOLDEN=write writes them. Read the difference.
 */

const FIXTURES = 'test/fixtures/symbols';
const SOURCES = [
  ...['Panel.tsx', 'Tides.cs', 'Tides.java', 'Tides.php', 'legacy.js', 'list.c'],
  ...['tides.cpp', 'tides.go', 'tides.py', 'tides.rb', 'tides.rs', 'tides.ts'],
];

describe('the symbols of a language', () => {
  let folder: string;
  let parser: SymbolParser;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-grammars-'));
    await copyGrammars(folder);
    parser = await SymbolParser.load(folder);
  });
  after(() => rm(folder, { recursive: true }));

  async function symbolsOf(path: string, text: string): Promise<FileSymbols> {
    const language = languageOf(path);
    assert.ok(language !== null, path);
    return parser.parse(language, text);
  }

  for (const name of SOURCES) {
    it(`are found in ${name}`, async () => {
      const file = join(FIXTURES, `${name}.symbols`);
      const written = `${writtenSymbols(await symbolsOf(name, await readFile(join(FIXTURES, `${name}.txt`), 'utf8')))}\n`;
      if (process.env['LOUPE_GOLDEN'] === 'write') {
        await writeFile(file, written);
      }
      assert.equal(written, await readFile(file, 'utf8'));
    });
  }

  it('have a fixture for each grammar', async () => {
    const sources = (await readdir(FIXTURES)).filter((name) => name.endsWith('.txt')).map((name) => name.slice(0, -'.txt'.length));
    assert.deepEqual(sources.sort(), SOURCES.toSorted());
    const grammars = (await readdir(folder)).filter((name) => name.startsWith('tree-sitter-'));
    const used = SOURCES.map((name) => `tree-sitter-${languageOf(name)?.grammar ?? ''}.wasm`);
    assert.deepEqual([...new Set(used)].sort(), grammars.sort());
  });

  it('are unknown for other files', () => {
    assert.deepEqual(
      ['README.md', 'Makefile', '.ts/x', 'ts', 'a.TS'].map((path) => languageOf(path)?.grammar ?? null),
      [null, null, null, null, 'typescript'],
    );
  });

  it('are local if a JavaScript module does not export them', async () => {
    const localsOf = async (text: string): Promise<readonly string[]> =>
      (await symbolsOf('a.ts', text)).definitions.flatMap(({ name, isLocal }) => (isLocal ? [name] : []));
    assert.deepEqual(await localsOf('function a() {} class B { c() {} }'), [], 'a script');
    assert.deepEqual(await localsOf("import 'x';\nfunction a() {} class B { c() {} }"), ['a', 'B', 'c']);
    assert.deepEqual(await localsOf('export class B { c() {} }\nfunction a() {}\nexport default a;'), []);
    assert.deepEqual(await localsOf('const a = 1, b = 2;\nexport { a as default };'), ['b']);
    assert.deepEqual(await localsOf('export const a = 1, b = 2;'), []);
  });

  it('have no values, which may be passwords or keys', async () => {
    const signatures = async (path: string, text: string): Promise<readonly string[]> =>
      (await symbolsOf(path, text)).definitions.map(({ signature }) => signature);
    assert.deepEqual(await signatures('a.ts', "export const TIDE: string = 'high water at noon';"), ['const TIDE: string']);
    assert.deepEqual(await signatures('a.py', 'TIDE = "high water at noon"'), ['TIDE']);
    assert.deepEqual(await signatures('a.c', '#define TIDE "high = water"\n'), ['#define TIDE']);
    assert.deepEqual(await signatures('a.go', 'package a\nconst Tide = "high water"'), ['const Tide']);
    assert.deepEqual(await signatures('a.py', 'def sail(word="high water at noon", by="sea"):\n  pass'), ['def sail(word="…", by="sea")']);
  });

  it('have names that objects inherit', async () => {
    const { definitions, references } = await symbolsOf('a.js', 'function __proto__() { hasOwnProperty(); constructor(); constructor(); }');
    const definition = { name: '__proto__', kind: 'function', line: 1, signature: 'function __proto__()', container: null, isLocal: false };
    assert.deepEqual(definitions, [definition]);
    assert.deepEqual(
      [...references],
      [
        ['hasOwnProperty', 1],
        ['constructor', 2],
      ],
    );
  });

  it('have signatures of one line that end at a whole character', async () => {
    const { definitions } = await symbolsOf('a.ts', `type A =\n  // first\n  | 'x'\n  | ${'𝒯'.repeat(200)};`);
    const [{ signature } = { signature: '' }] = definitions;
    assert.match(signature, /^type A = \/\/ first \| 'x' \| 𝒯+…$/u);
    assert.ok(signature.length <= SIGNATURE_LENGTH && !/\p{Surrogate}/u.test(signature));
  });

  it('are found around errors of the source', async () => {
    const { definitions } = await symbolsOf('a.ts', 'class Before {}\nconst x = = 3;\nfunction after() {}\n');
    const names = definitions.map(({ name }) => name);
    assert.ok(names.includes('Before') && names.includes('after'), names.join(' '));
  });
});
