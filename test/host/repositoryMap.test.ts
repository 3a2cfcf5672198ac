import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LoupeApi } from '../../src/protocol/api/api.js';
import { activated, fileUri, until, writeFile } from '../support/host/extension.js';

describe('the repository map in VS Code', () => {
  let api: LoupeApi;
  let chatId: string;

  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('loupe.defaults');

  /** Opens a chat with these settings. */
  async function openChat(change: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [name, value] of Object.entries(change)) {
      await settings().update(name, value, vscode.ConfigurationTarget.Global);
    }
    chatId = await api.newChat();
  }

  const MAP = { repositoryMap: 'map', repositoryTokens: 8_000 };

  const system = async (message: string): Promise<string> => (await api.previewNextRequest(chatId, { text: message })).body;

  const untilSent = (text: string, message: string): Promise<void> =>
    until(async () => (await system(message)).includes(JSON.stringify(text).slice(1, -1)), `in the next request: ${text}`);

  beforeEach(async () => {
    api = await activated();
    await writeFile('harbour/berth.ts', 'export function dockShip(name: string): string {\n  return name;\n}\n');
    await writeFile(
      'harbour/ferry.py',
      'from berth import dockShip\n\nclass Ferry:\n    def sail_north(self, speed):\n        dockShip("a")\n',
    );
    await writeFile('harbour/.gitignore', 'built/\n');
    await writeFile('harbour/built/generated.ts', 'export function generatedTide(): void {}\n');
  });

  afterEach(async () => {
    for (const name of ['repositoryMap', 'repositoryTokens', 'repositoryWithout']) {
      await settings().update(name, undefined, vscode.ConfigurationTarget.Global);
    }
    await vscode.workspace.fs.delete(fileUri('harbour'), { recursive: true });
  });

  it('has the files that git does not ignore, and their definitions in several languages', async () => {
    await openChat({});
    assert.ok(!(await system('Hello')).includes('Repository Files'), 'off by default');
    await openChat(MAP);
    await untilSent('berth.ts', 'Hello');
    await untilSent('  berth.ts\n    function dockShip(name: string): string', 'How do I dock a ship?');
    await untilSent('    class Ferry\n      def sail_north(self, speed)', 'How does a ferry sail north?');
    const body = await system('dock');
    assert.ok(body.includes('# Repository Files') && body.includes('# Repository Structure'), body);
    assert.ok(!body.includes('generatedTide') && !body.includes('generated.ts'), 'ignored by git');
  });

  it('has the changes of files, and omits folders that the settings name', async () => {
    await openChat(MAP);
    await untilSent('function dockShip(name: string): string', 'dock');
    await writeFile('harbour/berth.ts', 'export function dockShip(name: string, berth: number): string {\n  return name;\n}\n');
    await untilSent('function dockShip(name: string, berth: number): string', 'dock');
    await openChat({ ...MAP, repositoryWithout: 'harbour' });
    await until(async () => !(await system('dock')).includes('dockShip'), 'no definitions of the folder');
  });

  it('is recorded as an item of the request, and lists both parts with their tokens', async () => {
    await openChat(MAP);
    await untilSent('# Repository Structure', 'Hello');
    await api.sendMessage('Hello', { chatId });
    const { messages } = await api.getChat(chatId);
    const items = messages.at(-1)?.requestContext?.items.filter(({ type }) => type === 'repository');
    assert.deepEqual(
      items?.map(({ name, includeMode }) => [name, includeMode]),
      [
        ['tree', 'always'],
        ['map', 'always'],
      ],
    );
    const sent = JSON.parse((await api.previewNextRequest(chatId, { text: 'And then?' })).body) as unknown;
    assert.ok(JSON.stringify(sent).includes('Repository Structure'));
  });
});
