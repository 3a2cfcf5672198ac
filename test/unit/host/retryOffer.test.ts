import assert from 'node:assert/strict';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { RestoreOffer } from '../../../src/host/panel/composer/restoreOffer.js';
import type { RestorableFile } from '../../../src/protocol/panel/toolCalls.js';
import { messages } from '../../support/host/reading.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { useWindows, type Window } from '../../support/host/window.js';

const FILE: RestorableFile = { path: 'a.ts', action: 'write', problem: null, added: 1, removed: 2, isChangedSince: false };

describe('a retry behind whose message tools wrote files', () => {
  const windows = useWindows();
  let window: Window;
  let panel: TestPanel;
  let session: ChatSession;
  let offer: RestoreOffer;
  let files: RestorableFile[];
  let restored: string[];
  let id: string;
  beforeEach(async () => {
    files = [FILE];
    restored = [];
    window = windows.open({});
    session = await window.chats.create();
    await session.conversation.send('/long 3');
    panel = await panelOf(window, session.id);
    offer = new RestoreOffer({
      drafts: panel.drafts,
      restores: {
        restorable: () => Promise.resolve(files),
        restorer: (_chatId, messageId, paths) =>
          Promise.resolve(() => {
            restored.push(...paths.map((path) => `${path} behind ${messageId}, after ${String(requests())} requests`));
            return Promise.resolve([]);
          }),
      },
      changed: () => undefined,
      fail: (error) => window.errors.push(error),
    });
    id = messages(session.state)[0]?.id ?? '';
  });
  afterEach(() => {
    offer.dispose();
  });

  const requests = (): number => window.model.bodies.length;

  it('asks first; they are restored before the message is answered again', async () => {
    await offer.retry(session, id);
    assert.deepEqual([offer.view(session.id), requests()], [{ cause: 'retry', messageId: id, files: [FILE], isOn: true }, 1]);
    await offer.answerRetry(session, true);
    assert.deepEqual([restored, requests(), offer.view(session.id)], [[`a.ts behind ${id}, after 1 requests`], 2, null]);
    await assert.rejects(offer.answerRetry(session, true), /no longer open/);
  });

  it('restores none where the user does not want it, and changes nothing when it is cancelled', async () => {
    await offer.retry(session, id);
    offer.set(session.id, false);
    await offer.answerRetry(session, true);
    assert.deepEqual([restored, requests()], [[], 2]);
    await offer.retry(session, id);
    await offer.answerRetry(session, false);
    assert.deepEqual([restored, requests(), offer.view(session.id)], [[], 2, null]);
  });

  it('does not ask where nothing can be restored', async () => {
    files = [{ ...FILE, action: null, problem: 'Loupe has no earlier copy of a.ts.' }];
    await offer.retry(session, id);
    assert.deepEqual([requests(), offer.view(session.id)], [2, null]);
  });

  it('is not asked about any more once the user does something else', async () => {
    await offer.retry(session, id);
    offer.dropRetry(session.id);
    assert.equal(offer.view(session.id), null);
    await offer.retry(session, id);
    panel.drafts.beginEdit(session.id, id, { text: 'Other', images: [] });
    assert.equal(offer.view(session.id), null);
    panel.drafts.finish(session.id);
  });
});
