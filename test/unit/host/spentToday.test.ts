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
import { useWindows, type Window, type WindowOptions } from '../../support/host/window.js';
import { STOP } from '../../../src/engine/run/input.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';
import { longTalk, type LongTalk } from '../../support/host/longTalk.js';

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

  it('is also summed for the week, each request once, and names requests of unknown price', async () => {
    const clock = new RunningClock();
    // A Wednesday.
    clock.time = Date.UTC(2026, 10, 25, 12);
    const window = windows.open({ models: BILLED_MODELS, clock });
    const first = await window.chats.create();
    await first.conversation.send('Tides');
    clock.time += 24 * 3_600_000;
    const second = await window.chats.create();
    await second.conversation.send('Winds');
    await window.chats.importChat(join(window.folder, 'chats', second.id), patient());
    const { day, week } = await window.chats.spentSums();
    assert.deepEqual(
      [day, week],
      [
        { cost: spent(second), unknownRequests: 0 },
        { cost: spent(first) + spent(second), unknownRequests: 0 },
      ],
    );
  });

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
    await later.titler.rename('Later');
    clock.time = Date.UTC(2026, 10, 18);
    const today = windows.open({ writerId: 'today', models: BILLED_MODELS, spend: () => limits, clock });
    const rows = new UsageRows(today.chats);
    await rows.readAll();
    const known = { purpose: 'embedding', model: PRACTICE_STANDARD.ref, requests: 1, usage: null, isUnbilled: false } as const;
    const old = await yesterday.chats.open(id);
    await old.record([{ type: 'requests-made', attemptId: 'looked', ...known, cost: { usd: 0.5, atLeast: false } }]);
    await rows.readAll();
    const costs = rows.chats?.find(({ chatId }) => chatId === id)?.rows.map(({ cost }) => cost?.usd);
    assert.deepEqual(costs, [0.5]);
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

describe('what Loupe spends by itself', () => {
  const windows = useWindows();
  let limits: SpendLimits;
  beforeEach(() => {
    limits = { askAbove: null, capPerChat: null, capPerDay: null };
  });

  const open = (options: WindowOptions): Window => windows.open({ models: BILLED_MODELS, spend: () => limits, ...options });

  async function talk(exchanges: number): Promise<LongTalk> {
    const config = { compaction: 'on', compactionPolicy: 'message-count', maxPromptTokens: 20_000 } as const;
    return longTalk(windows, exchanges, { config, spend: () => limits });
  }

  it('a summary that is due and dear is offered, not written: nobody may be there to be asked', async () => {
    const { session, house } = await talk(40);
    limits = { ...limits, askAbove: 0.0001 };
    const sending = session.conversation.send('And now?');
    session.spending.answer((await asked(session)).id, true);
    await sending;
    const sent = house.bodies.length;
    await session.compactor.settled();
    const { status } = session.compactor;
    assert.deepEqual([status?.kind, house.bodies.length, session.spending.questions], ['due', sent, []]);
    assert.match(
      status?.kind === 'due' ? (status.why ?? '') : '',
      /^Loupe does not write this summary automatically: the request may cost about \$[\d.]+, and your limit is \$0\.0001 \(loupe\.spend\.askAbove\)\.$/,
    );
  });

  it('an answered question leaves the panel at once', async () => {
    const session = await open({}).chats.create();
    limits = { ...limits, askAbove: 0 };
    const sending = session.conversation.send('Tides');
    const { id } = await asked(session);
    const shown: number[] = [];
    session.onChange(() => shown.push(session.spending.questions.length));
    session.spending.answer(id, true);
    assert.deepEqual(shown, [0]);
    await sending;
  });

  it('a summary by hand is asked about, with what it takes at most, and is cancelled when the user does not allow it', async () => {
    const { session, house } = await talk(3);
    limits = { ...limits, askAbove: 0 };
    const sent = house.bodies.length;
    const declined = session.compactor.summarize(null);
    const { about, cost, id } = await asked(session);
    assert.equal(about, 'summary');
    assert.ok((cost.replyUsd ?? 0) > 0 && (cost.usd ?? 0) > (cost.replyUsd ?? 0));
    session.spending.answer(id, false);
    await declined;
    assert.deepEqual([session.compactor.status?.kind, house.bodies.length, session.state.compactions.size], ['cancelled', sent, 0]);
    house.replies.push([{ text: 'Tides, in short.' }]);
    const allowed = session.compactor.summarize(null);
    session.spending.answer((await asked(session)).id, true);
    await allowed;
    assert.deepEqual([house.bodies.length, session.state.compactions.size], [sent + 1, 1]);
  });

  const titled = { config: { titles: 'on' } } as const;

  it('a title that is dear is not asked for, and the chat says why; by hand it is asked about', async () => {
    limits = { ...limits, askAbove: 0 };
    const { chats } = open(titled);
    const session = await chats.create();
    const sending = session.conversation.send('Tides');
    session.spending.answer((await asked(session)).id, true);
    await sending;
    await session.titler.ended();
    const line = new EntryViews(() => ANY_MODEL).derive(session.state, 50).entries.find((entry) => entry.kind === 'title');
    assert.match(
      line?.text ?? '',
      /^Loupe did not request a title: the request may cost about .*, and your limit is \$0\.00 \(loupe\.spend\.askAbove\)\./,
    );
    assert.deepEqual([session.state.title, session.spending.questions], [null, []]);
    const byHand = session.titler.generate();
    const question = await asked(session);
    assert.equal(question.about, 'title');
    session.spending.answer(question.id, true);
    await byHand;
    assert.equal(session.state.title, 'Tides');
  });

  it('a title that the user does not allow is stopped, and no failure', async () => {
    const { chats, errors } = open({});
    const session = await chats.create();
    await session.conversation.send('Tides');
    limits = { ...limits, askAbove: 0 };
    const byHand = session.titler.generate();
    session.spending.answer((await asked(session)).id, false);
    await byHand;
    assert.deepEqual([session.state.title, [...session.state.runs.values()].at(-1)?.status, errors], [null, 'stopped', []]);
    await session.titler.stop(STOP);
  });
});
