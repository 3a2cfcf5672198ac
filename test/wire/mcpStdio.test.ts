import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolProgress } from '../../src/engine/ports.js';
import type { McpServer } from '../../src/tools/mcp/mcpServer.js';
import { column } from '../support/columns.js';
import { callOptions, installed, McpRig, NEVER } from '../support/mcp/rig.js';

/** Starting Node and the servers' packages takes a second on a busy computer. */
const START_MS = 30_000;

describe('an MCP server over stdio', function () {
  this.timeout(START_MS);
  let rig: McpRig;
  const blobs = new Map<string, Uint8Array>();

  beforeEach(() => {
    rig = new McpRig({});
    blobs.clear();
  });

  afterEach(async () => {
    await rig.servers.dispose();
    assert.deepEqual(rig.errors, []);
  });

  const texts = async (server: McpServer, tool: string, args: Record<string, never> | object): Promise<string> => {
    const { content } = await server.call(tool, args as never, callOptions(blobs));
    return content.map((item) => (item.type === 'text' ? item.text : `<${item.type}>`)).join('\n');
  };

  it('starts when a tool of it is called, and keeps what it offers for the next window', async () => {
    const server = rig.server(installed('everything'));
    assert.deepEqual([server.status, server.tools], ['stopped', []]);
    assert.equal(await texts(server, 'echo', { message: 'hello' }), 'Echo: hello');
    assert.deepEqual([server.status, server.problem], ['running', null]);
    const names = server.tools.map(({ name }) => name);
    assert.ok(names.includes('echo') && names.includes('get-sum'));
    assert.deepEqual(names, names.toSorted());
    assert.deepEqual(rig.changes, ['configured', 'tested starting', 'tested tools', 'tested running']);
    assert.deepEqual(rig.kept.get(server.identity), server.tools);
  });

  it('takes no sampling and no roots: its tools for them are not offered', async () => {
    const server = rig.server(installed('everything'));
    await server.start(NEVER);
    const forbidden = server.tools.map(({ name }) => name).filter((name) => /sampling|roots/.test(name));
    assert.deepEqual(forbidden, []);
  });

  it('gives images, resources and links of a result to the model', async () => {
    const server = rig.server(installed('everything'));
    const image = await server.call('get-tiny-image', {}, callOptions(blobs));
    const part = image.content.find((item) => item.type === 'image');
    assert.ok(part !== undefined);
    assert.equal(part.mimeType, 'image/png');
    assert.equal(blobs.get(part.blob)?.length, part.bytes);
    assert.match(
      await texts(server, 'get-resource-reference', { resourceType: 'Text', resourceId: 1 }),
      /demo:\/\/resource\/dynamic\/text\/1/,
    );
    assert.match(await texts(server, 'get-resource-links', { count: 2 }), /demo:\/\/resource/);
    assert.match(await texts(server, 'get-structured-content', { location: 'New York' }), /temperature/);
  });

  it('tells progress', async () => {
    const progress: ToolProgress[] = [];
    const server = rig.server(installed('everything'));
    const options = { ...callOptions(blobs), onProgress: (made: ToolProgress) => void progress.push(made) };
    await server.call('trigger-long-running-operation', { duration: 0.2, steps: 2 }, options);
    // The last one can arrive with the answer. Then it is dropped.
    assert.deepEqual(progress[0], { done: 1, total: 2, text: null, asks: false });
  });

  it('goes on with the next call when one is stopped', async () => {
    const server = rig.server(installed('everything'));
    const stop = new AbortController();
    const onProgress = (): void => {
      stop.abort(new Error('stopped by the user'));
    };
    const stopped = server.call(
      'trigger-long-running-operation',
      { duration: 60, steps: 600 },
      { ...callOptions(blobs), signal: stop.signal, onProgress },
    );
    await assert.rejects(stopped, /stopped by the user/);
    assert.equal(await texts(server, 'echo', { message: 'still here' }), 'Echo: still here');
  });

  it('says to the model what is wrong with the arguments', async () => {
    const server = rig.server(installed('everything'));
    const outcome = await server.call('get-sum', { a: 'one' }, callOptions(blobs));
    assert.equal(outcome.isError, true);
    assert.match(JSON.stringify(outcome.content), /invalid/i);
    const unknown = await server.call('no-such-tool', {}, callOptions(blobs));
    assert.equal(unknown.isError, true);
    assert.match(JSON.stringify(unknown.content), /no-such-tool/);
  });

  it('writes files with the file server, and finds them again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loupe-mcp-'));
    const server = rig.server(installed('filesystem', folder));
    const path = join(folder, 'note.txt');
    await texts(server, 'write_file', { path, content: 'written by a tool' });
    assert.equal(await readFile(path, 'utf8'), 'written by a tool');
    assert.match(await texts(server, 'read_text_file', { path }), /written by a tool/);
    const outside = await server.call('read_text_file', { path: '/etc/hostname' }, callOptions(blobs));
    assert.equal(outside.isError, true);
    assert.match(JSON.stringify(outside.content), /outside allowed directories/);
    assert.equal(server.tools.find(({ name }) => name === 'read_text_file')?.saysItOnlyReads, true);
    await rm(folder, { recursive: true });
  });

  it('remembers with the memory server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loupe-mcp-'));
    const server = rig.server({ ...installed('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } });
    await texts(server, 'create_entities', { entities: [{ name: 'Loupe', entityType: 'panel', observations: ['hides nothing'] }] });
    assert.match(await texts(server, 'read_graph', {}), /hides nothing/);
    await rig.servers.dispose();
    await rm(folder, { recursive: true });
  });

  it('of the newest revision is spoken to by that', async () => {
    const script = join(process.cwd(), 'test/support/mcp/newestServer.mjs');
    const server = rig.server({ command: process.execPath, args: [script] });
    assert.equal(await texts(server, 'say', { text: 'hello' }), 'say: hello');
    assert.deepEqual(column(server.tools, 'name'), ['greet', 'say']);
  });

  it('is known by its tools in the next window, before it starts there', async () => {
    const server = rig.server(installed('memory'));
    await server.start(NEVER);
    const next = new McpRig({});
    rig.kept.forEach((tools, identity) => next.kept.set(identity, JSON.parse(JSON.stringify(tools))));
    const later = next.server(installed('memory'));
    assert.deepEqual([later.status, later.tools], ['stopped', server.tools]);
    const changed = next.server({ ...installed('memory'), env: { MEMORY_FILE_PATH: '/elsewhere' } });
    assert.deepEqual(changed.tools, []);
    next.kept.set(later.identity, [{ name: 'of another version' }]);
    assert.deepEqual(next.server(installed('memory')).tools, []);
  });

  it('of a workspace runs nothing before the user has seen its command, and is not asked about again with each message', async () => {
    rig.mayStart = () => Promise.resolve(false);
    const path = join(tmpdir(), 'loupe-mcp-none.jsonl');
    const server = rig.server({ ...installed('memory'), env: { MEMORY_FILE_PATH: path, MEMORY_TOKEN: 'secret-text' } });
    await server.allowed(NEVER);
    await server.start(NEVER);
    assert.deepEqual(
      [server.status, server.problem],
      ['failed', 'You did not allow the start of the server. To be asked again, start the server.'],
    );
    const asked = rig.starts.length;
    await server.start(NEVER);
    await server.allowed(NEVER);
    assert.equal(rig.starts.length, asked);
    const [first] = rig.starts;
    assert.ok(first !== undefined);
    assert.match(first.launch.line, /server-memory\/dist\/index\.js$/);
    assert.deepEqual([first.launch.given, first.identity], [[`MEMORY_FILE_PATH=${path}`, 'MEMORY_TOKEN=…'], server.identity]);
    assert.doesNotMatch(JSON.stringify(rig.starts), /secret-text/, 'no key of its environment');
    rig.mayStart = () => Promise.resolve(true);
    await rig.servers.restart('tested', NEVER);
    assert.equal(server.status, 'running');
  });

  it('of the user starts without a question', async () => {
    rig.mayStart = () => Promise.resolve(false);
    rig.servers.configure([
      { place: 'loupe.mcpServers', isOwn: true, folder: tmpdir(), content: { servers: { tested: installed('memory') } } },
    ]);
    await rig.only().start(NEVER);
    assert.deepEqual([rig.only().status, rig.starts], ['running', []]);
  });

  it('whose input the user does not give waits until the user starts it again', async () => {
    const content = {
      servers: { tested: { ...installed('memory'), env: { MEMORY_FILE_PATH: '${input:file}' } } },
      inputs: [{ id: 'file', type: 'promptString', description: 'Where to remember' }],
    };
    rig.servers.configure([{ place: '.vscode/mcp.json', isOwn: false, folder: tmpdir(), content }]);
    const server = rig.only();
    await server.start(NEVER);
    await server.start(NEVER);
    assert.deepEqual(
      [server.status, server.problem],
      ['failed', 'The input "file" of the server has no value. Start the server again to enter a value.'],
    );
    assert.equal(rig.asked.length, 1);
    rig.answer = join(tmpdir(), 'loupe-mcp-none.jsonl');
    await rig.servers.restart('tested', NEVER);
    assert.deepEqual([server.status, rig.asked.length], ['running', 2]);
    await rig.servers.restart('tested', NEVER);
    assert.equal(rig.asked.length, 2);
    await server.forgetInputs();
    await rig.servers.restart('tested', NEVER);
    assert.deepEqual([rig.asked.length, rig.servers.logOf('tested')], [3, server.log]);
  });
});
