import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Capabilities, Model } from '../../../src/engine/model/model.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { column } from '../../support/columns.js';
import { until } from '../../support/host/clocks.js';
import { beginWithTools, openPanel, type TestPanel } from '../../support/host/panel.js';
import { EchoServer, toolboxWith, toolNamed } from '../../support/host/toolServer.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

const NAMES = { characters: 'a-z', maxLength: 10 };

describe('tools of a chat that the model does not accept', () => {
  const windows = useWindows();

  /** Returns the chip's numbers, the numbers of the section, and the note of each tool. */
  async function shown(change: Partial<Capabilities>): Promise<readonly unknown[]> {
    const model: Model = { ...PRACTICE_STANDARD, label: 'Plain', capabilities: { ...PRACTICE_STANDARD.capabilities, ...change } };
    const server = new EchoServer('files', 'list', 'read');
    const properties = { $top: { type: 'number' } };
    server.tools = [...server.tools, { ...toolNamed('query'), inputSchema: { type: 'object', properties } }];
    const toolbox = toolboxWith([server], join(windows.folder, 'allowed'));
    const test: TestPanel = openPanel(windows.open({ files: new MemoryFiles(), toolbox, models: [model] }), { currentChat: undefined });
    await beginWithTools(test, 'files');
    const { webview } = test;
    await until(() => webview.state.contextTotal.tools + webview.state.contextTotal.toolsNotOffered === 3, 'the tools');
    const { contextTotal, manager } = webview.state;
    const section = manager?.tools ?? assert.fail('There are no tools.');
    const [row] = section.servers;
    return [
      [contextTotal.tools, contextTotal.toolsNotOffered],
      [section.held, section.total, row?.held, row?.total],
      column(row?.tools ?? [], 'note'),
    ];
  }

  it('are counted, and have the reason in their row, when their arguments have other names', async () => {
    const toolSchemas = { ...PRACTICE_STANDARD.capabilities.toolSchemas, propertyNames: NAMES };
    assert.deepEqual(await shown({ toolSchemas }), [
      [2, 1],
      [2, 3, 2, 3],
      [null, null, 'Not offered: Plain does not accept the name of its argument "$top".'],
    ]);
  });

  it('are counted, and have the reason in their row, when they are too many', async () => {
    assert.deepEqual(await shown({ mostTools: 1 }), [
      [1, 2],
      [1, 3, 1, 3],
      [null, ...Array.from({ length: 2 }, () => 'Not offered: Plain accepts at most 1 tool.')],
    ]);
  });

  it('are none when the model accepts all of them', async () => {
    assert.deepEqual(await shown({}), [
      [3, 0],
      [3, 3, 3, 3],
      [null, null, null],
    ]);
  });
});
