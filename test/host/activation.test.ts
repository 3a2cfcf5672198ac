import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { activated, loupe } from '../support/host/extension.js';

interface Manifest {
  readonly version: string;
  readonly contributes: { readonly commands: readonly { readonly command: string; readonly category: string }[] };
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] };
  };
}

const manifest = (): Manifest => loupe().packageJSON as Manifest;
const ACTIVATION_LIMIT = 100 * 1024;

function staticImports(entry: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (!files.has(file)) {
      const text = readFileSync(file, 'utf8');
      files.set(file, text);
      const folder = dirname(file);
      waiting.push(...Array.from(text.matchAll(/(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g), ([, path]) => join(folder, path ?? '')));
    }
  }
  return files;
}

describe('activation', () => {
  it('returns the API with the version of the extension', async () => {
    const api = await activated();
    assert.equal(api.version, manifest().version);
    assert.deepEqual(Object.keys(api).sort(), [
      'diagnose',
      'exclude',
      'getChat',
      'getHistoryStatus',
      'getRequest',
      'getSession',
      'getUsage',
      'include',
      'listAttempts',
      'listChats',
      'newChat',
      'pin',
      'previewNextRequest',
      'respond',
      'searchHistory',
      'sendMessage',
      'setFragment',
      'setWorkspace',
      'summarize',
      'undoCompaction',
      'unpin',
      'version',
    ]);
  });

  it('registers every command of package.json, each in the category Loupe', async () => {
    await activated();
    const registered = new Set(await vscode.commands.getCommands(true));
    const { commands } = manifest().contributes;
    assert.ok(commands.length > 10);
    for (const { command, category } of commands) {
      assert.ok(registered.has(command), command);
      assert.equal(category, 'Loupe', command);
    }
  });

  it('registers the view', async () => {
    await activated();
    await vscode.commands.executeCommand('loupe.chat.focus');
  });

  it('reads little: neither token counter nor model, validator nor storage', () => {
    const files = staticImports(join(loupe().extensionPath, 'dist', 'extension.js'));
    const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    assert.ok(bytes > 1_000 && bytes < ACTIVATION_LIMIT, `${String(bytes)} bytes`);
    const text = [...files.values()].join('\n');
    // Texts that occur only in these parts.
    const marks = [
      'I fail twice, then I reply',
      'This is no rank table',
      'discriminator',
      'Another program changed line 1 of the log',
      '.jsonl',
      'o200k_base',
      'is overloaded or unavailable right now',
    ];
    const chunks = join(loupe().extensionPath, 'dist', 'chunks');
    const others = readdirSync(chunks).map((name) => readFileSync(join(chunks, name), 'utf8'));
    for (const mark of marks) {
      const isNamed = others.some((other) => other.includes(mark));
      assert.ok(isNamed, `no part says "${mark}" any more`);
      assert.ok(!text.includes(mark), mark);
    }
  });

  it('declares what Restricted Mode takes away', () => {
    const { supported, restrictedConfigurations } = manifest().capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    assert.deepEqual([...restrictedConfigurations].sort(), [
      'loupe.defaults.model',
      'loupe.defaults.systemPrompt',
      'loupe.defaults.titleModel',
      'loupe.defaults.topicModel',
      'loupe.includeModes',
    ]);
  });
});
