import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { newId } from '../../../src/engine/chat/order/ids.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { Drafts } from '../../../src/host/chat/drafts.js';
import { DraftActions } from '../../../src/host/panel/composer/draftActions.js';
import { SendFirst } from '../../../src/host/chat/runs/sendFirst.js';
import { systemRandom } from '../../../src/host/window/systemRandom.js';
import { NEXT_REQUEST } from '../../../src/protocol/inspector/inspector.js';
import { DraftFiles } from '../../../src/storage/drafts.js';
import { failureOf } from '../../support/failures.js';
import { turn, until } from '../../support/host/clocks.js';
import { whileComposing, type ComposingCounts } from '../../support/host/composing.js';
import { openInspector } from '../../support/host/openInspector.js';
import { panelOf } from '../../support/host/panel.js';
import { EchoTool, lastUser } from '../../support/host/reading.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';

const file = (name: string) => ({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null }) as const;
/** Enough that only the end of the chat is opened. */
const TURNS = 70;
const RESTORE_STEP = 2_000;
const nothing = (): Promise<void> => Promise.resolve();
const NOW = { typed: 'And now?', text: 'And now?', between: nothing };

describe('a message on its way to the model', () => {
  const windows = useWindows();

  interface Opened {
    readonly window: Window;
    readonly session: ChatSession;
    readonly drafts: Drafts;
    readonly actions: DraftActions;
  }

  function draftsOf(window: Window): Drafts {
    const logError = window.errors.push.bind(window.errors);
    const drafts = new Drafts(new DraftFiles(window.folder), () => newId(window.clock, systemRandom), logError);
    window.closing.push(() => drafts.flush());
    return drafts;
  }

  function actionsIn(window: Window, session: ChatSession, drafts: Drafts): Opened {
    const actions = new DraftActions(
      drafts,
      () => undefined,
      () => Promise.resolve(null),
    );
    return { window, session, drafts, actions };
  }

  /** Opens a chat with two turns, a file and a tool. */
  async function opened(config: Partial<ChatConfig>): Promise<Opened> {
    const files = new MemoryFiles();
    files.texts.set('a.ts', 'export const a = 1;\n'.repeat(20));
    const { window, session } = await windows.openChat({ files, tools: new EchoTool(), config });
    await session.context.add(file('a.ts'));
    await session.conversation.send('Hello');
    await session.conversation.send('/tool echo {"a": 1}');
    return actionsIn(window, session, draftsOf(window));
  }

  /** Previews `typed`, then sends `text`. Returns what was composed from Enter until the last attempt. */
  async function sending(
    { window: { model }, session, drafts, actions }: Opened,
    { typed, text, between }: { readonly typed: string; readonly text: string; readonly between: () => unknown },
  ) {
    drafts.typed(session.id, typed, { panel: 'view', number: 1 });
    const previewed = (await session.next.preview(drafts.get(session.id))).wire().body;
    await between();
    let last: ComposingCounts = { composed: 0, arranged: 0 };
    const before = model.bodies.length;
    await whileComposing(async (counts) => {
      const stream = model.stream.bind(model);
      model.stream = (...of) => {
        last = counts();
        return stream(...of);
      };
      await actions.send(session, text);
      model.stream = stream;
    });
    return { ...last, previewed, bodies: model.bodies.slice(before) };
  }

  const config: readonly Partial<ChatConfig>[] = [
    ...(['adaptive', 'tiered', 'plain'] as const).map((layout) => ({ layout, cacheMode: 'cached' as const })),
    { cacheMode: 'all-off' },
  ];
  for (const each of config) {
    it(`is the request of its preview, arranged only once: ${JSON.stringify(each)}`, async () => {
      const { composed, arranged, previewed, bodies } = await sending(await opened(each), NOW);
      assert.deepEqual({ composed, arranged, bodies }, { composed: 1, arranged: 0, bodies: [previewed] });
    });
  }

  it('has the id of its draft', async () => {
    const test = await opened({});
    const { messageId } = test.drafts.get(test.session.id);
    await sending(test, NOW);
    assert.equal(lastUser(test.session.state).id, messageId);
    assert.notEqual(test.drafts.get(test.session.id).messageId, messageId);
  });

  it('has the file as it is at Enter, when that has changed since the preview', async () => {
    const test = await opened({});
    const { previewed, bodies } = await sending(test, {
      ...NOW,
      between: () => test.window.files.texts.set('a.ts', 'export const changed = 1;\n'),
    });
    const haveChanged = [previewed, ...bodies].map((body) => body.includes('changed'));
    assert.deepEqual(haveChanged, [false, true]);
  });

  it('has the text of the panel that sent it, when another panel has typed since', async () => {
    const test = await opened({});
    const { arranged, bodies } = await sending(test, { typed: 'From the tab', text: 'From the view', between: nothing });
    assert.deepEqual(
      [arranged, ...bodies.map((body) => [body.includes('From the tab'), body.includes('From the view')])],
      [0, [false, true]],
    );
  });

  it('is not arranged again after requests for other purposes', async () => {
    const test = await opened({ layout: 'adaptive', cacheMode: 'cached' });
    const { arranged } = await sending(test, {
      ...NOW,
      between: async () => {
        await test.session.next.preview({ text: '', editing: null });
        await test.session.context.relayout();
      },
    });
    assert.equal(arranged, 0);
  });

  it('is not arranged again when its attempt is repeated', async () => {
    const test = await opened({});
    test.window.model.failures.push(failureOf('rateLimit', 'Later.'));
    const { arranged, previewed, bodies } = await sending(test, NOW);
    assert.deepEqual({ arranged, bodies }, { arranged: 0, bodies: [previewed, previewed] });
  });

  it('is the request of its preview in a chat whose end alone was loaded', async () => {
    const first = await opened({});
    for (let turn = 0; turn < TURNS; turn += 1) {
      await first.session.conversation.send('/long 1');
    }
    const window = windows.open({ writerId: 'next', files: first.window.files, tools: new EchoTool(), restoreStep: RESTORE_STEP });
    await window.store.updateDerived(first.session.id, TURNS);
    const session = await window.chats.open(first.session.id);
    assert.notEqual(session.state.extent, 'whole');
    const { arranged, previewed, bodies } = await sending(actionsIn(window, session, draftsOf(window)), NOW);
    assert.deepEqual({ arranged, bodies }, { arranged: 0, bodies: [previewed] });
  });

  it('is composed alone: panel, inspector and other views compose when its first bytes are sent', async () => {
    const { window, session } = await opened({});
    const panel = await panelOf(window, session.id);
    const { view } = await openInspector(window, session.id, { id: NEXT_REQUEST, ports: { drafts: panel.drafts } });
    window.closing.push(() => {
      view.dispose();
      return Promise.resolve();
    });
    let shown = '';
    const ask = (): void => {
      setImmediate(() => {
        const { text, ...draft } = panel.drafts.get(session.id);
        void session.next.preview({ text, ...draft }).then(() => {
          shown = text;
        });
      });
    };
    const sent = await sending(actionsIn(window, session, panel.drafts), {
      ...NOW,
      between: async () => {
        panel.drafts.onChange(ask);
        session.onChange(ask);
        panel.drafts.keepOriginal(session.id, null);
        await until(() => shown === 'And now?', 'the preview');
      },
    });
    assert.deepEqual(sent, { composed: 1, arranged: 0, previewed: sent.previewed, bodies: [sent.previewed] });
    await until(() => shown === '', 'the preview of the emptied draft');
  });

  it('lets views wait until it is sent or refused, and not much longer than a moment', async () => {
    const sendFirst = new SendFirst();
    const seen: string[] = [];
    const wait = (name: string): Promise<void> => sendFirst.wait().then(() => void seen.push(name));
    await wait('before');
    sendFirst.hold();
    const first = wait('first');
    await turn();
    assert.deepEqual(seen, ['before']);
    sendFirst.hold();
    const second = wait('second');
    await first;
    assert.deepEqual(seen, ['before', 'first']);
    sendFirst.release();
    await second;
    sendFirst.hold();
    await wait('not sent for long');
  });
});
