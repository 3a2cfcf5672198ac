import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ToolCallOptions } from '../../src/engine/ports.js';
import type { CallOutcome } from '../../src/engine/tools/offered.js';
import type { ToolServer } from '../../src/engine/tools/tool.js';
import { VscodeServers } from '../../src/host/tools/vscode/vscodeServers.js';
import { until } from '../support/host/extension.js';
import { UNSTOPPED } from '../support/host/ownTools.js';

/* Tools of another extension, the driver (support/driver-extension/tools.js). */

const EXTENSION = 'loupe-test.driver';
const TIDE = 'loupeTest_tide';

describe("VS Code's tools", () => {
  const said: string[] = [];
  const servers = new VscodeServers((text) => said.push(text));
  const driver = (): ToolServer | undefined => servers.servers(new Set()).find(({ name }) => name === EXTENSION);

  before(async () => {
    await vscode.extensions.getExtension(EXTENSION)?.activate();
    await vscode.commands.executeCommand('loupeTest.tools.add');
    await until(() => driver() !== undefined, 'VS Code lists the tool');
  });

  const call = (place: string, options: Partial<ToolCallOptions>): Promise<CallOutcome> => {
    const server = driver();
    assert.ok(server);
    return server.call(TIDE, { place }, { ...UNSTOPPED, ...options });
  };

  it('are a server for each extension, by its id, which are in no chat until they are chosen', () => {
    const server = driver();
    assert.deepEqual([server?.status, server?.include, server?.identity], ['running', 'manual', `${EXTENSION}@0.0.1`]);
    assert.deepEqual(server?.tools, [
      {
        name: TIDE,
        title: null,
        description: 'Tells the tide at a place.',
        inputSchema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
        saysItOnlyReads: false,
      },
    ]);
    assert.equal(driver(), server, 'the same object while nothing changes');
  });

  it('run, and their result is their texts and images, with the real types and without broken images', async () => {
    const kept: Uint8Array[] = [];
    const keepBlob: ToolCallOptions['keepBlob'] = (bytes) => {
      kept.push(bytes);
      return Promise.resolve('a'.repeat(64));
    };
    const { content, isError } = await call('Zürich', { keepBlob });
    assert.equal(isError, false);
    const texts = content.map((part) => (part.type === 'text' ? part.text : part.type === 'image' ? part.mimeType : part.type));
    assert.deepEqual(texts, ['The tide at Zürich', 'image/gif', '(image, image/png, 0 KiB: not a format that models take)']);
    assert.deepEqual(
      kept.map((bytes) => Buffer.from(bytes).toString('latin1', 0, 6)),
      ['GIF89a'],
    );
  });

  it('that fail tell the model why', async () => {
    const { content, isError } = await call('nowhere', {});
    assert.equal(isError, true);
    assert.match(JSON.stringify(content), /There is no tide\./);
    assert.doesNotMatch(JSON.stringify(content), /Loupe/, 'the extension failed');
  });

  it('are cancelled with the call, and the call does not wait for them', async () => {
    const counts = (): Thenable<{ readonly begun: number; readonly cancelled: number }> =>
      vscode.commands.executeCommand('loupeTest.tools.counts');
    const before = await counts();
    const stop = new AbortController();
    const calling = call('far', { signal: stop.signal });
    await until(async () => (await counts()).begun > before.begun, 'the extension has the call');
    stop.abort(new Error('stopped'));
    await assert.rejects(calling, /stopped/);
    await until(async () => (await counts()).cancelled > before.cancelled, 'the extension knows that its call is cancelled');
  });
});
