import assert from 'node:assert/strict';
import type { AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { cacheOf } from '../../../src/host/chat/idle/idleFigures.js';
import { IdleNotices } from '../../../src/host/panel/idle/idleNotices.js';
import { idleView } from '../../../src/host/panel/idle/slices.js';
import type { IdleView } from '../../../src/protocol/panel/idle.js';
import { markedCache } from '../../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, ONE_TOKEN, words, type CachingHouse, type HouseOptions } from '../../support/host/cachingHouse.js';
import { RunningClock, until } from '../../support/host/clocks.js';
import { IdleTimer } from '../../support/host/idleTimer.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';

const MINUTE = 60_000;
/** The largest error of a price, as a share. */
const TOLERANCE = 0.02;

/** Settings with which no message is old enough for a summary. */
const NOTHING_TO_SUMMARIZE = { compaction: 'on', compactionPolicy: 'rolling-window', recentMessages: 50, leastRecentMessages: 50 } as const;

describe('a chat whose cache is about to expire', () => {
  const windows = useWindows();
  let clock: RunningClock;
  let timer: IdleTimer;
  let house: CachingHouse;
  let window: Window;
  let session: ChatSession;

  afterEach(() => house.server.stop());

  /** Opens a chat of about 50,000 tokens, whose user has come back after eight minutes three times. */
  const openChat = async (config: Partial<ChatConfig>): Promise<void> => {
    await openChatOf({ protocol: 'anthropic', cache: markedCache({ minimumTokens: HOUSE_MINIMUM }), turns: 4 }, config);
  };

  const openChatOf = async (
    { turns, ...provider }: Pick<HouseOptions, 'protocol' | 'cache'> & { readonly turns: number },
    config: Partial<ChatConfig>,
  ): Promise<void> => {
    clock = new RunningClock();
    timer = new IdleTimer(clock);
    house = await cachingHouse({ ...provider, clock, minimumTokens: HOUSE_MINIMUM });
    window = windows.open({
      ...{ clock, idleTimer: timer, files: new MemoryFiles(), sources: [house.source] },
      config: { model: house.practice, systemPrompt: words(500, 3), cacheLifetime: '5m', titles: 'off', compaction: 'off', ...config },
    });
    session = await window.chats.create();
    for (let turn = 0; turn < turns; turn += 1) {
      clock.time += turn === 0 ? 0 : 8 * MINUTE;
      await session.conversation.send(words(6_000, turn));
    }
  };

  const view = (): IdleView | null => idleView(session.idle.status);
  type Shown<Kind extends IdleView['kind']> = Extract<IdleView, { readonly kind: Kind }>;
  const shows = async <Kind extends IdleView['kind']>(kind: Kind): Promise<Shown<Kind>> => {
    await timer.pass(() => view()?.kind === kind, kind);
    return view() as Shown<Kind>;
  };
  const offered = (): Promise<Shown<'offered'>> => shows('offered');
  const expired = (): Promise<Shown<'expired'>> => shows('expired');

  /** Opens another window with the chats of the first. */
  const openWindow = (writerId: string): Window =>
    windows.open({
      ...{ clock, idleTimer: timer, writerId, files: new MemoryFiles(), sources: [house.source] },
      config: { model: house.practice },
    });

  /** Tokens that the server read from and wrote to its cache for its latest request. */
  const billed = (): readonly [read: number, written: number] => {
    const usage = house.server.requests.at(-1)?.usage ?? assert.fail('The server has answered.');
    return [usage.read, usage.written5m + usage.written1h];
  };

  const keepWarmAttempts = (): readonly AttemptState[] =>
    [...session.state.attempts.values()].filter(({ purpose, end }) => purpose === 'keepWarm' && end !== null);

  const near = (actual: number, expected: number): void => {
    assert.ok(Math.abs(actual - expected) <= expected * TOLERANCE, `${String(actual)} is not about ${String(expected)}`);
  };

  it('offers what pays four minutes before, and sends nothing as long as the user does not answer', async () => {
    await openChat({});
    const shown = await offered();
    const { length } = house.server.requests;
    assert.equal(shown.expiresAt - clock.time, 4 * MINUTE);
    assert.ok(shown.summary !== null && shown.summary < shown.cold / 4 && shown.keepWarm !== null && shown.keepWarm.cost < shown.cold / 4);
    await expired();
    assert.ok(clock.time > shown.expiresAt);
    assert.equal(house.server.requests.length, length);
    assert.deepEqual(window.errors, []);
  });

  it('costs after the expiry what the offer says, which the chat says before the next message', async () => {
    await openChat({});
    const { cold } = await offered();
    const { more } = await expired();
    await session.conversation.send('And now?');
    const [read, written] = billed();
    assert.equal(read, 0);
    near((written * 3.75) / 1_000_000, cold);
    near((written * (3.75 - 0.3)) / 1_000_000, more);
    assert.equal(view(), null);
  });

  it('is kept warm by requests shortly before the expiry, which read the cache and cost what the offer says', async () => {
    await openChat({});
    const { keepWarm } = await offered();
    const { length } = house.server.requests;
    house.replies.push(ONE_TOKEN, ONE_TOKEN);
    await session.idle.choose('keepWarm');
    await timer.pass(() => keepWarmAttempts().length === 2 && view() === null, 'two requests, and the end');
    const [read, written] = billed();
    assert.ok(read > 40_000 && written === 0);
    assert.equal(house.server.requests.length, length + 2);
    const paid = keepWarmAttempts().reduce((sum, { end }) => sum + (end?.cost?.usd ?? 0), 0);
    near(paid, keepWarm?.cost ?? 0);
    const [first, second] = keepWarmAttempts();
    assert.ok((second?.startedAt ?? 0) - (first?.startedAt ?? 0) >= 4 * MINUTE);
    await session.conversation.send('I am back.');
    assert.equal(billed()[0], read);
  });

  it('is no longer kept warm when the user is back, or ends it', async () => {
    await openChat({});
    await offered();
    await session.idle.choose('keepWarm');
    assert.equal(view()?.kind, 'warm');
    await session.conversation.send('I am back.');
    assert.equal(view(), null);
    await offered();
    await session.idle.choose('keepWarm');
    await session.idle.leave();
    const { expiresAt } = (await session.next.withoutDraft(session.state)).forecast ?? assert.fail('There is a forecast.');
    await timer.pass(() => clock.time > (expiresAt ?? 0), 'the expiry');
    assert.deepEqual(keepWarmAttempts(), []);
  });

  it('is summarized early for at most the price of the offer, which the user can undo', async () => {
    await openChat({});
    const { summary } = await offered();
    await session.idle.choose('summarize');
    const { purpose, end } = [...session.state.attempts.values()].at(-1) ?? assert.fail('Loupe has asked for a summary.');
    assert.ok(purpose === 'summary' && (end?.cost?.usd ?? Infinity) <= (summary ?? 0));
    assert.notEqual(activeCompaction(session.state), null);
    assert.equal(view(), null);
    await session.compactor.undo();
    assert.equal(activeCompaction(session.state), null);
  });

  it('does nothing, and says why, when an offer has become wrong', async () => {
    await openChat({});
    await offered();
    const { length } = house.server.requests;
    clock.time += 5 * MINUTE;
    await session.idle.choose('summarize');
    assert.deepEqual(view(), { kind: 'note', text: 'Loupe did nothing: it no longer pays.' });
    assert.equal(house.server.requests.length, length);
    await assert.rejects(session.idle.choose('keepWarm'), { code: 'idle.notOffered' });
  });

  it('is not kept warm after the computer slept over the expiry, which it says', async () => {
    await openChat({});
    await offered();
    const { length } = house.server.requests;
    await session.idle.choose('keepWarm');
    clock.time += 60 * MINUTE;
    await timer.pass(() => view()?.kind === 'note', 'a note');
    assert.deepEqual(view(), { kind: 'note', text: 'Loupe no longer keeps the cache warm. The cache has expired.' });
    assert.equal(house.server.requests.length, length);
  });

  it('is no longer kept warm after the clock was set back, because the expiry is then unknown', async () => {
    await openChat({});
    await offered();
    const { length } = house.server.requests;
    await session.idle.choose('keepWarm');
    clock.time -= 60 * MINUTE;
    await timer.pass(() => view()?.kind === 'note', 'a note');
    await session.idle.leave();
    assert.equal(view(), null);
    assert.equal(house.server.requests.length, length);
  });

  it('counts a request that it sends at once, although the clock is then set back', async () => {
    await openChat({});
    clock.time = (await offered()).expiresAt - MINUTE / 3;
    await session.idle.choose('keepWarm');
    clock.time -= MINUTE / 6;
    const counted = (): number => (session.idle.status?.kind === 'warm' ? session.idle.status.requests : 0);
    await timer.pass(() => keepWarmAttempts().length === 1 && counted() === 1, 'one request, which counts');
  });

  it('is not kept warm by a request above a spend limit, which it says', async () => {
    await openChat({});
    await offered();
    await session.idle.choose('keepWarm');
    await session.setSpendCap(0.01);
    assert.deepEqual(await shows('note'), {
      kind: 'note',
      text: 'Loupe no longer keeps the cache warm. The next request would exceed a spend limit.',
    });
    assert.deepEqual(keepWarmAttempts(), []);
  });

  it('is never kept warm again for a model whose provider charged without reading its cache', async () => {
    await openChat({});
    await offered();
    await session.idle.choose('keepWarm');
    house.server.advance(10 * MINUTE);
    const { text } = await shows('note');
    assert.match(text, /The provider did not read its cache and charged \$0\.1\d+\. Loupe no longer offers this for practice\.$/);
    assert.deepEqual([...window.chats.learned.notKeptWarm], ['house/practice']);
  });

  /** Opens the chat in a second window, and waits until both windows show this. */
  async function shownByTwo(kind: IdleView['kind'], config: Partial<ChatConfig>): Promise<ChatSession> {
    await openChat(config);
    const elsewhere = await openWindow('other').chats.open(session.id);
    timer.chats = 2;
    await timer.pass(() => view()?.kind === kind && elsewhere.idle.status?.kind === kind, 'both windows');
    return elsewhere;
  }

  it('is kept warm by one window, when two windows show it', async () => {
    const elsewhere = await shownByTwo('offered', {});
    const { length } = house.server.requests;
    await Promise.all([session.idle.choose('keepWarm'), elsewhere.idle.choose('keepWarm')]);
    const until = clock.time + 10 * MINUTE;
    await timer.pass(() => clock.time > until, 'ten minutes');
    await session.poll();
    assert.equal(house.server.requests.length, length + 2);
    assert.equal(keepWarmAttempts().length, 2);
  });

  it('offers nothing any more when the user turns it off', async () => {
    await openChat({});
    await offered();
    await session.changeConfig({ whileAway: 'off' });
    await timer.pass(() => view() === null, 'the end of the offer');
    assert.equal(session.idle.status, null);
  });

  it('gives one notification in a pause while no panel shows it, which ends with the offer', async () => {
    await openChat({});
    let isVisible = true;
    const shown: string[] = [];
    let open = 0;
    const notices = new IdleNotices({
      chats: window.chats,
      isVisible: () => isVisible,
      now: () => clock.time,
      show: ({ chatId, text, actions }, ended) => {
        assert.equal(chatId, session.id);
        shown.push([text, ...actions.map(({ label }) => label)].join(' '));
        open += 1;
        void ended.then(() => {
          open -= 1;
        });
      },
    });
    await offered();
    assert.deepEqual(shown, []);
    isVisible = false;
    notices.update();
    notices.update();
    assert.equal(shown.length, 1);
    assert.match(
      shown.join(),
      /^The cache of ".+" \([\d,]+ tokens\) expires in 4 min\. Coming back later costs about \$0\.1\d\. Summarize for \$0\.0\d+ Keep warm \d+ min for \$0\.0\d+$/,
    );
    assert.equal(open, 1);
    await expired();
    await until(() => open === 0, 'the end of the notification');
    await session.conversation.send('I am back.');
    await offered();
    assert.deepEqual([shown.length, open], [2, 1]);
    isVisible = true;
    notices.update();
    await until(() => open === 0, 'the end of the second notification');
  });

  it('is kept warm without asking if the user wants that, and stops when the user says so', async () => {
    await openChat({ whileAway: 'automatic', ...NOTHING_TO_SUMMARIZE });
    const { length } = house.server.requests;
    const spent = (): number => (session.idle.status?.kind === 'warm' ? session.idle.status.spent : 0);
    await timer.pass(() => spent() > 0, 'a request');
    assert.equal(spent(), keepWarmAttempts()[0]?.end?.cost?.usd);
    await session.idle.leave();
    await expired();
    assert.equal(house.server.requests.length, length + 1);
  });

  it('is kept warm by two windows that say the same, count the requests of both, and stop together', async () => {
    const elsewhere = await shownByTwo('warm', { whileAway: 'automatic', ...NOTHING_TO_SUMMARIZE });
    const { length } = house.server.requests;
    const shown = (): readonly (IdleView | null)[] => [session, elsewhere].map(({ idle }) => idleView(idle.status));
    const most = (): number => Math.max(...shown().map((each) => (each?.kind === 'warm' ? each.requests : 0)));
    const sync = (): Promise<unknown> => Promise.all([session.poll(), elsewhere.poll()]);
    for (const requests of [1, 2]) {
      await timer.pass(() => most() === requests, 'a request');
      await sync();
      await timer.pass(() => shown().every((each) => each?.kind === 'warm' && each.requests === requests), 'the request in both windows');
      assert.deepEqual(shown()[0], shown()[1]);
      assert.equal(house.server.requests.length, length + requests);
    }
    await elsewhere.idle.leave();
    assert.equal(shown()[1], null);
    await sync();
    await timer.pass(() => shown()[0] === null, 'the end in both windows');
    // A window no longer waits after the expiry.
    timer.chats = 1;
    await timer.pass(() => shown().every((each) => each?.kind === 'expired'), 'the expiry');
    assert.equal(house.server.requests.length, length + 2);
  });

  it('is offered in no other window while one keeps it warm', async () => {
    const elsewhere = await shownByTwo('offered', {});
    const { expiresAt } = await offered();
    await session.idle.choose('keepWarm');
    await timer.pass(() => keepWarmAttempts().length === 1, 'a request');
    await elsewhere.poll();
    let offers = 0;
    elsewhere.onChange(() => (offers += elsewhere.idle.status?.kind === 'offered' ? 1 : 0));
    await timer.pass(() => elsewhere.idle.status === null, 'the end of the offer');
    await timer.pass(() => keepWarmAttempts().length === 2, 'the next request');
    assert.ok(clock.time > expiresAt);
    assert.equal(offers, 0);
  });

  it('is kept warm no longer after a message that the user sent in another window', async () => {
    const elsewhere = await shownByTwo('warm', { whileAway: 'automatic', ...NOTHING_TO_SUMMARIZE });
    await elsewhere.conversation.send('I am back.');
    const { length } = house.server.requests;
    await session.poll();
    await timer.pass(() => view() === null, 'the end of the order');
    assert.equal(house.server.requests.length, length);
  });

  it('is offered, not done, if it would cost more on this day than the limit of the chat', async () => {
    await openChat({ whileAway: 'automatic', whileAwayLimit: 1, ...NOTHING_TO_SUMMARIZE });
    const { length } = house.server.requests;
    const first = (await offered()).keepWarm?.cost ?? 0;
    assert.ok(first > 0.01);
    await session.changeConfig({ whileAwayLimit: Math.ceil(first * 150) });
    await timer.pass(() => keepWarmAttempts().length === 2 && view() === null, 'two requests');
    await session.conversation.send('I am back.');
    await offered();
    assert.equal(house.server.requests.length, length + 3);
  });

  it('is summarized automatically by one window only', async () => {
    await openChat({ whileAway: 'automatic' });
    const elsewhere = await openWindow('other').chats.open(session.id);
    timer.chats = 2;
    const { length } = house.server.requests;
    await timer.pass(() => house.server.requests.length > length, 'a summary');
    await until(() => session.compactor.status === null && elsewhere.compactor.status === null, 'its end');
    await Promise.all([session.poll(), elsewhere.poll()]);
    assert.equal(house.server.requests.length, length + 1);
    await session.compactor.undo();
    assert.equal(activeCompaction(session.state), null);
  });

  it('is never offered to be kept warm if the lifetime of its cache is unknown', async () => {
    await openChatOf({ protocol: 'openai-compatible', cache: { kind: 'unknown' }, turns: 1 }, { whileAway: 'automatic' });
    const { length } = house.server.requests;
    const { learned } = window.chats;
    const requests = { next: () => assert.fail(), source: () => assert.fail() };
    assert.equal(await cacheOf(session.state, { clock, learned, next: session.next, requests }), null);
    await timer.pass(() => timer.waits === 0, 'the end of all checks');
    assert.equal(view(), null);
    assert.equal(house.server.requests.length, length);
  });
});
