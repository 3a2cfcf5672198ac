import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import { ledgerTotals } from '../../../src/engine/chat/ledger.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { diagnosisPorts } from '../../../src/host/request/verdict/attemptDiagnosis.js';
import { UsageRows } from '../../../src/host/usage/usageRows.js';
import { MOST_COLUMNS, type UsageTurns } from '../../../src/protocol/usage/turns.js';
import type { VerdictPiece } from '../../../webview/usage/usageWords.js';
import { lossesInWords, turnsFacts, turnsVerdict } from '../../../webview/usage/turnWords.js';
import { column } from '../../support/columns.js';
import { markedCache } from '../../support/engine/models.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { cachingHouse, HOUSE_MINIMUM, words, type CachingHouse } from '../../support/host/cachingHouse.js';
import { RunningClock, until } from '../../support/host/clocks.js';
import { EXCHANGES, LONG_CHAT, writeLongChat } from '../../support/host/longChat.js';
import { NO_OTHERS, openUsage, type OpenedUsage } from '../../support/host/openUsage.js';
import { lastAttempt, lastUser } from '../../support/host/reading.js';
import { useWindows, type Window } from '../../support/host/window.js';

const MINUTE = 60_000;

describe('the turns of a chat in Usage', () => {
  const windows = useWindows();
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  async function shownOf(window: Window, chatId: string): Promise<OpenedUsage> {
    const opened = openUsage(window, new UsageRows(window.chats), NO_OTHERS);
    closing.push(() => {
      opened.view.dispose();
      return Promise.resolve();
    });
    await opened.view.show(chatId);
    await until(() => opened.state().turns !== null, 'the turns are read');
    return opened;
  }

  interface Talk {
    readonly house: CachingHouse;
    readonly window: Window;
    readonly session: ChatSession;
    readonly say: (text: string, pause: number) => Promise<void>;
  }

  /** A chat with a provider that caches for 5 minutes. */
  async function talk(config: Partial<ChatConfig>): Promise<Talk> {
    const clock = new RunningClock();
    const cache = markedCache({ minimumTokens: HOUSE_MINIMUM });
    const house = await cachingHouse({ protocol: 'anthropic', cache, clock, minimumTokens: HOUSE_MINIMUM });
    closing.push(() => house.server.stop());
    const settings = {
      model: house.practice,
      systemPrompt: words(400, 3),
      layout: 'plain',
      cacheLifetime: '5m',
      compaction: 'off',
    } as const;
    const window = windows.open({ clock, sources: [house.source], config: { ...settings, ...config } });
    const session = await window.chats.create();
    const say = async (text: string, pause: number): Promise<void> => {
      clock.time += pause;
      await session.conversation.send(text);
    };
    return { house, window, session, say };
  }

  function diagnosed(window: Window, { state }: ChatSession, attempt: AttemptState): { readonly extra: number; readonly again: number } {
    const { diagnoses } = diagnosisPorts(window.models, { logError: (error) => window.errors.push(error) });
    const { again, costHadHeld } = diagnoses.of(state, attempt)?.diagnosis ?? assert.fail('The record is damaged.');
    return { extra: Number((costOf(attempt) - (costHadHeld ?? 0)).toFixed(12)), again };
  }

  const costOf = ({ end }: AttemptState): number => end?.cost?.usd ?? assert.fail('The request has no cost.');

  function wordsOf(pieces: readonly VerdictPiece[]): string {
    return pieces.map(({ text }) => text).join('');
  }

  function facts(turns: UsageTurns): Record<string, string> {
    return Object.fromEntries(turnsFacts(turns).map(({ name, text }) => [name, text]));
  }

  const sum = (rows: UsageTurns['rows'], of: (row: UsageTurns['rows'][number]) => number | null): number =>
    rows.reduce((all, row) => all + (of(row) ?? 0), 0);

  it('say per turn what was read from the cache, newest first, with the turn that an edit discarded', async () => {
    const { window, session, say } = await talk({});
    for (const from of [1, 2, 3]) {
      await say(words(600, from), MINUTE);
    }
    await session.conversation.edit(lastUser(session.state).id, words(300, 5));
    const { turns, figures } = await shownOf(window, session.id);
    const { count, rows, columns } = turns();
    assert.deepEqual([count, columns.length], [4, 4]);
    assert.deepEqual(column(rows, 'number'), [4, 3, 2, 1]);
    assert.deepEqual(column(rows, 'isDiscarded'), [false, true, false, false]);
    assert.match(column(rows, 'message').join(', '), /^word5 .*, word3 .*, word2 .*, word1 /);
    const read = rows.map(({ tokens }) => tokens.read.tokens);
    assert.equal(read.at(-1), 0, 'the first turn has nothing to read');
    assert.equal(
      sum(rows, ({ tokens }) => tokens.read.tokens),
      figures().total.read,
    );
    assert.equal(turns().sum.usd, ledgerTotals(session.state).cost);
    assert.deepEqual([turns().sum, turns().saving], [figures().total, figures().saving], 'the same as for the week of all requests');
    assert.match(wordsOf(turnsVerdict(turns())), /^\$0\.\d+ in 4 turns\. The cache saved /);
  });

  it('say where the cache broke, with the reason and the extra cost of the inspector, and what waiting cost', async () => {
    const { window, session, say } = await talk({});
    await say(words(900, 1), MINUTE);
    await say(words(300, 2), 20 * MINUTE);
    const late = lastAttempt(session.state);
    await say(words(300, 3), MINUTE);
    const { turns } = await shownOf(window, session.id);
    const { extra, again } = diagnosed(window, session, late);
    const [third, second = assert.fail('There is no second turn.'), first] = turns().rows;
    assert.deepEqual([first?.lost.count, third?.lost.count], [0, 0]);
    assert.deepEqual(second.lost, { count: 1, usd: extra, unknown: 0 });
    assert.equal(second.attemptId, late.id);
    const why = /^[\d,]+ tokens written to the cache again because the cache expired in a pause of 20 min\. \$0\.\d+ more\.$/;
    assert.match(lossesInWords(second) ?? '', why);
    assert.deepEqual([turns().lost, turns().waited], [second.lost, second.lost]);
    assert.equal(turns().lostTokens, again);
    assert.match(facts(turns())['Cache broke'] ?? '', /^1 time, [\d,]+ tokens sent again, \$0\.\d+ more$/);
    assert.match(facts(turns())['Waiting'] ?? '', /^1 cache expired in a pause, \$0\.\d+ more$/);
  });

  it('say what a summary cost and saved in later turns, and nothing of this after its undoing', async () => {
    const { house, window, session, say } = await talk({});
    for (const from of [1, 2, 3, 4]) {
      await say(words(900, from), MINUTE);
    }
    house.replies.push({ parts: [{ type: 'text', text: 'Only words.' }], outputTokens: 3 });
    await session.compactor.summarize(null);
    const written = lastAttempt(session.state);
    assert.equal(written.purpose, 'summary');
    const opened = await shownOf(window, session.id);
    assert.match(facts(opened.turns())['Summaries'] ?? '', /^none used, cost \$0\.\d+$/);
    await say(words(20, 5), MINUTE);
    await until(() => opened.turns().count === 5, 'the turn after the summary is read');
    const before = opened.turns();
    const [{ tokens } = assert.fail('There is no summary.')] = session.state.compactions.values();
    const prices = window.models.listed(house.practice)?.prices ?? assert.fail('The model has no prices.');
    const rate = sum(before.rows.slice(0, 1), ({ tokens: { read } }) => read.tokens) > 0 ? prices.cacheRead : prices.input;
    assert.deepEqual(before.saved, {
      count: 1,
      usd: Number((((tokens.before - tokens.after) * rate) / 1_000_000).toFixed(12)),
      unknown: 0,
    });
    assert.ok((before.summaries.usd ?? 0) >= costOf(written));
    assert.match(facts(before)['Summaries'] ?? '', /^1, saved about \$0\.\d+, cost \$0\.\d+$/);
    await session.compactor.undo();
    await say(words(20, 6), MINUTE);
    await until(() => opened.turns().count === 6, 'the new turn is read');
    assert.deepEqual(opened.turns().saved, before.saved, 'the request after the undoing has no summary');
  });

  it('show one turn of a chat without prices and without a cache as it is: unknown, and never 0', async () => {
    const models = BILLED_MODELS.map((model) => ({ ...model, prices: null }));
    const { window, session } = await windows.openChat({ models }, '/long 3');
    const { turns } = await shownOf(window, session.id);
    const { count, sum, lost, saved, rows } = turns();
    assert.deepEqual([count, sum.usd, sum.noPrice, lost.count, saved.usd], [1, null, 1, 0, null]);
    assert.equal(rows[0]?.message, '/long 3');
    assert.deepEqual(facts(turns()), { 'Cache broke': 'never', Waiting: 'no cache expired', Summaries: 'none' });
  });

  it('follow what is sent, and give way to all chats where the chat has no request', async () => {
    const { window, session } = await windows.openChat({ models: BILLED_MODELS }, '/long 2');
    const { turns, state, view } = await shownOf(window, session.id);
    await session.conversation.send('/long 3');
    await until(() => turns().count === 2, 'the new turn is shown');
    const fresh = await window.chats.create();
    await view.show(fresh.id);
    await until(() => state().query.chatId === null, 'all chats are shown');
    assert.deepEqual([state().query.byTurn, state().turns, state().hasTurns], [false, null, false]);
  });

  it('are not offered for a deleted chat, of which only the usage is kept', async () => {
    const { window, session } = await windows.openChat({ models: BILLED_MODELS }, '/long 2');
    await window.chats.delete(session.id);
    const { view, state, figures } = openUsage(window, new UsageRows(window.chats), NO_OTHERS);
    await view.show(session.id);
    await until(() => state().figures !== null && state().query.chatId === session.id, 'the usage is shown');
    assert.deepEqual([state().query.byTurn, state().hasTurns, figures().total.requests], [false, false, 1]);
    view.dispose();
  });

  it('are columns of several turns in a long chat, and a column selects its turns in the table', async () => {
    await writeLongChat(windows.folder);
    const window = windows.open({ models: BILLED_MODELS });
    const { turns, view, state } = await shownOf(window, LONG_CHAT);
    const { count, columns, rows, matching } = turns();
    assert.deepEqual([count, matching, rows.length], [EXCHANGES, EXCHANGES, 20]);
    assert.ok(columns.length <= MOST_COLUMNS);
    assert.deepEqual([columns[0]?.from, columns.at(-1)?.to], [1, EXCHANGES]);
    assert.ok(columns.every(({ from }, at) => at === 0 || columns[at - 1]?.to === from - 1));
    const second = columns[1] ?? assert.fail('There is only one column.');
    view.ask({ ...state().query, turn: second.from });
    await until(() => turns().matching === second.to - second.from + 1, 'the column is selected');
    assert.deepEqual([turns().rows.at(-1)?.number, turns().rows[0]?.number], [second.from, second.to]);
    assert.equal(
      second.sum.input,
      turns().rows.reduce((sum, row) => sum + row.sum.input, 0),
    );
    view.ask({ ...state().query, turn: null, onlyLosses: true });
    await until(() => state().query.onlyLosses, 'only turns with losses are shown');
    assert.ok(turns().rows.every(({ lost }) => lost.count > 0));
    assert.deepEqual(window.errors, []);
  });
});
