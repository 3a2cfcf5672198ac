import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ledgerTotals } from '../../../src/engine/chat/ledger.js';
import type { SpendLimits } from '../../../src/engine/spend/limits.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { UsageRows } from '../../../src/host/usage/usageRows.js';
import { column } from '../../support/columns.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { RunningClock } from '../../support/host/clocks.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { patient } from '../../support/host/otherWorkspace.js';
import { asked } from '../../support/host/spending.js';
import { useWindows, type Window } from '../../support/host/window.js';

describe('what is spent on a day, before the cap of the day', () => {
  const windows = useWindows();
  let limits: SpendLimits;
  beforeEach(() => {
    limits = { askAbove: null, capPerChat: null, capPerDay: null };
  });

  const spent = ({ state }: ChatSession): number => ledgerTotals(state).cost ?? 0;

  async function spentOfDay({ chats }: Window): Promise<number> {
    limits = { ...limits, capPerDay: 0 };
    const session = await chats.create();
    const sending = session.conversation.send('And now?');
    const { objection } = await asked(session);
    limits = { ...limits, capPerDay: null };
    await session.conversation.stop();
    await sending;
    return objection.kind === 'dayCap' ? objection.spent.usd : assert.fail(objection.kind);
  }

  it('counts once for the day what an imported chat shares with the chat that it is a copy of', async () => {
    const { window, session: one } = await windows.openChat({ models: BILLED_MODELS, spend: () => limits }, 'Tides');
    await window.chats.importChat(join(window.folder, 'chats', one.id), patient());
    assert.equal(await spentOfDay(window), spent(one));
  });

  it('counts for the day what a chat spent after it was restored, also when it is deleted again', async () => {
    const window = windows.open({ models: BILLED_MODELS, spend: () => limits });
    const { id, conversation } = await window.chats.create();
    await conversation.send('Tides');
    await window.chats.delete(id);
    await spentOfDay(window);
    await window.chats.undelete(id);
    const restored = await window.chats.open(id);
    await restored.conversation.send('Winds');
    const sum = spent(restored);
    assert.equal(await spentOfDay(window), sum);
    await window.chats.delete(id);
    assert.equal(await spentOfDay(window), sum);
  });

  it('counts what Loupe asked for in an old chat that was only looked at, which stays where it is in the list', async () => {
    const clock = new RunningClock();
    clock.time = Date.UTC(2026, 10, 17);
    const yesterday = windows.open({ writerId: 'yesterday', clock });
    const { id } = await yesterday.chats.create();
    clock.time += 1_000;
    const later = await yesterday.chats.create();
    await later.rename('Later');
    clock.time = Date.UTC(2026, 10, 18);
    const today = windows.open({ writerId: 'today', models: BILLED_MODELS, spend: () => limits, clock });
    const rows = new UsageRows(today.chats);
    await rows.readAll();
    const known = { purpose: 'embedding', model: PRACTICE_STANDARD.ref, requests: 1, usage: null, isUnbilled: false } as const;
    const old = await yesterday.chats.open(id);
    await old.record([{ type: 'requests-made', attemptId: 'looked', ...known, cost: { usd: 0.5, atLeast: false } }]);
    await rows.readAll();
    assert.deepEqual(
      rows.chats?.find(({ chatId }) => chatId === id)?.rows.map(({ cost }) => cost?.usd),
      [0.5],
    );
    assert.deepEqual(column(today.chats.list(), 'id'), [later.id, id]);
    assert.equal(await spentOfDay(today), 0.5);
  });

  it('counts for the day what has its time, also when the clock was set back over midnight', async () => {
    const clock = new RunningClock();
    const midnight = Date.UTC(2026, 10, 18);
    clock.time = midnight + 600_000;
    const { window, session: late } = await windows.openChat({ models: BILLED_MODELS, spend: () => limits, clock }, 'Tides');
    clock.time = midnight - 600_000;
    assert.equal(await spentOfDay(window), 0);
    const early = await window.chats.create();
    await early.conversation.send('Winds');
    assert.equal(await spentOfDay(window), spent(early));
    await late.conversation.send('And now?');
    const sum = await spentOfDay(window);
    clock.time = midnight + 1_200_000;
    assert.ok(Math.abs(sum + (await spentOfDay(window)) - spent(early) - spent(late)) < 1e-9, 'each counts on one day');
  });
});
