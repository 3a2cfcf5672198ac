import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedToolLists } from '../../../src/host/tools/keptToolLists.js';
import { UTF8_EDITOR } from '../../support/utf8Editor.js';
import { type McpPlaces, readMcpSources } from '../../../src/host/tools/mcpSources.js';
import { SyntaxMistake } from '../../../src/tools/mcp/config/mcpConfig.js';

describe('where MCP servers are configured', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-sources-'));
    await mkdir(join(folder, '.vscode'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const places = (...folders: readonly string[]): McpPlaces => ({ folders, userFile: join(folder, 'User/mcp.json') });

  it('is the setting of the user, then their file of VS Code, then the files of each folder', async () => {
    await writeFile(join(folder, '.vscode/mcp.json'), '\uFEFF{ "servers": {}, } // comment');
    for (const name of ['User', '.cursor']) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'mcp.json'), `{ "mcpServers": { "${name}": {} } }`);
    }
    await writeFile(join(folder, '.mcp.json'), '{}');
    const { sources, problems } = await readMcpSources({ servers: { a: { command: 'b' } } }, places(folder), UTF8_EDITOR);
    assert.deepEqual(problems, []);
    assert.deepEqual(sources, [
      { place: 'loupe.mcpServers', isOwn: true, folder, content: { servers: { a: { command: 'b' } } } },
      { place: "VS Code's user file mcp.json", isOwn: true, folder, content: { mcpServers: { User: {} } } },
      { place: '.vscode/mcp.json', isOwn: false, folder, content: { servers: {} } },
      { place: '.mcp.json', isOwn: false, folder, content: {} },
      { place: '.cursor/mcp.json', isOwn: false, folder, content: { mcpServers: { '.cursor': {} } } },
    ]);
  });

  it('may be nowhere', async () => {
    assert.deepEqual(await readMcpSources(undefined, places(), UTF8_EDITOR), {
      sources: [{ place: 'loupe.mcpServers', isOwn: true, folder: null, content: undefined }],
      problems: [],
    });
    assert.equal((await readMcpSources(undefined, places(folder), UTF8_EDITOR)).sources.length, 1);
  });

  it('names the folder where there are several', async () => {
    const other = join(folder, 'other');
    await mkdir(join(other, '.vscode'), { recursive: true });
    await writeFile(join(other, '.vscode/mcp.json'), '{');
    const { sources } = await readMcpSources(undefined, places(folder, other), UTF8_EDITOR);
    assert.deepEqual(sources[1], { place: join(other, '.vscode/mcp.json'), isOwn: false, folder: other, content: new SyntaxMistake(1) });
  });

  it('that cannot be read is named, and never waited for', async () => {
    const file = join(folder, '.vscode/mcp.json');
    execFileSync('mkfifo', [file]);
    assert.deepEqual((await readMcpSources(undefined, places(folder), UTF8_EDITOR)).problems, [
      { place: '.vscode/mcp.json', line: null, text: '.vscode/mcp.json is a pipe (FIFO), not a file.' },
    ]);
    await rm(file);
    await symlink('/etc/hostname', file);
    assert.match(
      (await readMcpSources(undefined, places(folder), UTF8_EDITOR)).problems[0]?.text ?? '',
      /links to a place outside the workspace/,
    );
  });
});

describe('the tools that MCP servers last offered', () => {
  const fail = (thrown: unknown): void => {
    assert.fail(String(thrown));
  };

  it('are kept for some servers, and those that were kept last stay', () => {
    const memory = new Map<string, unknown>();
    const kept = storedToolLists(
      { get: (key) => memory.get(key), update: (key, value) => Promise.resolve(void memory.set(key, value)) },
      fail,
    );
    for (let server = 0; server < 40; server += 1) {
      kept.keep(String(server), [server]);
      kept.keep('a', ['a']);
    }
    assert.deepEqual(
      [kept.get('39'), kept.get('a'), kept.get('11'), kept.get('10'), kept.get('toString')],
      [[39], ['a'], [11], undefined, undefined],
    );
  });

  it('may be anything in memory that another version wrote', () => {
    const kept = storedToolLists({ get: () => 'text', update: () => Promise.resolve() }, fail);
    assert.equal(kept.get('a'), undefined);
  });
});
