import assert from 'node:assert/strict';
import { messageText } from '../../../src/engine/chat/message/message.js';
import { newId } from '../../../src/engine/chat/order/ids.js';
import { Drafts } from '../../../src/host/chat/drafts.js';
import { DraftImages } from '../../../src/host/context/images/draftImages.js';
import { DraftActions } from '../../../src/host/panel/composer/draftActions.js';
import { systemRandom } from '../../../src/host/window/systemRandom.js';
import { DraftFiles } from '../../../src/storage/drafts.js';
import { readyPanel } from '../../support/host/panel.js';
import { lastUser, messages } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';
import { png } from '../../support/images.js';
import { rejection } from '../../support/rejection.js';

describe('Enter in the message box', () => {
  const windows = useWindows();

  async function editing() {
    const { window, session } = await windows.openChat({}, 'Hello');
    const drafts = new Drafts(
      new DraftFiles(window.folder),
      () => newId(window.clock, systemRandom),
      (error) => window.errors.push(error),
    );
    window.closing.push(() => drafts.flush());
    const actions = new DraftActions(
      drafts,
      () => undefined,
      () => Promise.resolve(null),
    );
    const edited = session.state.timeline.find((item) => item.kind === 'message' && item.message.role === 'user');
    assert.ok(edited?.kind === 'message');
    drafts.typed(session.id, 'Not sent yet', { panel: 'view', number: 1 });
    await actions.beginEdit(session, edited.message.id);
    return { window, session, drafts, actions };
  }

  it('pressed twice sends an edit once, and keeps the text from before the edit', async () => {
    const { window, session, drafts, actions } = await editing();
    await Promise.all([actions.send(session, 'Hi'), actions.send(session, 'Hi')]);
    assert.deepEqual([drafts.get(session.id).text, drafts.get(session.id).editing], ['Not sent yet', null]);
    assert.deepEqual([window.model.bodies.length, session.state.rewinds.size], [2, 1]);
  });

  it('on an edit sends nothing if the user types while the chat is loaded, and keeps all text', async () => {
    const { window, session, drafts, actions } = await editing();
    const sending = actions.send(session, 'Hi');
    drafts.typed(session.id, 'Hi and more', { panel: 'view', number: 2 });
    assert.equal((await rejection(sending)).code, 'draft.changedBeforeSent');
    assert.equal(drafts.get(session.id).text, 'Hi and more');
    assert.equal(window.model.bodies.length, 1);
    await actions.send(session, 'Hi and more');
    assert.equal(window.model.bodies.length, 2);
  });

  describe('while an image is read', () => {
    interface Reading {
      readonly panel: Awaited<ReturnType<typeof readyPanel>>;
      readonly end: (bytes: Uint8Array) => void;
      /** Resolves when Enter, pressed twice, has its effect. */
      readonly sending: Promise<unknown>;
    }

    async function open(): Promise<Reading> {
      const window = windows.open({});
      const panel = await readyPanel(window);
      const { session, drafts, draftActions } = panel;
      const images = new DraftImages(drafts, { clock: window.clock, showBusy: () => undefined, offerCancel: () => undefined });
      let end: Reading['end'] = () => undefined;
      const read = new Promise<Uint8Array>((resolve) => {
        end = resolve;
      });
      void images.add(session, [{ name: 'chart.png', read: () => read }]);
      drafts.typed(session.id, 'Look', { panel: 'view', number: 1 });
      return { panel, end, sending: Promise.all([draftActions.send(session, 'Look'), draftActions.send(session, 'Look')]) };
    }

    it('waits, and sends the image once', async () => {
      const { panel, end, sending } = await open();
      const { session } = panel;
      assert.equal(session.state.timeline.length, 0);
      end(png(3, 2, 0));
      await sending;
      const sent = messages(session.state).filter(({ role }) => role === 'user');
      assert.deepEqual(
        sent.map((message) => (message.role === 'user' ? message.parts.map(({ type }) => type) : [])),
        [['text', 'image']],
      );
    });

    it('sends nothing if the image is refused, and says so', async () => {
      const { panel, end, sending } = await open();
      end(Buffer.from('no image'));
      assert.equal((await rejection(sending)).code, 'draft.imageNotAdded');
      assert.deepEqual([panel.session.state.timeline.length, panel.drafts.get(panel.session.id).text], [0, 'Look']);
      await panel.draftActions.send(panel.session, 'Look');
      assert.equal(messageText(lastUser(panel.session.state)), 'Look');
    });

    for (const isReplaced of [false, true]) {
      it(`by the webview, sends nothing when ${isReplaced ? 'the webview is replaced' : 'the panel could not add it'}`, async () => {
        const { session, drafts, draftActions } = await readyPanel(windows.open({}));
        drafts.typed(session.id, 'Look', { panel: 'view', number: 1 });
        drafts.beginRead('view', session.id);
        const sending = draftActions.send(session, 'Look');
        if (isReplaced) {
          drafts.forgetEdits('view');
        } else {
          drafts.endRead('view', session.id, false);
        }
        assert.equal((await rejection(sending)).code, 'draft.imageNotAdded');
        assert.deepEqual([session.state.timeline.length, drafts.get(session.id).text], [0, 'Look']);
      });
    }

    it('by the webview, sends nothing that the user has changed or cancelled meanwhile', async () => {
      const { session, drafts, draftActions } = await readyPanel(windows.open({}));
      drafts.typed(session.id, 'Look', { panel: 'view', number: 1 });
      drafts.beginRead('view', session.id);
      const sending = draftActions.send(session, 'Look');
      drafts.typed(session.id, 'Look here', { panel: 'view', number: 2 });
      drafts.endRead('view', session.id, true);
      assert.equal((await rejection(sending)).code, 'draft.changedBeforeSent');
      assert.equal(drafts.get(session.id).text, 'Look here');
    });
  });
});
