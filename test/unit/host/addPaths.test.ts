import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMPTY_CATALOG, type Catalog } from '../../../src/engine/context/catalogItem.js';
import { addPaths } from '../../../src/host/context/addPaths.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { readCatalog } from '../../../src/host/context/catalog/readCatalog.js';
import { WorkspaceFiles } from '../../../src/host/context/files/workspaceFiles.js';
import { sha256 } from '../../../src/host/window/systemPorts.js';
import { contextChips } from '../../../src/host/panel/nextRequest/nextRequestView.js';
import { rejection } from '../../support/rejection.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';
import { readingOf } from '../../support/host/catalogReading.js';

const NO_DRAFT = { text: '', editing: null };

describe('adding files to a chat', () => {
  const windows = useWindows();
  let folder: string;
  let session: ChatSession;
  let catalog: Catalog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-workspace-'));
    session = await windows.open({}).chats.create();
    catalog = EMPTY_CATALOG;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(name: string, content: string | Uint8Array): Promise<void> {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), content);
  }

  function add(names: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const places = names.map((name) => ({ path: join(folder, name), isFolder: name.endsWith('/') }));
    const files = new WorkspaceFiles([folder]);
    return addPaths(session, places, { files, reader: files, sha256, catalog }, signal);
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
    const files = new WorkspaceFiles([folder]);
    catalog = await readCatalog((await files.catalogPaths([])).paths, readingOf(files.read.bind(files)), EMPTY_CATALOG);
    assert.deepEqual(await add(['AGENTS.md', '.loupe/'], never), []);
    assert.deepEqual([...session.state.context.keys()], ['rule:AGENTS.md', 'file:.loupe/rules/off.md']);
    assert.equal(session.state.context.get('rule:AGENTS.md')?.includeMode, 'manual');
    assert.deepEqual(await add(['AGENTS.md'], never), ['AGENTS.md is in this chat already, as a rule.']);
  });

  it('notes the content that requests will hold, also where an editor has not saved it', async () => {
    await write('a.ts', 'saved');
    const editors = new MemoryFiles();
    editors.texts.set('a.ts', 'not saved yet');
    const place = { path: join(folder, 'a.ts'), isFolder: false };
    await addPaths(session, [place], { files: new WorkspaceFiles([folder]), reader: editors, sha256, catalog }, never);
    assert.equal(session.state.context.get('file:a.ts')?.addedHash, sha256('not saved yet'));
  });

  it('remarks lines that are sent twice: by themselves, and with their file', async () => {
    const given = await session.keepGiven('let a;');
    await session.addContext({ type: 'file', name: 'a.ts:1-1', includeMode: 'manual', addedHash: sha256('let a;'), given });
    const warnings = async (): Promise<unknown[]> => {
      const composed = await session.preview(NO_DRAFT);
      return contextChips(composed, session.state).map(({ name, warning }) => [name, warning?.kind ?? null]);
    };
    assert.deepEqual(await warnings(), [['a.ts:1-1', null]]);
    await session.addContext({
      type: 'file',
      name: 'a.ts',
      includeMode: 'manual',
      addedHash: null,
      given: await session.keepGiven('let a;'),
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
    await session.addContext({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: sha256('let a;'), given: null });
    const composed = await session.preview(NO_DRAFT);
    const [chip] = contextChips(composed, session.state);
    const block = composed.prompt.messages.flatMap(({ blocks }) => blocks).find(({ key }) => key === 'file:a.ts');
    assert.deepEqual(chip, { key: 'file:a.ts', name: 'a.ts', files: null, tokens: block?.tokens, warning: null });
  });

  it('warn of a change since adding, then since the last request', async () => {
    const files = new MemoryFiles();
    const { session } = await windows.openChat({ files });
    const warningNow = async (): Promise<string | null> => {
      const [chip] = contextChips(await session.preview(NO_DRAFT), session.state);
      return chip?.warning?.kind ?? null;
    };
    files.texts.set('a.ts', 'one');
    await session.addContext({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: sha256('one'), given: null });
    files.texts.set('a.ts', 'two');
    assert.equal(await warningNow(), 'changed');
    await session.conversation.send('/long 1');
    assert.equal(await warningNow(), null);
    files.texts.set('a.ts', 'one');
    assert.equal(await warningNow(), 'changed');
    files.texts.set('a.ts', 'two');
    assert.equal(await warningNow(), null);
    files.texts.delete('a.ts');
    assert.equal(await warningNow(), 'missing');
  });

  it('say why a file is refused', async () => {
    const files = new MemoryFiles();
    files.texts.set('binary.dat', 'a\0b');
    const session = await windows.open({ files }).chats.create();
    await session.addContext({ type: 'file', name: 'binary.dat', includeMode: 'manual', addedHash: null, given: null });
    const [chip] = contextChips(await session.preview(NO_DRAFT), session.state);
    assert.deepEqual([chip?.tokens, chip?.warning?.kind], [null, 'refused']);
    assert.match(chip?.warning?.text ?? '', /^binary\.dat is not a text file/);
  });

  it('do not warn of content that was given with the file', async () => {
    const { session } = await windows.openChat({});
    await session.addContext({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: null, given: { inline: 'given' } });
    const [chip] = contextChips(await session.preview(NO_DRAFT), session.state);
    assert.equal(chip?.warning, null);
  });
});
