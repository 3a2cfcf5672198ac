import assert from 'node:assert/strict';
import { STOP } from '../../../src/engine/run/input.js';
import type { SpendLimits } from '../../../src/engine/spend/limits.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { longTalk, type LongTalk } from '../../support/host/longTalk.js';
import { asked } from '../../support/host/spending.js';
import { useWindows, type Window, type WindowOptions } from '../../support/host/window.js';

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
