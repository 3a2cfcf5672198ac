import assert from 'node:assert/strict';
import { newId } from '../../../src/engine/chat/order/ids.js';
import { Drafts } from '../../../src/host/chat/drafts.js';
import { DraftActions } from '../../../src/host/panel/composer/draftActions.js';
import { systemRandom } from '../../../src/host/window/systemRandom.js';
import { DraftFiles } from '../../../src/storage/drafts.js';
import { rejection } from '../../support/rejection.js';
import { useWindows } from '../../support/host/window.js';

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
});
