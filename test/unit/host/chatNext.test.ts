import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import type { ComposedRequest } from '../../../src/engine/next/compose.js';
import { NEXT_REQUEST } from '../../../src/protocol/inspector/inspector.js';
import { PRACTICE_SMALL } from '../../../src/providers/practice/models.js';
import type { SpendLimits } from '../../../src/engine/spend/limits.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { until } from '../../support/host/clocks.js';
import { whileComposing } from '../../support/host/composing.js';
import { openInspector } from '../../support/host/openInspector.js';
import { openPanels, type TestPanel } from '../../support/host/panel.js';
import { EchoTool } from '../../support/host/reading.js';
import { rejection } from '../../support/rejection.js';
import { MemoryFiles, useWindows, type Window, type WindowOptions } from '../../support/host/window.js';

const file = (name: string) => ({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null }) as const;
const RULE = '---\ndescription: Units\nglobs: "*.ts"\nalwaysApply: false\n---\nIn metres.';

describe('the next request of a chat', () => {
  const windows = useWindows();

  interface Opened extends TestPanel {
    readonly window: Window;
    readonly session: ChatSession;
    openTab(): Promise<TestPanel>;
  }

  /** Opens a chat with a turn, a file and a tool in a panel. */
  const opened = (config: Partial<ChatConfig>): Promise<Opened> => openedWith({ config });

  async function openedWith(options: Pick<WindowOptions, 'config' | 'models' | 'spend'>): Promise<Opened> {
    const files = new MemoryFiles();
    files.texts.set('a.ts', 'export const a = 1;\n');
    const { window, session } = await windows.openChat({ files, tools: new EchoTool(), ...options });
    await session.context.add(file('a.ts'));
    await session.conversation.send('Hello');
    const panels = openPanels(window, { currentChat: session.id });
    const { view } = panels;
    await view.say({ type: 'ready' });
    return { ...view, window, session, openTab: () => panels.openTab(session.id) };
  }

  let edit = 0;
  const typedIn = ({ say }: TestPanel, chatId: string, text: string): Promise<void> => say({ type: 'draft', chatId, text, edit: ++edit });

  const composedOf = ({ next: { shown } }: ChatSession): ComposedRequest | null =>
    shown !== null && 'composed' in shown ? shown.composed : null;

  /** Types a text, and waits until its preview is visible. */
  async function typed(test: Opened, text: string): Promise<void> {
    await typedIn(test, test.session.id, text);
    const { messageId } = test.drafts.get(test.session.id);
    await until(() => composedOf(test.session)?.answered === messageId, 'the preview');
  }

  function notices({ snapshot }: TestPanel): readonly string[] {
    return snapshot().banners.flatMap(({ severity, text }) => (severity === 'info' ? [text] : []));
  }

  const send = ({ say }: TestPanel, { id }: ChatSession, text: string): Promise<void> => say({ type: 'send', chatId: id, text });

  it('is sent as it was previewed, without a notice', async () => {
    const test = await opened({});
    await typed(test, 'And now?');
    await send(test, test.session, 'And now?');
    assert.deepEqual(notices(test), []);
  });

  const changes: readonly (readonly [string, (test: Opened) => unknown, string])[] = [
    ['a file', ({ window }) => window.files.texts.set('a.ts', 'export const changed = 1;\n'), 'a.ts'],
    ['a file that is missing now', ({ window }) => window.files.texts.delete('a.ts'), 'a.ts'],
    [
      'a rule of a catalog that was still being read',
      ({ window }) => window.files.texts.set('.cursor/rules/x.mdc', RULE),
      'rules and references',
    ],
    ['the model', ({ session }) => session.changeConfig({ model: PRACTICE_SMALL.ref }), 'the model'],
  ];
  for (const [what, change, name] of changes) {
    it(`names what changed between its preview and Enter, until the next message: ${what}`, async () => {
      const test = await opened({});
      await typed(test, 'And now?');
      await change(test);
      await send(test, test.session, 'And now?');
      assert.deepEqual(notices(test), [`After the preview, ${name} changed. Loupe sent the current content.`]);
      await typed(test, 'Again');
      await send(test, test.session, 'Again');
      assert.deepEqual(notices(test), []);
    });
  }

  it('decides what a summary would replace, and is composed with the summary, and again only if it has a draft', async () => {
    const test = await opened({});
    const { session } = test;
    await until(() => session.next.shown !== null, 'the preview');
    const composedFor = async (): Promise<number> => {
      let composed = 0;
      await whileComposing(async (counts) => {
        await session.compactor.preview.plan(null);
        ({ composed } = counts());
      });
      return composed;
    };
    const withoutDraft = await composedFor();
    const { requestTokens } = session.compactor.preview.shownPlan ?? {};
    assert.deepEqual([withoutDraft, requestTokens], [1, composedOf(session)?.size.tokens]);
    await session.compactor.dismiss();
    await typed(test, 'And now?');
    // Without the draft for the size of the conversation, and for the comparison with the request with the summary.
    assert.equal(await composedFor(), 3);
    assert.equal(session.compactor.preview.shownPlan?.requestTokens, requestTokens);
  });

  it('has no notice for changes during the run, such as edits by its tools', async () => {
    const test = await opened({});
    await typed(test, '/tool echo {"a": 1}');
    const { model, files } = test.window;
    const stream = model.stream.bind(model);
    model.stream = (...of) => {
      files.texts.set('a.ts', `export const a = ${String(model.bodies.length)};\n`);
      return stream(...of);
    };
    await send(test, test.session, '/tool echo {"a": 1}');
    assert.deepEqual(notices(test), []);
  });

  it('has no notice for a message that the user does not send', async () => {
    let limits: SpendLimits = { askAbove: null, capPerChat: null, capPerDay: null };
    const test = await openedWith({ models: BILLED_MODELS, spend: () => limits });
    await typed(test, 'And now?');
    test.window.files.texts.set('a.ts', 'export const changed = 1;\n');
    limits = { ...limits, askAbove: 0.000001 };
    const sent = send(test, test.session, 'And now?');
    await until(() => test.session.spending.questions.length > 0, 'the question');
    assert.deepEqual(notices(test), []);
    const [question] = test.session.spending.questions;
    await test.say({ type: 'answerSpend', chatId: test.session.id, questionId: question?.id ?? '', isAllowed: false });
    await sent;
    assert.deepEqual(notices(test), []);
  });

  it('names what changed when the message waits for a question, even if the next draft is previewed meanwhile', async () => {
    let limits: SpendLimits = { askAbove: null, capPerChat: null, capPerDay: null };
    const test = await openedWith({ models: BILLED_MODELS, spend: () => limits });
    const { session } = test;
    await typed(test, 'And now?');
    test.window.files.texts.set('a.ts', 'export const changed = 1;\n');
    limits = { ...limits, askAbove: 0.000001 };
    const sent = send(test, session, 'And now?');
    await until(() => session.spending.questions.length > 0, 'the question');
    await session.next.preview(test.drafts.get(session.id));
    const [question] = session.spending.questions;
    await test.say({ type: 'answerSpend', chatId: session.id, questionId: question?.id ?? '', isAllowed: true });
    await sent;
    assert.deepEqual(notices(test), ['After the preview, a.ts changed. Loupe sent the current content.']);
  });

  it('names what changes while the message waits for a question', async () => {
    let limits: SpendLimits = { askAbove: null, capPerChat: null, capPerDay: null };
    const test = await openedWith({ models: BILLED_MODELS, spend: () => limits });
    const { session } = test;
    await typed(test, 'And now?');
    limits = { ...limits, askAbove: 0.000001 };
    const sent = send(test, session, 'And now?');
    await until(() => session.spending.questions.length > 0, 'the question');
    test.window.files.texts.set('a.ts', 'export const changed = 1;\n');
    const [question] = session.spending.questions;
    await test.say({ type: 'answerSpend', chatId: session.id, questionId: question?.id ?? '', isAllowed: true });
    await sent;
    assert.deepEqual(notices(test), ['After the preview, a.ts changed. Loupe sent the current content.']);
  });

  it('stays visible when its chat is shown again', async () => {
    const test = await opened({});
    await typed(test, 'And now?');
    assert.notEqual(test.snapshot().nextRequest, null);
    await test.say({ type: 'openChat', chatId: test.session.id });
    assert.notEqual(test.webview.state.nextRequest, null);
  });

  it('has no notice in a second panel, whose draft is another', async () => {
    const test = await opened({});
    const tab = await test.openTab();
    await typed(test, 'From the view');
    await send(tab, test.session, 'From the tab');
    assert.deepEqual([...notices(test), ...notices(tab)], []);
    assert.ok(test.window.model.bodies.at(-1)?.includes('From the tab') === true);
  });

  it('is composed once for two panels, the inspector and everyone else who asks at once', async () => {
    const test = await opened({});
    await test.openTab();
    await typed(test, 'And now?');
    await whileComposing(async (counts) => {
      const draft = test.drafts.get(test.session.id);
      const asked = await Promise.all([1, 2, 3].map(() => test.session.next.preview({ ...draft, text: 'And then?' })));
      assert.equal(new Set(asked).size, 1);
      assert.equal(counts().composed, 1);
    });
    await whileComposing(async (counts) => {
      await test.session.fragments.set('style', 'Be brief.');
      await until(() => composedOf(test.session)?.wire().body.includes('Be brief.') === true, 'the preview');
      assert.equal(counts().composed, 1);
    });
  });

  it('is composed once for a panel, and for an inspector that shows it too', async () => {
    const test = await opened({});
    const { view, request } = await openInspector(test.window, test.session.id, { id: NEXT_REQUEST, ports: { drafts: test.drafts } });
    test.window.closing.push(() => {
      view.dispose();
      return Promise.resolve();
    });
    test.chats.nextChanges.add(() => {
      view.changed();
    });
    await typed(test, 'And now?');
    await whileComposing(async (counts) => {
      const before = request();
      await typed(test, 'Which tides are expected in the harbour tomorrow?');
      await until(() => !isDeepStrictEqual(request(), before), 'the inspected request');
      assert.equal(counts().composed, 1);
    });
  });

  it('is not shared with those who ask after a change', async () => {
    const { session, drafts } = await opened({});
    const draft = drafts.get(session.id);
    const before = session.next.preview({ ...draft, text: 'And now?' });
    void session.fragments.set('style', 'Be brief.');
    const after = await session.next.preview({ ...draft, text: 'And now?' });
    assert.ok(after.wire().body.includes('Be brief.'));
    await before;
  });

  it('is sent once when Send is pressed twice: the second press finds an empty message box', async () => {
    const test = await opened({});
    await typed(test, 'And now?');
    const before = test.window.model.bodies.length;
    const text = test.drafts.get(test.session.id).text;
    const first = test.draftActions.send(test.session, text);
    const second = await rejection(test.draftActions.send(test.session, test.drafts.get(test.session.id).text));
    assert.equal(second.code, 'chat.emptyMessage');
    await first;
    assert.equal(test.window.model.bodies.length, before + 1);
  });

  it('is not composed while no panel shows the chat', async () => {
    const test = await opened({});
    await typed(test, 'And now?');
    test.panel.dispose();
    assert.equal(test.session.next.shown, null);
  });
});
