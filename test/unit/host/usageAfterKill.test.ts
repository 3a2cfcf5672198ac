import assert from 'node:assert/strict';
import { createApi } from '../../../src/host/api/api.js';
import { column } from '../../support/columns.js';
import { SteppedClock, until } from '../../support/host/clocks.js';
import { writeNewerLine } from '../../support/host/damage.js';
import { LONG_CHAT, RESTORE_STEP, writeLongChat, EXCHANGES } from '../../support/host/longChat.js';
import { DEAD_PID, useWindows, type Window } from '../../support/host/window.js';

describe('the usage of a chat whose window was killed in a reply', () => {
  const windows = useWindows();

  async function told({ chats, models, errors }: Window, chatId: string): Promise<readonly [one: number, all: number]> {
    const none = (): never => assert.fail('No chat is on show.');
    const drafts = { load: none, get: none };
    const api = createApi({ chats, models, drafts, current: none, logError: (error) => errors.push(error) });
    return [(await api.getUsage(chatId)).attempts, (await api.getUsage()).attempts];
  }

  async function killed(chatId: string, restoreStep: number): Promise<void> {
    const window = windows.open({ writerId: 'killed', pid: DEAD_PID, restoreStep, clock: new SteppedClock() });
    const session = await window.chats.open(chatId);
    void session.conversation.send('/slow');
    await until(() => [...session.state.attempts.values()].some(({ end }) => end === null), 'a reply is on its way');
  }

  for (const reads of ['end', 'whole'] as const) {
    it(`is the same in the chat and in the sum over all where a window has the ${reads} of the chat open`, async () => {
      await writeLongChat(windows.folder);
      const first = windows.open({ restoreStep: RESTORE_STEP });
      await (await first.chats.open(LONG_CHAT)).whole();
      await first.store.updateDerived(LONG_CHAT, 1);
      const window = windows.open({ writerId: 'second', restoreStep: RESTORE_STEP });
      const session = await window.chats.open(LONG_CHAT);
      assert.equal(session.state.extent, 'end');
      if (reads === 'whole') {
        await session.whole();
      }
      await killed(LONG_CHAT, RESTORE_STEP);
      assert.deepEqual(await told(window, LONG_CHAT), [EXCHANGES + 1, EXCHANGES + 1]);
    });
  }

  it('is the same where nothing may be written to the chat, before it is opened and after', async () => {
    const { id } = await windows.open({}).chats.create();
    await killed(id, RESTORE_STEP);
    await writeNewerLine(windows.folder, id);
    const window = windows.open({ writerId: 'second' });
    assert.equal((await window.chats.usage.all()).attempts, 1);
    assert.deepEqual(await told(window, id), [1, 1]);
    const session = await window.chats.open(id);
    assert.notEqual(session.readOnly, null);
    assert.equal(session.conversation.isRunning, false);
    await session.poll();
    assert.deepEqual(column([...session.state.runs.values()], 'status'), ['interrupted']);
  });
});
