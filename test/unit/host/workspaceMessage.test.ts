import assert from 'node:assert/strict';
import type { EditorSource, SelectedLines } from '../../../src/host/context/editorState/editorSource.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { contextRows } from '../../../src/host/panel/nextRequest/contextUsed.js';
import { column, columns } from '../../support/columns.js';
import { until } from '../../support/host/clocks.js';
import { NO_EDITOR } from '../../support/host/editor.js';
import { readyPanel, type TestPanel } from '../../support/host/panel.js';
import { EchoTool } from '../../support/host/reading.js';
import { useWindows, type Window } from '../../support/host/window.js';

/** An editor whose selection the test changes. */
class Editor implements EditorSource {
  readonly date = NO_EDITOR.date;
  readonly problems = NO_EDITOR.problems;
  readonly repository = NO_EDITOR.repository;
  readonly tabs = NO_EDITOR.tabs;
  readonly lastCommand = NO_EDITOR.lastCommand;
  selection: SelectedLines | null = { lines: [40, 88], text: 'push(item);\n', isCut: false };
  path: string | null = 'src/heap.ts';

  readonly active: EditorSource['active'] = () => {
    const { path, selection } = this;
    return Promise.resolve(path === null ? null : { path, withheld: null, selection, visible: null });
  };
}

/** Changes the selection while the model waits for the tool. */
class ChangingTool extends EchoTool {
  readonly #change: () => void;

  constructor(change: () => void) {
    super();
    this.#change = change;
  }

  override call(request: Parameters<EchoTool['call']>[0]): ReturnType<EchoTool['call']> {
    this.#change();
    return super.call(request);
  }
}

const SELECTED = 'Selected in the editor: src/heap.ts, lines 40 to 88';

describe('the workspace message of a chat', () => {
  const windows = useWindows();

  const bodyOf = async (session: ChatSession, text: string): Promise<string> =>
    (await session.next.preview({ text, editing: null })).wire().body;

  interface Opened extends TestPanel {
    readonly window: Window;
    readonly session: ChatSession;
    readonly editor: Editor;
  }

  async function open(): Promise<Opened> {
    const editor = new Editor();
    const window = windows.open({ editor });
    return { ...(await readyPanel(window)), window, editor };
  }

  for (const layout of ['adaptive', 'tiered', 'message-70', 'plain'] as const) {
    it(`is sent as the preview showed it, and rebuilt byte for byte, in the layout ${layout}`, async () => {
      const editor = new Editor();
      const { window, session } = await windows.openChat({ editor, config: { layout } });
      for (const text of ['/long 3', '/long 4', '/long 5']) {
        editor.selection = { lines: [40, 88], text: `${text}\n`, isCut: false };
        const previewed = await bodyOf(session, text);
        await session.conversation.send(text);
        const sent = window.model.bodies.at(-1) ?? '';
        assert.equal(sent, previewed);
        assert.ok(sent.includes(SELECTED));
        const attempt = [...session.state.attempts.keys()].at(-1) ?? '';
        assert.equal((await session.records.request(attempt)).rebuilt.body, sent);
      }
    });
  }

  it('is read once for a run, so all its steps send the same', async () => {
    const editor = new Editor();
    const tools = new ChangingTool(() => {
      editor.selection = { lines: [1, 1], text: 'changed();\n', isCut: false };
    });
    const { window, session } = await windows.openChat({ editor, tools, config: { layout: 'plain' } }, '/tool echo {"a": 1}');
    assert.deepEqual(
      window.model.bodies.map((body) => [body.includes(SELECTED), body.includes('changed()')]),
      [
        [true, false],
        [true, false],
      ],
    );
    assert.ok((await bodyOf(session, 'And now?')).includes('changed()'), 'the next run reads it again');
  });

  it('does not have the selection of a file that was closed before Send', async () => {
    const { editor, window, session, say } = await open();
    assert.ok((await bodyOf(session, 'What?')).includes(SELECTED));
    [editor.path, editor.selection] = [null, null];
    await say({ type: 'send', chatId: session.id, text: 'What?' });
    assert.equal(window.model.bodies.length, 1);
    assert.ok(!(window.model.bodies[0] ?? '').includes('heap.ts'));
    assert.deepEqual(window.errors, []);
  });

  it('is in the list of the next request, part by part, and says so when it changed before Send', async () => {
    const { editor, webview, say, session } = await open();
    await say({ type: 'draft', chatId: session.id, text: 'What?', edit: 1 });
    await until(() => webview.state.withMessage.some(({ tokens }) => tokens !== null), 'the next request');
    const share = webview.state.nextRequest?.shares.find(({ category }) => category === 'editor');
    assert.ok(share !== undefined && share.tokens > 20);
    editor.selection = { lines: [1, 2], text: 'other();\n', isCut: false };
    const composed = await session.next.preview({ text: 'What?', editing: null });
    assert.deepEqual(column(composed.workspace, 'name'), ['date', 'open file', 'heap.ts:1-2']);
  });

  it('has a row for the selection with the message, which switches it off in this chat', async () => {
    const { webview, say, session } = await open();
    await say({ type: 'draft', chatId: session.id, text: 'What?', edit: 1 });
    await until(() => webview.state.withMessage.some(({ tokens }) => tokens !== null), 'the next request');
    const [row] = webview.state.withMessage;
    assert.deepEqual(columns(webview.state.withMessage, 'key', 'name'), [['editor:editorSelection', 'Editor: heap.ts:40-88']]);
    const composed = await session.next.preview({ text: 'What?', editing: null });
    const block = composed.prompt.messages.flatMap(({ blocks }) => blocks).find(({ key }) => key === 'editor:selection');
    assert.equal(row?.tokens, block?.tokens);
    assert.ok(row?.price !== null && (row?.price ?? 0) > 0);
    await say({ type: 'removeWithMessage', chatId: session.id, key: 'editor:editorSelection' });
    assert.equal(session.state.config.editorSelection, 'off');
    await until(() => webview.state.withMessage.length === 0, 'the row is gone');
    assert.ok(!(await bodyOf(session, 'What?')).includes(SELECTED));
  });

  it('has a row for the text of another extension, which removes it from this chat', async () => {
    const { editor, webview, say, session } = await open();
    editor.selection = null;
    await session.fragments.setWorkspace('Build: failed');
    await say({ type: 'draft', chatId: session.id, text: 'What?', edit: 1 });
    await until(() => webview.state.withMessage.some(({ tokens }) => tokens !== null), 'the next request');
    assert.deepEqual(columns(webview.state.withMessage, 'key', 'name'), [['editor:extension', 'Editor: from an extension']]);
    await say({ type: 'removeWithMessage', chatId: session.id, key: 'editor:extension' });
    await until(() => webview.state.withMessage.length === 0, 'the row is gone');
    assert.ok(!(await bodyOf(session, 'What?')).includes('Build: failed'));
  });

  it('is dropped where it has no room, so that the message is sent without a summary', async () => {
    const { editor, window, webview, session, say } = await open();
    editor.selection = { lines: [1, 200], text: 'push(item);\n'.repeat(200), isCut: false };
    await say({ type: 'send', chatId: session.id, text: '/long 3' });
    const whole = await session.next.preview({ text: 'What?', editing: null });
    await session.changeConfig({ maxPromptTokens: whole.size.tokens - 500, reservedResponseTokens: 0 });
    await say({ type: 'draft', chatId: session.id, text: 'What?', edit: 1 });
    const note = 'Not sent: the editor state (selection). The request has no room for it.';
    await until(() => webview.state.nextRequest?.adaptations.includes(note) === true, 'the note');
    assert.deepEqual(webview.state.withMessage, []);
    assert.equal(webview.state.nextRequest?.problem, null);
    await say({ type: 'send', chatId: session.id, text: 'What?' });
    assert.ok(!(window.model.bodies.at(-1) ?? '').includes(SELECTED));
    assert.deepEqual(column([...session.state.attempts.values()], 'purpose'), ['reply', 'reply']);
    const attempt = [...session.state.attempts.values()].at(-1);
    assert.ok(attempt !== undefined);
    assert.deepEqual(contextRows(attempt, session.state)?.adaptations, [note]);
  });

  it('is in the request for a summary as the last request had it', async () => {
    const editor = new Editor();
    const { window, session } = await windows.openChat({ editor, config: { layout: 'plain' } }, '/long 300', '/long 300', '/long 3');
    editor.selection = { lines: [1, 2], text: 'other();\n', isCut: false };
    await session.compactor.summarize(null);
    const asked = [...session.state.attempts.values()].filter(({ purpose }) => purpose === 'summary');
    assert.equal(asked.length, 1);
    const body = window.model.bodies.at(-1) ?? '';
    assert.deepEqual([body.split(SELECTED).length, body.includes('other()')], [2, false]);
  });

  it('is named in the request behind a reply', async () => {
    const { session } = await windows.openChat({ editor: new Editor() }, '/long 3');
    const attempt = [...session.state.attempts.values()].at(-1);
    assert.ok(attempt !== undefined);
    const rows = contextRows(attempt, session.state)?.blocks.filter(({ category }) => category === 'editor') ?? [];
    assert.deepEqual(column(rows, 'label'), ['Date', 'Open file', 'Selection']);
  });
});
