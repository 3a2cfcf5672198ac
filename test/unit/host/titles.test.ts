import assert from 'node:assert/strict';
import { ledgerTotals } from '../../../src/engine/chat/ledger.js';
import { modelKey } from '../../../src/engine/model/modelRef.js';
import { STOP } from '../../../src/engine/run/input.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import { newestTitleRun } from '../../../src/host/panel/conversation/summaryEntry.js';
import type { TitleEntry, TitleRun } from '../../../src/protocol/panel/entries.js';
import { PRACTICE_MODELS } from '../../../src/providers/practice/models.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';
import { column } from '../../support/columns.js';
import { openPanel, readyPanel } from '../../support/host/panel.js';
import { failureOf } from '../../support/failures.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { until } from '../../support/host/clocks.js';
import { rejection } from '../../support/rejection.js';
import { useWindows, type Window } from '../../support/host/window.js';
import { chatTitle } from '../../../src/engine/chat/message/opening.js';
import type { UserPart } from '../../../src/engine/model/part.js';
import { findChats } from '../../../src/storage/transfer/foundChats.js';

const ON = { config: { titles: 'on' } } as const;

describe('the title of a chat', () => {
  const windows = useWindows();

  /** The lines about titles in the conversation. */
  function lines({ state }: ChatSession): TitleEntry[] {
    return new EntryViews(() => ANY_MODEL).derive(state, 50).entries.filter((entry) => entry.kind === 'title');
  }

  const newest = ({ state }: ChatSession): TitleRun | null => newestTitleRun(state, () => ANY_MODEL);

  async function settled(session: ChatSession): Promise<void> {
    await until(() => [...session.state.runs.values()].every(({ status }) => status !== 'running'), 'all runs have ended');
    await session.titler.ended();
  }

  const isWriting = ({ state }: ChatSession): boolean =>
    [...state.runs.values()].some(({ cause, status }) => cause === 'title' && status === 'running');

  async function answered(window: Window, text: string): Promise<ChatSession> {
    const session = await window.chats.create();
    await session.conversation.send(text);
    await settled(session);
    return session;
  }

  it('is told with its request: what was asked of which model, and what it took', async () => {
    const session = await answered(windows.open({ ...ON, models: BILLED_MODELS }), 'how are the tides predicted');
    const [request] = newest(session)?.requests ?? [];
    assert.ok(request !== undefined && (request.inputTokens ?? 0) > 0 && (request.cost ?? 0) > 0);
    assert.ok(request.asked !== null && request.asked !== '' && request.model !== '');
  });

  it('has its price in the next request before the first message is sent, if titles are on', async () => {
    const { webview, say } = await readyPanel(windows.open({ ...ON, models: BILLED_MODELS }));
    const announced = (): number | null => webview.state.nextRequest?.titleCost ?? null;
    await until(() => announced() !== null, 'the price of the title is announced');
    const expected = announced() ?? assert.fail();
    const chatId = webview.state.chat?.id ?? '';
    await say({ type: 'send', chatId, text: 'how are the tides predicted' });
    await until(() => webview.state.chat?.spent?.own.length === 1 && announced() === null, 'the title is written');
    const [written] = webview.state.chat?.spent?.own ?? [];
    assert.ok((written?.cost ?? 0) < expected, `${String(written?.cost)} of at most ${String(expected)}: the reply is short`);
    const untitled = await readyPanel(windows.open({ models: BILLED_MODELS, config: { titles: 'off' } }));
    await until(() => untitled.webview.state.nextRequest !== null, 'the request is composed');
    assert.equal(untitled.webview.state.nextRequest?.titleCost, null);
  });

  it('has its cost in the header, as a part of the cost of the chat', async () => {
    const { webview, say } = await readyPanel(windows.open({ ...ON, models: BILLED_MODELS }));
    await say({ type: 'send', chatId: webview.state.chat?.id ?? '', text: 'how are the tides predicted' });
    await until(() => webview.state.chat?.spent?.own.length === 1, 'the cost of the title is shown');
    const { spent, titleRun } = webview.state.chat ?? assert.fail();
    assert.deepEqual(spent?.own, [{ purpose: 'title', cost: titleRun?.requests[0]?.cost }]);
  });

  it('is written after the first exchange, in a small request of its own', async () => {
    const window = windows.open({ ...ON, models: BILLED_MODELS });
    const session = await answered(window, 'how are the tides predicted');
    assert.equal(session.state.title, 'How are the tides predicted');
    assert.deepEqual([newest(session)?.status, newest(session)?.requests.length, lines(session)], ['done', 1, []]);
    const [attempt] = [...session.state.attempts.values()].filter(({ purpose }) => purpose === 'title');
    assert.deepEqual([attempt?.manifest.marks, attempt?.manifest.context], [[], []], 'it neither writes nor reads the cache');
    assert.equal(ledgerTotals(session.state).attempts, 2);
    await session.conversation.send('And in a storm?');
    await settled(session);
    const written = [...session.state.runs.values()].filter(({ cause }) => cause === 'title');
    assert.equal(written.length, 1, 'only the first exchange is named');
  });

  it('leaves the next request and the context window as they are, live and loaded alike', async () => {
    const body = async (titles: 'on' | 'off'): Promise<string> => {
      await windows.newFolder();
      const window = windows.open({ config: { titles } });
      const session = await answered(window, 'Tides');
      return (await session.next.preview({ text: 'And?', editing: null })).wire().body;
    };
    assert.equal(await body('on'), await body('off'));
    await windows.newFolder();
    const session = await answered(windows.open(ON), 'Tides');
    const reopened = await windows.open({ ...ON, writerId: 'other' }).chats.open(session.id);
    assert.deepEqual(newest(reopened), newest(session));
    assert.equal(reopened.state.title, 'Tides');
  });

  it('is written by the model for titles, where one is set', async () => {
    const model = PRACTICE_MODELS[1]?.ref;
    assert.ok(model);
    const session = await answered(windows.open({ config: { titles: 'on', titleModel: modelKey(model) } }), 'Tides');
    const [title] = [...session.state.attempts.values()].filter(({ purpose }) => purpose === 'title');
    assert.deepEqual(title?.model, model);
  });

  it('is as the settings of its chat say, which the panel changes, beside another chat of the window', async () => {
    const small = PRACTICE_MODELS.find(({ ref }) => ref.model === 'small')?.ref;
    assert.ok(small);
    const { webview, say, shown } = openPanel(windows.open(ON), { currentChat: undefined });
    const sent = async (changes: readonly { readonly name: string; readonly value: string }[]): Promise<ChatSession> => {
      await say({ type: 'newChat' });
      const session = await shown.current();
      for (const change of changes) {
        await say({ type: 'changeSetting', chatId: session.id, ...change });
        await until(() => webview.settingOf(change.name) === change.value, 'the change is shown');
      }
      await say({ type: 'send', chatId: session.id, text: 'Tides' });
      await settled(session);
      return session;
    };
    await say({ type: 'ready' });
    const off = await sent([{ name: 'titles', value: 'off' }]);
    const other = await sent([{ name: 'titleModel', value: modelKey(small) }]);
    const usual = await sent([]);
    const models = [off, other, usual].map(({ state }) =>
      [...state.attempts.values()].filter(({ purpose }) => purpose === 'title').map(({ model }) => modelKey(model)),
    );
    assert.deepEqual(models, [[], ['practice/small'], ['practice/standard']]);
  });

  it('is the first line where titles are off, where the chat was named, and in a fork', async () => {
    const off = await answered(windows.open({}), 'Tides');
    assert.deepEqual([off.state.title, newest(off)], [null, null]);
    const { session: named } = await windows.openChat(ON);
    await named.titler.rename('Mine');
    await named.conversation.send('Tides');
    await settled(named);
    assert.deepEqual([named.state.title, newest(named)], ['Mine', null]);
  });

  it('stays the first line when none could be written: why is told, the cost counts, and it can be tried again', async () => {
    const { window, session } = await windows.openChat({ ...ON, models: BILLED_MODELS });
    window.model.failures.push(null, failureOf('refused', 'No credit.'));
    await session.conversation.send('Tides');
    await settled(session);
    const [line] = lines(session);
    assert.deepEqual([session.state.title, newest(session)?.status, line?.requests.length], [null, 'failed', 1]);
    assert.match(line?.text ?? '', /\w/);
    assert.equal(ledgerTotals(session.state).attempts, 2);
    await session.titler.generate();
    assert.deepEqual([session.state.title, newest(session)?.status, lines(session)], ['Tides', 'done', [line]]);
  });

  it('is not taken from a model when the user names the chat meanwhile', async () => {
    const { session } = await windows.openChat(ON);
    const end = session.onChange(() => {
      if (isWriting(session)) {
        end();
        void session.titler.rename('Mine');
      }
    });
    await session.conversation.send('Tides');
    await settled(session);
    assert.deepEqual([session.state.title, newest(session)?.status, lines(session)], ['Mine', 'stopped', []]);
  });

  it('is written anew when that is asked for, once at a time, and never of nothing', async () => {
    const { session } = await windows.openChat(ON);
    assert.equal((await rejection(session.titler.generate())).code, 'chat.nothingToTitle');
    await session.conversation.send('Tides');
    await settled(session);
    await session.titler.rename('Mine');
    const first = session.titler.generate();
    assert.equal((await rejection(session.titler.generate())).code, 'chat.writingTitle');
    await first;
    assert.equal(session.state.title, 'Tides');
    const titles = [...session.state.attempts.values()].filter(({ purpose }) => purpose === 'title');
    assert.deepEqual([titles.length, column(newest(session)?.requests, 'attemptId')], [2, [titles[1]?.id]]);
  });

  it('ends as stopped when it is cancelled, when the chat is deleted, and when the window closes', async () => {
    const { session } = await windows.openChat(ON);
    const end = session.onChange(() => {
      if (isWriting(session)) {
        end();
        void session.titler.stop(STOP);
      }
    });
    await session.conversation.send('Tides');
    await settled(session);
    assert.deepEqual([session.state.title, newest(session)?.status, lines(session)], [null, 'stopped', []]);
  });
});

const IMAGE: UserPart = { type: 'image', blob: 'b', mimeType: 'image/png', bytes: 4, width: null, height: null };

describe('a chat without a title', () => {
  const windows = useWindows();

  const CASES: readonly (readonly [string, readonly UserPart[], string])[] = [
    ['no text that names it', [{ type: 'text', text: '```' }], 'New chat'],
    ['an image alone', [IMAGE], '(image)'],
    ['code before its first line', [{ type: 'text', text: '```\nlet tide = 1;\n```' }], 'let tide = 1;'],
  ];
  for (const [what, parts, name] of CASES) {
    it(`has one name in the panel, the list, the API and among the chats of other workspaces: ${what}`, async () => {
      const window = windows.open({});
      const { panel, webview, api, session } = await readyPanel(window);
      await session.record([
        { type: 'message', message: { role: 'user', id: '1700000000000-0000000a', parts, author: null }, runId: null },
      ]);
      panel.channel.snapshot();
      await window.chats.refresh();
      const { chats } = await findChats([windows.folder], (error) => assert.fail(error));
      const names = [
        chatTitle(session.state),
        webview.state.chat?.title,
        window.chats.list()[0]?.title,
        (await api.getChat(session.id)).title,
        chats[0]?.title,
      ];
      assert.deepEqual(new Set(names), new Set([name]));
    });
  }
});
