import assert from 'node:assert/strict';
import { type CatalogItem, EMPTY_CATALOG } from '../../../../src/engine/context/catalogItem.js';
import type { MentionedResource } from '../../../../src/host/context/mentions/mentionedResources.js';
import { mentionRows, pageRow, type MentionSources } from '../../../../src/host/context/mentions/mentionRows.js';
import { readCatalog } from '../../../../src/host/context/catalog/readCatalog.js';
import { MOST_MENTIONS } from '../../../../src/protocol/panel/toWebview.js';
import { column, columns } from '../../../support/columns.js';
import { readingOf } from '../../../support/host/catalogReading.js';

const FILES = [
  'src/engine/bpe.ts',
  'src/engine/bpeWorst.test.ts',
  'build/buildBpeTables.mjs',
  'README.md',
  'media/bpe.png',
  'docs/b/p/e.md',
];

const of = (change: Partial<MentionSources>): MentionSources => ({
  ...{ open: [], files: FILES, catalog: EMPTY_CATALOG, resources: [], servers: [], held: new Set<string>() },
  ...change,
});

const names = (text: string, change: Partial<MentionSources>): readonly string[] => mentionRows(text, of(change)).map(({ name }) => name);

const rules = {
  '.loupe/rules/a.md': '---\nname: BPE, how it merges\n---\nText',
  '.loupe/references/b.md': '---\nname: Merges\ndescription: Of byte pairs\n---\nText',
  '.loupe/rules/off.md': '---\nname: Merging\nenabled: false\n---\nText',
};
const catalog = await readCatalog(
  Object.keys(rules).map((path) => ({ path, source: path, prefix: '', file: path })),
  readingOf((path) => {
    const content = rules[path as keyof typeof rules];
    return Promise.resolve({ ok: true, content, bytes: content.length });
  }),
  EMPTY_CATALOG,
);

describe('an address behind @ in a message', () => {
  it('is a web page to fetch, or one that the chat has', () => {
    const held = new Set(['page:https://tides.example/']);
    const found = (text: string): unknown => columns(pageRow(text, held), 'key', 'kind', 'isIn');
    assert.deepEqual(found('https://tides.example/quay'), [['page:https://tides.example/quay', 'page', false]]);
    assert.deepEqual(found('https://tides.example/'), [['page:https://tides.example/', 'page', true]]);
    for (const text of ['https://', 'tides.example', 'file:///etc', '']) {
      assert.deepEqual(pageRow(text, held), [], text);
    }
  });
});

describe('what @ in a message may name', () => {
  it('is what begins so, then what has a word that begins so, then what has it anywhere, in the path, or as letters', () => {
    assert.deepEqual(names('bpe', {}), ['bpe.ts', 'bpeWorst.test.ts', 'buildBpeTables.mjs']);
    assert.deepEqual(names('engine', {}), ['bpe.ts', 'bpeWorst.test.ts']);
    assert.deepEqual(names('rdm', {}), ['README.md']);
    assert.deepEqual(names('nothing like it', {}), []);
  });

  it('says which letters match, whatever their case', () => {
    const [first, , third] = mentionRows('BPE', of({}));
    assert.deepEqual(first?.matches, [0, 1, 2]);
    assert.deepEqual(third?.matches, [5, 6, 7]);
    assert.deepEqual(mentionRows('rdm', of({}))[0]?.matches, [0, 3, 4]);
  });

  it('finds a name in any Unicode form of its letters', () => {
    assert.deepEqual(names('CAFÉ'.normalize('NFD'), { files: ['menus/café.md'] }), ['café.md']);
    assert.deepEqual(names('café', { files: ['menus/café.md'.normalize('NFD')] }), ['café.md']);
  });

  it('has files first, then rules, then references; but not what is switched off in its file', () => {
    const rows = mentionRows('merg', of({ catalog }));
    assert.deepEqual(columns(rows, 'kind', 'name', 'about'), [
      ['rule', 'BPE, how it merges', ''],
      ['reference', 'Merges', 'Of byte pairs'],
    ]);
    assert.deepEqual(column(mentionRows('bpe', of({ catalog })), 'kind'), ['file', 'file', 'file', 'rule']);
  });

  it('is, without a text, what is open, then rules and references, and other files in the room that is left', () => {
    const open = ['z.ts', 'a.ts'].map((name) => `src/${name}`);
    assert.deepEqual(names('', { open, catalog, files: ['src/a.ts', 'src/gauge.ts', 'media/bpe.png'] }), [
      'a.ts',
      'z.ts',
      'gauge.ts',
      'BPE, how it merges',
      'Merges',
    ]);
    const files = Array.from({ length: 500 }, (_, at) => `src/file${String(at)}.ts`);
    const rows = mentionRows('', of({ open, files, catalog }));
    assert.equal(rows.length, MOST_MENTIONS);
    assert.deepEqual(
      column(
        rows.filter(({ kind }) => kind !== 'file'),
        'name',
      ),
      ['BPE, how it merges', 'Merges'],
    );
  });

  it('is, without a text, a file before a tool, of which there can be dozens', () => {
    const [[, item]] = [...catalog] as [[string, CatalogItem]];
    const tools = Array.from({ length: MOST_MENTIONS }, (_, at) => ({
      ...item,
      type: 'tool' as const,
      name: `t${String(at)}`,
      serverName: 's',
    }));
    const all = new Map([...catalog, ...tools.map((tool) => [`tool:s:${tool.name}`, tool] as const)]);
    const kinds = column(mentionRows('', of({ catalog: all, files: ['src/a.ts', 'docs/a-long-name-of-a-file.md'] })), 'kind');
    assert.deepEqual(kinds, ['file', 'file', 'rule', 'reference', ...Array.from({ length: MOST_MENTIONS - 4 }, () => 'tool')]);
    assert.equal(mentionRows('t1', of({ catalog: all }))[0]?.kind, 'tool');
  });

  it('prefers what is open among those that fit alike, and tells what the chat has', () => {
    const rows = mentionRows('bpe', of({ open: ['src/engine/bpeWorst.test.ts'], held: new Set(['file:src/engine/bpe.ts']) }));
    assert.deepEqual(columns(rows, 'name', 'isIn'), [
      ['bpeWorst.test.ts', false],
      ['bpe.ts', true],
      ['buildBpeTables.mjs', false],
    ]);
  });

  it('is a server that does not run, by its name, so that the user can start it', () => {
    const servers = (['stopped', 'failed', 'starting', 'running'] as const).map((status) => ({
      ...{ name: `docs ${status}`, status, signInState: 'none' as const },
    }));
    const rows = mentionRows('docs', of({ servers, files: ['src/docs.ts'] }));
    assert.deepEqual(columns(rows, 'kind', 'name'), [
      ['file', 'docs.ts'],
      ['server', 'docs failed'],
      ['server', 'docs stopped'],
      ['serverLog', 'docs failed'],
    ]);
    assert.deepEqual(names('buildBpe', { servers }), ['buildBpeTables.mjs']);
  });

  it('is at most so many', () => {
    const files = Array.from({ length: 500 }, (_, at) => `src/file${String(at)}.ts`);
    assert.equal(mentionRows('file', of({ files })).length, MOST_MENTIONS);
    assert.equal(mentionRows('file', of({ files }))[0]?.name, 'file0.ts');
  });

  it('has the file of a rule once, as the rule, which its path finds, too', () => {
    const all = { files: [...FILES, '.loupe/rules/a.md', '.loupe/rules/off.md'], catalog };
    assert.deepEqual(columns(mentionRows('rules/', of({ ...all, open: ['.loupe/rules/a.md'] })), 'kind', 'name'), [
      ['file', 'off.md'],
      ['rule', 'BPE, how it merges'],
    ]);
  });

  it('has the resources of servers among the references, found by title and address, and last without a text', () => {
    const resource = (title: string, description: string): MentionedResource => ({
      ...{ item: { type: 'reference', name: `demo://${title.toLowerCase()}.md`, serverName: 'docs' } },
      ...{ title, description },
    });
    const resources = [resource('Features', ''), resource('Merging', 'How it merges')];
    const held = new Set(['resource:docs/demo://merging.md']);
    const rows = mentionRows('merg', of({ catalog, resources, held }));
    assert.deepEqual(
      columns(
        rows.filter(({ kind }) => kind === 'reference'),
        'key',
        'name',
        'about',
        'isIn',
      ),
      [
        ['reference:Merges', 'Merges', 'Of byte pairs', false],
        ['resource:docs/demo://merging.md', 'Merging', 'docs: How it merges', true],
      ],
    );
    assert.deepEqual(names('demo://feat', { resources }), ['Features']);
    const many = Array.from({ length: 20 }, (_, at) => resource(`R${String(at)}`, ''));
    assert.deepEqual(names('', { open: ['README.md'], files: [], catalog, resources: many }).slice(0, 3), [
      'README.md',
      'BPE, how it merges',
      'Merges',
    ]);
  });
});
