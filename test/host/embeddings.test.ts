import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LoupeApi } from '../../src/protocol/api/api.js';
import { SCALE_TEXTS } from '../../src/engine/context/rank/meaning.js';
import { column } from '../support/columns.js';
import { activated, showNewChat, until, writeFile } from '../support/host/extension.js';
import { EmbeddingServer } from '../support/http/embeddingServer.js';

/** One dimension per pair, and one for the rest. */
const DIMENSIONS = SCALE_TEXTS.length / 2 + 1;

/** Each pair has its own direction, the rest has one. */
function vectorOf(text: string): number[] {
  const at = SCALE_TEXTS.indexOf(text);
  return Array.from({ length: DIMENSIONS }, (_, dimension) => (dimension === (at === -1 ? DIMENSIONS - 1 : Math.floor(at / 2)) ? 1 : 0.1));
}

describe('loupe.embeddings', () => {
  const server = new EmbeddingServer((texts) => Promise.resolve(texts.map(vectorOf)));
  const settings = vscode.workspace.getConfiguration('loupe');
  let api: LoupeApi;

  const set = (name: string, value: unknown): Thenable<void> => settings.update(name, value, vscode.ConfigurationTarget.Global);

  before(async () => {
    api = await activated();
    await server.start();
    await set('providers', [{ id: 'house', protocol: 'openai-compatible', baseUrl: server.url }]);
    await set('embeddings', 'house/small');
  });
  after(async () => {
    await set('embeddings', undefined);
    await set('providers', undefined);
    await server.stop();
  });

  it('has a rule picked that shares no word with the message, when it is sent, and nothing sent to the endpoint before', async () => {
    const rule = await writeFile('.loupe/rules/moons.md', '---\nname: Springs\ninclude: agent\n---\nAt new moon.');
    try {
      const chatId = await showNewChat(api);
      const lenses = (): Thenable<vscode.CodeLens[]> =>
        vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', rule);
      const known = async (): Promise<boolean> => (await lenses()).some(({ command }) => command?.title.startsWith('Loupe') === true);
      await vscode.workspace.openTextDocument(rule);
      await until(known, 'VS Code reports the new rule');
      assert.deepEqual(server.asked, []);
      await api.sendMessage('Which height has it tomorrow?', { chatId });
      const items = (await api.getChat(chatId)).messages.at(-1)?.requestContext?.items ?? [];
      const picked = items.filter(({ includeMode }) => includeMode === 'agent');
      assert.deepEqual(column(picked, 'name'), ['Springs']);
      assert.ok((picked[0]?.similarityScore ?? 0) > 0.45);
      assert.deepEqual([...server.texts].sort(), [...SCALE_TEXTS, 'Springs\nAt new moon.', 'Which height has it tomorrow?'].sort());
    } finally {
      await vscode.workspace.fs.delete(rule);
    }
  });
});
