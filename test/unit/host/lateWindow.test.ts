import assert from 'node:assert/strict';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { SteppedClock, stepUntil } from '../../support/host/clocks.js';
import { partialText, runStatuses } from '../../support/host/reading.js';
import { DEAD_PID, useWindows } from '../../support/host/window.js';

describe('what another window did, before this one has looked', () => {
  const windows = useWindows();

  it('counts as ended with unknown usage where it was killed in a reply', async () => {
    const clock = new SteppedClock();
    const { session } = await windows.openChat({ clock, writerId: 'first', pid: DEAD_PID, models: BILLED_MODELS });
    void session.conversation.send('/long 60');
    await stepUntil(clock, () => partialText(session).length > 200, 'text streams');
    const { chats } = windows.open({ writerId: 'second', models: BILLED_MODELS });
    const totals = async (): Promise<unknown> => {
      const { attempts, unknownAttempts } = await chats.usage.all();
      return [attempts, unknownAttempts, chats.list().map(({ running, unknownRequests }) => [running, unknownRequests])];
    };
    assert.deepEqual(await totals(), [1, 1, [[false, 1]]]);
    await chats.open(session.id);
    assert.deepEqual(await totals(), [1, 1, [[false, 1]]]);
  });

  it('leaves a chat its one session, where it undid a deletion', async () => {
    const { window, session } = await windows.openChat({ writerId: 'first', pid: process.ppid }, '/long 2');
    const other = windows.open({ writerId: 'second' });
    const told: string[] = [];
    other.chats.otherWindows.onChange({
      deleted: ({ id }) => told.push(`deleted ${id}`),
      restored: (id) => told.push(`broughtBack ${id}`),
    });
    const seen = await other.chats.open(session.id);
    await window.chats.delete(session.id);
    await other.chats.otherWindows.poll([session.id]);
    await window.chats.undelete(session.id);
    assert.equal(await other.chats.open(session.id), seen);
    const sending = seen.conversation.send('/long 2');
    await other.chats.otherWindows.poll([session.id]);
    assert.equal(await other.chats.open(session.id), seen);
    await sending;
    assert.deepEqual(runStatuses(seen.state), ['committed', 'committed']);
    assert.deepEqual([told, other.errors], [[`deleted ${session.id}`, `broughtBack ${session.id}`], []]);
  });
});
