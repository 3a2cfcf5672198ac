import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Banner } from '../../../src/protocol/panel/view.js';
import { SteppedClock, stepUntil, until } from '../../support/host/clocks.js';
import { panelOf } from '../../support/host/panel.js';
import { conversation, partialText } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';

describe('a chat that another window deletes while it is answered here', () => {
  const windows = useWindows();

  async function deletedElsewhere() {
    const clock = new SteppedClock();
    const { window: here, session } = await windows.openChat({ clock, writerId: 'first' });
    const test = await panelOf(here, session.id);
    const sending = test.say({ type: 'send', chatId: session.id, text: '/long 60' });
    await stepUntil(clock, () => partialText(session).length > 20, 'text streams');
    const other = windows.open({ writerId: 'second', pid: process.ppid });
    await other.chats.delete(session.id);
    const banner = (): Pick<Banner, 'severity' | 'text'> | undefined => test.webview.state.banners[0];
    const heard = async (): Promise<void> => {
      await here.chats.otherWindows.poll([session.id]);
      await until(() => banner()?.text.includes('in another window') === true, 'the panel says so');
    };
    return { here, other, session, sending, clock, banner, heard };
  }

  const LOST = {
    severity: 'warning',
    text:
      'The chat "/long 60" was deleted in another window. Your changes in this window are not saved. ' +
      'To keep them, choose Undo in the other window.',
  };

  it('says that the reply is not saved, which ends at once and comes back with the chat', async () => {
    const { here, other, session, sending, banner, heard } = await deletedElsewhere();
    await heard();
    await sending;
    assert.deepEqual({ severity: banner()?.severity, text: banner()?.text }, LOST);
    await other.chats.undelete(session.id);
    await here.chats.otherWindows.poll([session.id]);
    assert.equal(conversation((await windows.open({ writerId: 'third' }).chats.open(session.id)).state).length, 2);
  });

  it('says so of a reply that ended before this window heard of it, also without the folder of the chat', async () => {
    const { here, session, sending, clock, banner, heard } = await deletedElsewhere();
    await rm(join(windows.folder, 'chats', session.id), { recursive: true });
    await stepUntil(clock, () => !session.conversation.isRunning, 'the run ends');
    await sending;
    await until(() => banner()?.severity === 'error', 'the panel says that nothing is saved');
    assert.match(banner()?.text ?? '', /^This chat was deleted\. Your text is not saved/);
    await heard();
    assert.deepEqual({ severity: banner()?.severity, text: banner()?.text }, LOST);
    assert.deepEqual([...new Set(here.errors.map(({ code }) => code))], ['storage.chatDeleted']);
  });
});
