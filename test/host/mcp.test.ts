import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { LoupeError } from '../../src/engine/errors.js';
import { McpHost } from '../../src/host/tools/mcpHost.js';
import { fileUri, loupe, writeFile } from '../support/host/extension.js';

/** A server whose one tool returns its arguments and environment. */
const SCRIPT = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const answers = {
  initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'told', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'tell', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: process.cwd() + ' ' + process.argv[1] + ' ' + process.pid }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const answer = answers[method];
  if (answer !== undefined) send({ id, result: answer() });
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
});`;

const server = (...args: readonly string[]): object => ({ command: process.execPath, args: ['-e', SCRIPT, ...args] });
const NEVER = new AbortController().signal;
const KEPT = 'a-kept-value';

describe('the MCP servers of a window', () => {
  let host: McpHost;
  let errors: LoupeError[];
  let isTrusted: boolean;

  const start = (): McpHost => {
    const secrets = { get: () => Promise.resolve(KEPT), store: () => Promise.resolve(), delete: () => Promise.resolve() };
    const memory = new Map<string, unknown>();
    const globalState = {
      get: (key: string) => memory.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void memory.set(key, value)),
    };
    const context = {
      secrets,
      globalState,
      globalStorageUri: vscode.Uri.file(join(tmpdir(), 'loupe-user', 'globalStorage', 'loupe')),
      extension: loupe(),
    } as unknown as vscode.ExtensionContext;
    return new McpHost({ context, isTrusted: () => isTrusted, logError: (error) => void errors.push(error) });
  };

  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const stop = host.servers.listen({
        configured: () => {
          check();
        },
        changed: () => undefined,
      });
      const check = (): void => {
        if (isSo()) {
          stop();
          resolve();
        }
      };
      check();
    });

  const names = (): readonly string[] => host.servers.servers().map(({ name }) => name);

  beforeEach(() => {
    errors = [];
    isTrusted = true;
  });

  afterEach(async () => {
    await host.dispose();
    await vscode.workspace.fs.delete(fileUri('.vscode/mcp.json'));
    await vscode.workspace.getConfiguration('loupe').update('mcpServers', undefined, vscode.ConfigurationTarget.Global);
    assert.deepEqual(errors, []);
  });

  it('are those of the folder and of the settings, as they are now', async () => {
    await writeFile('.vscode/mcp.json', JSON.stringify({ servers: { told: server('one') } }));
    host = start();
    await host.read();
    assert.deepEqual([names(), host.mistakes], [['told'], []]);
    await writeFile('.vscode/mcp.json', JSON.stringify({ servers: { told: server('two'), wrong: {} } }));
    await until(() => host.mistakes.length > 0);
    assert.deepEqual(host.mistakes, [
      { place: '.vscode/mcp.json', line: null, text: '.vscode/mcp.json, server "wrong": The server needs "command" or "url".' },
    ]);
    const own = { servers: { told: server('own'), other: server() } };
    await vscode.workspace.getConfiguration('loupe').update('mcpServers', own, vscode.ConfigurationTarget.Global);
    await until(() => names().length === 2);
    assert.deepEqual(names(), ['other', 'told']);
    assert.equal(host.servers.servers()[1]?.place, 'loupe.mcpServers');
  });

  it('are also those of Claude Code and Cursor, as they change', async () => {
    await writeFile('.vscode/mcp.json', '{}');
    await writeFile('.mcp.json', JSON.stringify({ mcpServers: { claude: server() } }));
    try {
      host = start();
      await host.read();
      assert.deepEqual([names(), host.mistakes], [['claude'], []]);
      await writeFile('.cursor/mcp.json', JSON.stringify({ mcpServers: { cursor: server(), claude: server() } }));
      await until(() => names().length === 2);
      assert.deepEqual(
        host.servers.servers().map(({ name, place }) => [name, place]),
        [
          ['claude', '.mcp.json'],
          ['cursor', '.cursor/mcp.json'],
        ],
      );
      assert.deepEqual(host.mistakes, []);
    } finally {
      await vscode.workspace.fs.delete(fileUri('.mcp.json'));
      await vscode.workspace.fs.delete(fileUri('.cursor'), { recursive: true });
    }
  });

  it('run in the folder of the workspace, with the values of its inputs, and end with the window', async () => {
    const content = { servers: { told: server('${input:word}') }, inputs: [{ id: 'word', type: 'promptString' }] };
    await writeFile('.vscode/mcp.json', JSON.stringify(content));
    host = start();
    await host.read();
    const [told] = host.servers.servers();
    assert.ok(told);
    const asked: (string | undefined)[] = [];
    host.permissions.onChange(() => {
      const question = host.permissions.question();
      asked.push(question?.line);
      host.permissions.answer(question?.id ?? '', true);
    });
    const options = { signal: NEVER, onProgress: () => undefined, keepBlob: () => Promise.resolve('') };
    const outcome = await told.call('tell', {}, options);
    assert.equal(outcome.isError, false, told.problem ?? '');
    assert.match(asked[0] ?? '', /-e .* \$\{input:word\}$/s, 'the command is shown, and no value');
    const [part] = outcome.content;
    const [folder, word, pid] = part?.type === 'text' ? part.text.split(' ') : [];
    assert.deepEqual([folder, word], [fileUri('').fsPath.replace(/\/$/, ''), KEPT]);
    await host.dispose();
    assert.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' });
  });

  it('are none in Restricted Mode', async () => {
    isTrusted = false;
    await writeFile('.vscode/mcp.json', JSON.stringify({ servers: { told: server() } }));
    await vscode.workspace
      .getConfiguration('loupe')
      .update('mcpServers', { servers: { own: server() } }, vscode.ConfigurationTarget.Global);
    host = start();
    await host.read();
    assert.deepEqual([names(), host.mistakes], [[], []]);
  });
});
