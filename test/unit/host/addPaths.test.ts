import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMPTY_CATALOG, type Catalog } from '../../../src/engine/context/catalogItem.js';
import type { FileQuestions, LargeFolder } from '../../../src/host/context/fileQuestions.js';
import { addPaths } from '../../../src/host/context/addPaths.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { readCatalog } from '../../../src/host/context/catalog/readCatalog.js';
import { catalogLocations } from '../../../src/host/context/files/catalogLocations.js';
import { WorkspaceFiles } from '../../../src/host/context/files/workspaceFiles.js';
import { sha256 } from '../../../src/host/window/systemPorts.js';
import { contextChips, chipRows, itemKeys } from '../../../src/host/panel/composer/contextChips.js';
import { rejection } from '../../support/rejection.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';
import { readingOf } from '../../support/host/catalogReading.js';
import { type ContextChip, MOST_CHIPS } from '../../../src/protocol/panel/composer.js';
import { until } from '../../support/host/clocks.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { UTF8_EDITOR } from '../../support/utf8Editor.js';

const NO_DRAFT = { text: '', editing: null };

describe('adding files to a chat', () => {
  const windows = useWindows();
  let folder: string;
  let session: ChatSession;
  let catalog: Catalog;
  let asked: (readonly string[])[];
  let allowed: Set<string>;
  let agrees: boolean;
  let folders: LargeFolder[];
  let choice: 'tree' | 'files' | null;
  const questions: Pick<FileQuestions, 'isAllowed' | 'ask' | 'askFolder'> = {
    askFolder(large) {
      folders.push(large);
      return Promise.resolve(choice);
    },
    isAllowed: (name) => allowed.has(name),
    ask(files) {
      asked.push(files.map(({ name, doubt }) => `${name}: ${doubt.code}`));
      return Promise.resolve(agrees);
    },
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-workspace-'));
    session = await windows.open({}).chats.create();
    catalog = EMPTY_CATALOG;
    asked = [];
    allowed = new Set();
    agrees = true;
    folders = [];
    choice = 'tree';
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(name: string, content: string | Uint8Array): Promise<void> {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), content);
  }

  function add(names: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const places = names.map((name) => ({ path: join(folder, name), isFolder: name.endsWith('/') }));
    const files = new WorkspaceFiles([folder], UTF8_EDITOR);
    return addPaths(session, places, { files, reader: files, sha256, catalog, questions }, signal);
  }

  const inChat = (): string[] => [...session.state.context.values()].map(({ name }) => name);
  const never = new AbortController().signal;

  it('takes files, and the text files of folders, by their workspace path', async () => {
    await write('a.ts', 'let a;');
    await write('src/b.ts', 'let b;');
    await write('src/deep/c.ts', 'let c;');
    await write('src/picture.png', new Uint8Array([0x89, 0x50, 0, 0]));
    assert.deepEqual(await add(['a.ts', 'src/'], never), []);
    assert.deepEqual(inChat(), ['a.ts', 'src/b.ts', 'src/deep/c.ts']);
    const item = session.state.context.get('file:a.ts');
    assert.deepEqual([item?.includeMode, item?.addedHash, item?.given], ['manual', sha256('let a;'), null]);
  });

  it('takes the file of a rule as the rule, by itself and in its folder, and says when the chat has it', async () => {
    await write('AGENTS.md', 'Heights are metres.');
    await write('.loupe/rules/off.md', '---\nenabled: false\n---\nNever.');
    const files = new WorkspaceFiles([folder], UTF8_EDITOR);
    const { paths } = await files.catalogPaths([], catalogLocations({}));
    catalog = await readCatalog(paths, readingOf(files.read.bind(files)), EMPTY_CATALOG);
    assert.deepEqual(await add(['AGENTS.md', '.loupe/'], never), []);
    assert.deepEqual([...session.state.context.keys()], ['rule:AGENTS.md', 'file:.loupe/rules/off.md']);
    assert.equal(session.state.context.get('rule:AGENTS.md')?.includeMode, 'manual');
    assert.deepEqual(await add(['AGENTS.md'], never), ['AGENTS.md is in this chat already, as a rule.']);
  });

  it('asks about a folder with over 200 files, and adds its file tree, its first files, or nothing', async () => {
    for (let at = 0; at < 201; at += 1) {
      await write(`data/${at < 200 ? 'tides' : 'moons'}/${String(at).padStart(3, '0')}.json`, '{}');
    }
    assert.deepEqual(await add(['data/'], never), []);
    const [tree] = session.state.context.values();
    assert.ok(tree?.given !== undefined && tree.given !== null && 'inline' in tree.given);
    assert.deepEqual([tree.name, tree.includeMode], ['data (file tree)', 'manual']);
    assert.match(tree.given.inline, /^moons\/\n {2}200\.json\ntides\/\n {2}000\.json, .*, … 160 more$/);
    assert.deepEqual(
      folders.map(({ name, files, hasMore }) => [name, files, hasMore]),
      [['data', 201, false]],
    );
    choice = null;
    assert.deepEqual([await add(['data/'], never), inChat()], [['You did not add data.'], ['data (file tree)']]);
    choice = 'files';
    assert.deepEqual(await add(['data/'], never), []);
    assert.deepEqual([inChat().length, inChat().at(1), folders.length], [201, 'data/moons/200.json', 3]);
    await add(['data/tides/'], never);
    assert.equal(folders.length, 3, 'no question about 200 files');
    choice = 'tree';
    await add(['./'], never);
    assert.equal(inChat().at(-1), '. (file tree)', 'the workspace itself');
  });

  it('asks once about files with secrets and large files, and adds the others meanwhile', async () => {
    await write('keys/.env', 'PASSWORD=tide');
    await write('keys/a.ts', 'let a;');
    await write('pnpm-lock.yaml', 'x: 1\n'.repeat(40_000));
    agrees = false;
    const notes = await add(['keys/', 'pnpm-lock.yaml'], never);
    assert.deepEqual(
      [asked, notes, inChat()],
      [[['keys/.env: secret', 'pnpm-lock.yaml: large']], ['You did not add keys/.env.', 'You did not add pnpm-lock.yaml.'], ['keys/a.ts']],
    );
    agrees = true;
    assert.deepEqual(await add(['keys/.env', 'keys/', 'pnpm-lock.yaml'], never), []);
    assert.deepEqual(asked[1], asked[0], 'each file once');
    assert.deepEqual([asked.length, inChat()], [2, ['keys/a.ts', 'keys/.env', 'pnpm-lock.yaml']]);
  });

  it('does not ask about a file with secrets that the user allowed, or that is in the chat', async () => {
    await write('.env', 'PASSWORD=tide');
    allowed.add('.env');
    await add(['.env'], never);
    allowed.clear();
    await add(['.env'], never);
    assert.deepEqual([asked, inChat()], [[], ['.env']]);
  });

  it('notes the content that requests will hold, also where an editor has not saved it', async () => {
    await write('a.ts', 'saved');
    const editors = new MemoryFiles();
    editors.texts.set('a.ts', 'not saved yet');
    const place = { path: join(folder, 'a.ts'), isFolder: false };
    await addPaths(
      session,
      [place],
      { files: new WorkspaceFiles([folder], UTF8_EDITOR), reader: editors, sha256, catalog, questions },
      never,
    );
    assert.equal(session.state.context.get('file:a.ts')?.addedHash, sha256('not saved yet'));
  });

  it('remarks lines that are sent twice: by themselves, and with their file', async () => {
    const given = await session.context.store('let a;');
    await session.context.add({ type: 'file', name: 'a.ts:1-1', includeMode: 'manual', addedHash: sha256('let a;'), given });
    const warnings = async (): Promise<unknown[]> => {
      const composed = await session.next.preview(NO_DRAFT);
      return contextChips(composed, session.state).map(({ name, warning }) => [name, warning?.kind ?? null]);
    };
    assert.deepEqual(await warnings(), [['a.ts:1-1', null]]);
    await session.context.add({
      type: 'file',
      name: 'a.ts',
      includeMode: 'manual',
      addedHash: null,
      given: await session.context.store('let a;'),
    });
    assert.deepEqual(await warnings(), [
      ['a.ts:1-1', 'twice'],
      ['a.ts', null],
    ]);
  });

  it('refuses what is outside, binary or gone, with the reason, and takes the others', async () => {
    await write('fine.ts', 'fine');
    await write('binary.dat', new Uint8Array([1, 0, 2]));
    const notes = await add(['../outside.ts', 'binary.dat', 'gone.ts', 'fine.ts'], never);
    assert.deepEqual(inChat(), ['fine.ts']);
    assert.equal(notes.length, 3);
    assert.match(notes[0] ?? '', /outside\.ts is not in this workspace\. To add it, first open its folder in VS Code\.$/);
    assert.match(notes[1] ?? '', /^binary\.dat is not a text file/);
    assert.equal(notes[2], 'gone.ts does not exist.');
  });

  it('keeps what was added when it is cancelled', async () => {
    for (const name of ['a', 'b', 'c']) {
      await write(name, name);
    }
    const abort = new AbortController();
    session.onChange(() => {
      abort.abort();
    });
    const error = await rejection(add(['a', 'b', 'c'], abort.signal));
    assert.equal(error.kind, 'cancelled');
    assert.deepEqual(inChat(), ['a']);
  });

  it('of one that is there already keeps one', async () => {
    await write('a.ts', 'before');
    await add(['a.ts'], never);
    await write('a.ts', 'after');
    await add(['a.ts'], never);
    assert.deepEqual(inChat(), ['a.ts']);
    assert.equal(session.state.context.get('file:a.ts')?.addedHash, sha256('after'));
  });
});

describe('the chips of a chat', () => {
  const windows = useWindows();

  it('carry the tokens of each file, as the request counts them, and no warning', async () => {
    const files = new MemoryFiles();
    files.texts.set('a.ts', 'let a;');
    const session = await windows.open({ files }).chats.create();
    await session.context.add({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: sha256('let a;'), given: null });
    const composed = await session.next.preview(NO_DRAFT);
    const [chip] = contextChips(composed, session.state);
    const block = composed.prompt.messages.flatMap(({ blocks }) => blocks).find(({ key }) => key === 'file:a.ts');
    assert.deepEqual(chip, { key: 'file:a.ts', name: 'a.ts', files: null, tokens: block?.tokens, warning: null });
  });

  it('warn of a change since adding, then since the last request', async () => {
    const files = new MemoryFiles();
    const { session } = await windows.openChat({ files });
    const warningNow = async (): Promise<string | null> => {
      const [chip] = contextChips(await session.next.preview(NO_DRAFT), session.state);
      return chip?.warning?.text ?? null;
    };
    const isSent = 'The next request sends the new version.';
    files.texts.set('a.ts', 'one');
    await session.context.add({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: sha256('one'), given: null });
    files.texts.set('a.ts', 'two');
    assert.equal(await warningNow(), `Changed since you added it. ${isSent}`);
    await session.conversation.send('/long 1');
    assert.equal(await warningNow(), null);
    files.texts.set('a.ts', 'two two two');
    assert.match(
      (await warningNow()) ?? '',
      /^Changed since the last request \(\+[1-9]\d* tokens\)\. The next request sends the new version\.$/,
    );
    files.texts.set('a.ts', 'two');
    assert.equal(await warningNow(), null);
    files.texts.delete('a.ts');
    assert.equal(await warningNow(), 'Deleted since the last request. a.ts does not exist.');
  });

  it('say why a file is refused', async () => {
    const files = new MemoryFiles();
    files.texts.set('binary.dat', 'a\0b');
    const session = await windows.open({ files }).chats.create();
    await session.context.add({ type: 'file', name: 'binary.dat', includeMode: 'manual', addedHash: null, given: null });
    const [chip] = contextChips(await session.next.preview(NO_DRAFT), session.state);
    assert.deepEqual([chip?.tokens, chip?.warning?.kind], [null, 'refused']);
    assert.match(chip?.warning?.text ?? '', /^binary\.dat is not a text file/);
  });

  it('do not warn of content that was given with the file', async () => {
    const { session } = await windows.openChat({});
    await session.context.add({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: null, given: { inline: 'given' } });
    const [chip] = contextChips(await session.next.preview(NO_DRAFT), session.state);
    assert.equal(chip?.warning, null);
  });
});

function chip(name: string, changes: Partial<ContextChip>): ContextChip {
  return { key: `file:${name}`, name, files: null, tokens: 10, warning: null, ...changes };
}

const NO_TOOLS = { tools: 0, toolsNotOffered: 0 };
const names = (chips: readonly ContextChip[]): string[] => chips.map(({ name }) => name);
const CHANGED = { kind: 'changed', text: 'Changed.' } as const;
/** Seven files in `src`, one with a warning, among others. */
const CHIPS = [
  chip('README.md', {}),
  ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => chip(`src/${name}.ts`, {})),
  chip('src/changed.ts', { warning: CHANGED }),
  ...['x', 'y', 'z', 'v'].map((name) => chip(`docs/${name}.md`, {})),
];

describe('The chips of a chat', () => {
  it('stand for a folder where that has many files; a file with a warning keeps its own', () => {
    const { context, contextTotal } = chipRows(CHIPS, NO_TOOLS, false);
    assert.deepEqual(names(context), ['README.md', 'src/', 'src/changed.ts', 'docs/x.md', 'docs/y.md', 'docs/z.md', 'docs/v.md']);
    assert.deepEqual(context[1], { key: 'folder:src', name: 'src/', files: 6, tokens: 60, warning: null });
    assert.deepEqual(contextTotal, { items: 12, kinds: [['file', 12]], tokens: 120, folded: 6, foldedWarnings: 0, ...NO_TOOLS });
  });

  it('are one for each file while they are open', () => {
    const { context, contextTotal } = chipRows(CHIPS, NO_TOOLS, true);
    assert.deepEqual(context, CHIPS);
    assert.equal(contextTotal.folded, 6, 'so that they can be closed again');
  });

  it('tell of those that are left out how many have a warning', () => {
    const many = Array.from({ length: MOST_CHIPS + 3 }, (_, index) => chip(`file${String(index)}`, { warning: CHANGED, tokens: null }));
    const { context, contextTotal } = chipRows(many, NO_TOOLS, false);
    assert.equal(context.length, MOST_CHIPS);
    const items = MOST_CHIPS + 3;
    assert.deepEqual(contextTotal, { items, kinds: [['file', items]], tokens: 0, folded: 3, foldedWarnings: 3, ...NO_TOOLS });
  });

  it('do not fold what is no file, or in no folder', () => {
    const rules = Array.from({ length: 9 }, (_, index) => chip(`a/rule ${String(index)}`, { key: `rule:a/rule ${String(index)}` }));
    const roots = Array.from({ length: 9 }, (_, index) => chip(`file${String(index)}`, {}));
    assert.equal(chipRows([...rules, ...roots], NO_TOOLS, false).contextTotal.folded, 0);
  });

  it('are known by the keys of what they stand for', () => {
    const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `file:src/${name}.ts`);
    assert.deepEqual(itemKeys(CHIPS, 'folder:src'), files);
    assert.deepEqual(itemKeys(CHIPS, 'file:src/a.ts'), ['file:src/a.ts']);
    assert.deepEqual(itemKeys(CHIPS, 'folder:docs'), []);
  });
});

const NAMES = ['README.md', ...['a', 'b', 'c', 'd', 'e'].map((name) => `src/${name}.ts`), 'docs/x.md'];

describe('Removing files of a chat', () => {
  const windows = useWindows();
  let test: TestPanel;
  let session: ChatSession;

  beforeEach(async () => {
    const files = new MemoryFiles();
    test = await panelOf(windows.open({ files }), undefined);
    session = await test.shown.current();
    for (const name of NAMES) {
      files.texts.set(name, `Content of ${name}`);
      await add(name);
    }
    await until(() => test.webview.state.contextTotal.items === NAMES.length, 'the chips are there');
  });

  function add(name: string): Promise<void> {
    return session.context.add({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null });
  }

  const inChat = (): string[] => [...session.state.context.values()].map(({ name }) => name);
  const banners = (): string[] => test.webview.state.banners.map(({ text }) => text);
  const remove = (key: string): Promise<void> => test.say({ type: 'removeContext', chatId: session.id, key });
  const removeAll = (): Promise<void> => test.say({ type: 'removeAllContext', chatId: session.id });
  const undo = (): Promise<void> =>
    test.say({ type: 'bannerAction', bannerId: 'contextRemoved', action: 'undoRemove', argument: session.id });

  it('takes all of them at once, and Undo brings them back in their order', async () => {
    await removeAll();
    assert.deepEqual(inChat(), []);
    await until(() => banners().includes('7 files were removed from this chat.'), 'the banner is there');
    await undo();
    assert.deepEqual(inChat(), NAMES);
    await until(() => banners().length === 0, 'the banner is gone');
  });

  it('takes those of a folder by its chip; Undo puts them where they were, and keeps what came and went since', async () => {
    await remove('folder:src');
    assert.deepEqual(inChat(), ['README.md', 'docs/x.md']);
    await add('new.md');
    await remove('file:docs/x.md');
    await undo();
    assert.deepEqual(inChat(), [...NAMES.filter((name) => name !== 'docs/x.md'), 'new.md']);
  });

  it('asks for no Undo for one file, which is added again as easily', async () => {
    await remove('file:README.md');
    assert.deepEqual(inChat(), NAMES.slice(1));
    test.panel.channel.snapshot();
    assert.deepEqual(banners(), []);
  });

  it('offers Undo for one file whose box was unchecked, because its row is gone with it', async () => {
    await test.say({ type: 'removeItems', chatId: session.id, keys: ['file:README.md'] });
    assert.deepEqual(inChat(), NAMES.slice(1));
    await until(() => banners().includes('README.md was removed from this chat.'), 'the banner is there');
    await undo();
    assert.deepEqual(inChat(), NAMES);
  });

  it('is undone once, in its own chat', async () => {
    await removeAll();
    const other = await test.chats.create();
    await test.say({ type: 'bannerAction', bannerId: 'contextRemoved', action: 'undoRemove', argument: other.id });
    assert.deepEqual([...other.state.context], []);
    await removeAll();
    await add('new.md');
    await undo();
    await undo();
    assert.deepEqual(inChat(), [...NAMES, 'new.md']);
  });
});
