import assert from 'node:assert/strict';
import { readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptUsage } from '../../../src/engine/accounting/attemptUsage.js';
import { csvLine } from '../../../src/engine/accounting/usageExport.js';
import { NO_CHAT } from '../../../src/engine/accounting/usedAttempt.js';
import { UsageRows } from '../../../src/host/usage/usageRows.js';
import { usage } from '../../support/engine/events.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { until } from '../../support/host/clocks.js';
import { NO_OTHERS, openUsage } from '../../support/host/openUsage.js';
import { asked } from '../../support/host/spending.js';
import { useWindows } from '../../support/host/window.js';

describe('a request outside of chats', () => {
  const windows = useWindows();

  function probe(id: string, at: number): AttemptUsage {
    const spent = { usage: usage(12, 0, 0, 3), cost: { usd: 1, atLeast: false }, isUnbilled: false };
    return { id, at, purpose: 'probe', model: { provider: 'house', model: 'large' }, isDiscarded: false, ...spent };
  }

  it('is in the sum over all chats, in each window and after all have closed', async () => {
    const window = windows.open({});
    await window.chats.usage.addOutside(probe('1-a', 1));
    const other = windows.open({ writerId: 'other' });
    await other.chats.usage.addOutside(probe('2-b', 2));
    assert.equal((await window.chats.usage.all()).cost, 2);
    await window.chats.close();
    await other.chats.close();
    assert.equal((await windows.open({ writerId: 'later' }).chats.usage.all()).cost, 2);
  });

  it('is in Usage as it is made, under a name of its own, and cannot be opened', async () => {
    const window = windows.open({});
    const opened = openUsage(window, new UsageRows(window.chats), NO_OTHERS);
    await opened.view.show(null);
    await until(() => opened.state().figures !== null, 'the chats are read');
    await window.chats.usage.addOutside(probe('1-a', window.clock.now()));
    await until(() => opened.figures().total.requests === 1, 'the request is there');
    const [row] = opened.requests().rows;
    assert.deepEqual([row?.chat, row?.purpose, row?.opens, row?.isElsewhere], ['Outside of chats', 'Test message', false, false]);
    assert.equal(opened.figures().legend.find(({ key }) => key === 'probe')?.sum.usd, 1);
    const { attempts } = await opened.view.exported('all');
    assert.match(csvLine(attempts[0]!, { when: 'now', chat: 'Outside of chats', held: null }), /^now,,Outside of chats,1-a,probe,1,/);
    opened.view.ask({ ...opened.state().query, chatId: NO_CHAT });
    await until(() => opened.figures().total.requests === 1, 'it can be filtered by');
    opened.view.dispose();
  });

  it('counts against the cap of its day', async () => {
    const limits = { askAbove: null, capPerChat: null, capPerDay: 0.5 };
    const window = windows.open({ models: BILLED_MODELS, spend: () => limits });
    await window.chats.usage.addOutside(probe('1-a', window.clock.now()));
    const session = await window.chats.create();
    const sending = session.conversation.send('And now?');
    const { objection } = await asked(session);
    assert.deepEqual(objection, { kind: 'dayCap', limit: 0.5, spent: { usd: 1, isAtLeast: false } });
    await session.conversation.stop();
    await sending;
  });

  it('that is damaged or cannot be read is named once in the log, and the others count', async () => {
    const window = windows.open({});
    const folder = join(windows.folder, 'requests');
    for (const [at, id] of ['1-a', '2-b', '3-c'].entries()) {
      await window.chats.usage.addOutside(probe(id, at + 1));
    }
    const [first = '', second = ''] = (await readdir(folder)).toSorted();
    await writeFile(join(folder, first), '{"id":"1-a","cost":{"usd":7}}');
    await rm(join(folder, second));
    // A link loop: opening it fails for all users.
    await symlink(second, join(folder, second));
    const later = windows.open({ writerId: 'later' });
    assert.equal((await later.chats.usage.all()).cost, 1);
    await later.chats.usage.all();
    assert.deepEqual(
      later.errors.map(({ message }) => message.includes(first) || message.includes(second)),
      [true, true],
    );
  });
});
