import assert from 'node:assert/strict';
import type { FetchedPage } from '../../../src/engine/record/item.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { managerView } from '../../../src/host/panel/manager/managerView.js';
import { column, columns } from '../../support/columns.js';
import { until } from '../../support/host/clocks.js';
import { managedOf } from '../../support/host/managed.js';
import { readyPanel } from '../../support/host/panel.js';
import { useWindows } from '../../support/host/window.js';

const ADDRESS = 'https://tides.example/quay';
const KEY = `page:${ADDRESS}`;
const PAGE: FetchedPage = { title: 'Tides at the quay', fetchedAt: 1_000, bytes: 4_096, warning: null };

async function put(session: ChatSession, text: string, change: Partial<FetchedPage>): Promise<void> {
  const given = await session.context.store(text);
  await session.context.add({ type: 'page', name: ADDRESS, includeMode: 'manual', addedHash: null, given, page: { ...PAGE, ...change } });
}

describe('a web page of a chat', () => {
  const windows = useWindows();

  it('goes with the message until a request has it, then has a chip with its title', async () => {
    const { shown, webview } = await readyPanel(windows.open({}));
    const session = await shown.current();
    await put(session, 'High water: noon.', {});
    await until(() => typeof webview.state.withMessage[0]?.tokens === 'number', 'the next request holds the page');
    assert.deepEqual(columns(webview.state.withMessage, 'key', 'kind', 'name', 'detail', 'isEstimate', 'warning'), [
      [KEY, 'page', 'Tides at the quay', `${ADDRESS}\n4 KB`, false, null],
    ]);
    assert.ok((webview.state.withMessage[0]?.price ?? 0) > 0);
    assert.deepEqual(webview.state.context, []);
    await session.conversation.send('When is high water?');
    await until(() => webview.state.context.length > 0, 'the chip');
    assert.deepEqual(columns(webview.state.context, 'key', 'name'), [[KEY, 'Tides at the quay']]);
    assert.deepEqual(webview.state.withMessage, []);
  });

  it('is removed by its row, and Undo brings it back', async () => {
    const { shown, webview, say, snapshot } = await readyPanel(windows.open({}));
    const session = await shown.current();
    await put(session, 'High water: noon.', {});
    await say({ type: 'removeWithMessage', chatId: session.id, key: KEY });
    assert.deepEqual([snapshot().withMessage, session.state.context.size], [[], 0]);
    const [undo] = webview.state.banners.flatMap(({ id, actions }) =>
      actions.map((action) => ({ type: 'bannerAction', bannerId: id, ...action }) as const),
    );
    assert.equal(undo?.action, 'undoRemove');
    const { label: _label, ...message } = undo;
    await say(message);
    assert.deepEqual(column(snapshot().withMessage, 'key'), [KEY]);
  });

  it('says in its row that it is probably a form to log in', async () => {
    const { shown, webview } = await readyPanel(windows.open({}));
    await put(await shown.current(), 'Log in', { warning: 'login' });
    await until(() => webview.state.withMessage.length > 0, 'the row');
    assert.deepEqual(column(webview.state.withMessage, 'warning'), ['log-in page']);
  });

  it('has a row in the context pane with title, address, time and size', async () => {
    const { shown } = await readyPanel(windows.open({}));
    const session = await shown.current();
    await put(session, 'High water: noon.', { warning: 'empty' });
    const managed = managedOf(session, await session.next.preview({ text: '', editing: null }));
    const sections = managerView(managed, { search: '', open: ['page'], servers: [], proof: null, rows: {} }).sections;
    const [row] = sections.find(({ type }) => type === 'page')?.rows ?? [];
    assert.deepEqual([row?.name, row?.source, row?.state, row?.includeMode], ['Tides at the quay', ADDRESS, 'in', null]);
    assert.deepEqual(row?.page, { address: ADDRESS, fetchedAt: 1_000, bytes: 4_096 });
    assert.match(row.note ?? '', /^The page has no text\./);
  });

  it('is sent with the text of its last fetch, also from a blob', async () => {
    const { shown } = await readyPanel(windows.open({}));
    const session = await shown.current();
    await put(session, 'High water: noon.', {});
    await put(session, `High water: one o'clock. ${'More of it. '.repeat(3_000)}`, {});
    await session.conversation.send('When is high water?');
    const { prompt } = await session.next.preview({ text: '', editing: null });
    const sent = JSON.stringify(prompt);
    assert.ok(sent.includes("one o'clock") && !sent.includes('noon.'));
  });
});
