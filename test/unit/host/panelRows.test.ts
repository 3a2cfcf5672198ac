import assert from 'node:assert/strict';
import { MOST_CHIPS } from '../../../src/protocol/panel/composer.js';
import type { AssistantEntry } from '../../../src/protocol/panel/entries.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { until } from '../../support/host/clocks.js';
import { panelOf, readyPanel, type TestPanel } from '../../support/host/panel.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

const FILES = 200;
const LEFT_OUT = 1_000;
const ENTRIES = 50;
/** The largest snapshot of the panel, in bytes of its JSON. */
const MOST_BYTES = 200_000;

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value), 'utf8');

describe('the rows of the panel', () => {
  const windows = useWindows();

  async function openWithContext(fileCount: number, leftOut: number, exchanges: number): Promise<TestPanel> {
    const files = new MemoryFiles();
    const window = windows.open({ files });
    const test = await readyPanel(window);
    const session = await test.shown.current();
    for (let at = 0; at < fileCount; at += 1) {
      const name = `src/components/part${String(at)}/component.ts`;
      files.texts.set(name, `export const part = ${String(at)};`);
      await session.context.add({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null });
    }
    for (let at = 0; at < leftOut; at += 1) {
      const name = `A rule about the components of part ${String(at)}`;
      await session.context.add({ type: 'rule', name, includeMode: 'always', addedHash: null, given: null });
    }
    for (let exchange = 0; exchange < exchanges; exchange += 1) {
      await session.conversation.send(`/long ${String(20 + exchange)}`);
    }
    await until(() => {
      const { nextRequest, chat, contextTotal } = test.webview.state;
      return nextRequest !== null && chat?.running === false && contextTotal.items === fileCount + leftOut;
    }, 'the next request is shown, with all that was added');
    return test;
  }

  const replyIds = ({ entries }: PanelState): string[] => entries.flatMap(({ kind, id }) => (kind === 'assistant' ? [id] : []));

  it('leave its snapshot small, however long the context is', async () => {
    const { panel, webview } = await openWithContext(FILES, LEFT_OUT, ENTRIES / 2);
    panel.channel.snapshot();
    const { state } = webview;
    assert.deepEqual([state.entries.length, state.context.length, state.contextTotal.folded], [ENTRIES, MOST_CHIPS, LEFT_OUT]);
    assert.equal(state.contextTotal.foldedWarnings, LEFT_OUT);
    assert.equal(webview.reply?.contextUsed?.summary, '200 files, added by you');
    const bytes = sizeOf(state);
    assert.ok(bytes <= MOST_BYTES, `${String(bytes)} bytes`);
  }).timeout(60_000);

  it('of an entry come when it is opened, and nothing else with them', async () => {
    const { say, webview } = await openWithContext(3, 2, 2);
    const [first = '', second = ''] = replyIds(webview.state);
    const posted = webview.received.length;
    await say({ type: 'showRows', chips: false, nextRequest: false, contextUsed: [second], manager: null });
    await until(() => second in webview.state.contextRows, 'the rows are there');
    const [message, ...more] = webview.received.slice(posted);
    assert.ok(message?.type === 'delta' && more.length === 0);
    assert.deepEqual(Object.keys(message.delta), ['contextRows']);
    assert.deepEqual(Object.keys(message.delta.contextRows?.put ?? {}), [second]);
    const { groups, blocks } = webview.state.contextRows[second]!;
    assert.deepEqual(
      groups.map(({ type, items }) => [type, items.length, items.filter(({ notSelectedReason }) => notSelectedReason !== null).length]),
      [
        ['rule', 2, 2],
        ['file', 3, 0],
      ],
    );
    assert.equal(blocks.filter(({ label }) => label.endsWith('component.ts')).length, 3);
    await say({ type: 'showRows', chips: false, nextRequest: false, contextUsed: [first], manager: null });
    await until(() => first in webview.state.contextRows, 'others are open');
    assert.deepEqual(Object.keys(webview.state.contextRows), [first]);
    assert.deepEqual(webview.faults, []);
  });

  it('of an entry tell the context window after its reply, the same when the chat is opened again', async () => {
    const test = await openWithContext(1, 0, 1);
    await (await test.shown.current()).conversation.send('/error cut');
    await until(
      () => replyIds(test.webview.state).length === 2 && test.webview.state.chat?.running === false,
      'the second one has broken off',
    );
    const [first = '', second = ''] = replyIds(test.webview.state);
    const windowsOf = async ({ say, webview }: TestPanel): Promise<unknown> => {
      await say({ type: 'showRows', chips: false, nextRequest: false, contextUsed: [first, second], manager: null });
      await until(() => Object.keys(webview.state.contextRows).length === 2, 'the rows are there');
      const { contextRows } = webview.state;
      return [contextRows[first]?.window, contextRows[second]?.window];
    };
    const live = await windowsOf(test);
    const { usage } = test.webview.state.entries.find(({ id }) => id === first) as AssistantEntry;
    const { inputTokens, cachedTokens, writtenTokens, outputTokens } = usage ?? assert.fail('It has no usage.');
    assert.ok(inputTokens !== null && cachedTokens !== null && writtenTokens !== null && outputTokens !== null);
    const figures = { cachedTokens, writtenTokens, outputTokens, uncachedTokens: inputTokens - cachedTokens - writtenTokens };
    const known = { kind: 'known', tokens: inputTokens + outputTokens, limit: 127_488, ...figures, isEstimate: false };
    assert.deepEqual(live, [known, { kind: 'unchanged' }]);
    assert.equal(test.webview.state.nextRequest?.budget, known.limit, 'the meter has the same limit');
    const { id } = await test.shown.current();
    const again = await panelOf(windows.open({ writerId: 'other' }), id);
    await again.shown.current();
    assert.deepEqual(await windowsOf(again), live);
  });

  it('of the next request and of all chips come when they are opened, and go when they are closed', async () => {
    const { say, webview } = await openWithContext(MOST_CHIPS + 5, 0, 0);
    const fileRows = (): number | undefined => webview.state.nextRequestRows?.blocks.filter(({ category }) => category === 'files').length;
    const chips = (): unknown => [webview.state.context.length, webview.state.contextTotal.folded];
    assert.equal(fileRows(), undefined);
    assert.deepEqual(chips(), [MOST_CHIPS, 5]);
    await say({ type: 'showRows', chips: true, nextRequest: true, contextUsed: [], manager: null });
    await until(() => fileRows() !== undefined, 'the rows are there');
    // With the introduction of the files and its answer.
    assert.equal(fileRows(), MOST_CHIPS + 6);
    assert.deepEqual(chips(), [MOST_CHIPS + 5, 5]);
    await say({ type: 'showRows', chips: false, nextRequest: false, contextUsed: [], manager: null });
    await until(() => fileRows() === undefined, 'the rows are gone');
    assert.deepEqual(chips(), [MOST_CHIPS, 5]);
  });

  it('of what is open come with each snapshot, and nothing of what is not in this chat', async () => {
    const { say, webview, snapshot } = await openWithContext(1, 0, 1);
    const [reply = ''] = replyIds(webview.state);
    await say({ type: 'showRows', chips: false, nextRequest: true, contextUsed: [reply, 'elsewhere'], manager: null });
    assert.deepEqual(Object.keys(snapshot().contextRows), [reply]);
    await say({ type: 'newChat' });
    assert.deepEqual(webview.state.contextRows, {});
  });
});
