import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import type { ExpiredChat } from '../../../src/host/chat/idle/idleFigures.js';
import { markedCache } from '../../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, words, type CachingHouse } from '../../support/host/cachingHouse.js';
import { RunningClock, until } from '../../support/host/clocks.js';
import { IdleTimer } from '../../support/host/idleTimer.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';

const MINUTE = 60_000;

/** The largest error of a price, as a share. */
const TOLERANCE = 0.02;

/** US dollars for a million tokens of the house's models. */
const INPUT = 3;
const READ = 0.3;
const WRITE = 3.75;

describe('a chat whose cache has expired', () => {
  const windows = useWindows();
  let clock: RunningClock;
  let timer: IdleTimer;
  let house: CachingHouse;
  let window: Window;
  let session: ChatSession;

  afterEach(() => house.server.stop());

  /** Opens a chat with two turns of 20,000 tokens, whose user never made a pause. */
  const openChat = async (config: Partial<ChatConfig>): Promise<void> => {
    clock = new RunningClock();
    timer = new IdleTimer(clock);
    const cache = markedCache({ minimumTokens: HOUSE_MINIMUM });
    house = await cachingHouse({ protocol: 'anthropic', cache, clock, minimumTokens: HOUSE_MINIMUM });
    window = windows.open({
      ...{ clock, idleTimer: timer, files: new MemoryFiles(), sources: [house.source] },
      config: { model: house.practice, systemPrompt: words(500, 3), titles: 'off', compaction: 'off', ...config },
    });
    session = await window.chats.create();
    for (let turn = 0; turn < 2; turn += 1) {
      await session.conversation.send(words(10_000, turn));
    }
  };

  const expired = async ({ idle }: ChatSession): Promise<ExpiredChat> => {
    await timer.pass(() => idle.status?.kind === 'expired', 'the expiry');
    return idle.status as ExpiredChat;
  };

  /** Tokens that the server wrote to its cache for its latest request: for five minutes, and for an hour. */
  const written = (): readonly [number, number] => {
    const { written5m, written1h } = house.server.requests.at(-1)?.usage ?? assert.fail('The server has answered.');
    return [written5m, written1h];
  };

  const near = (actual: number, expected: number): void => {
    assert.ok(Math.abs(actual - expected) <= expected * TOLERANCE, `${String(actual)} is not about ${String(expected)}`);
  };

  it('says what the next request costs more, after the clock jumped over the expiry while a panel showed the chat', async () => {
    await openChat({ cacheLifetime: 'automatic' });
    session.next.watch(() => ({ text: '', images: [], editing: null, messageId: null }));
    await until(() => session.next.shown !== null, 'the preview');
    clock.time += 7 * MINUTE;
    const { more } = await expired(session);
    const costNow = (): number =>
      session.next.shown !== null && 'composed' in session.next.shown ? (session.next.shown.composed.forecast?.costNow ?? 0) : 0;
    await until(() => costNow() > more, 'the preview after the expiry');
    const shown = costNow();
    await session.conversation.send('And now?');
    const [short, long] = written();
    assert.equal(long, 0);
    near(shown, (short * WRITE) / 1_000_000);
    near(more, (short * (WRITE - READ)) / 1_000_000);
  });

  it('says so when it is opened later, although another chat has used the same model since', async () => {
    await openChat({ cacheLifetime: '5m' });
    clock.time += 60 * MINUTE;
    const later = windows.open({
      ...{ clock, idleTimer: timer, writerId: 'later', files: new MemoryFiles(), sources: [house.source] },
      config: { model: house.practice, titles: 'off' },
    });
    await (await later.chats.create()).conversation.send(words(2_000, 9));
    const reopened = await later.chats.open(session.id);
    const { more } = await expired(reopened);
    await reopened.conversation.send('And now?');
    near(more, (written()[0] * (WRITE - READ)) / 1_000_000);
  });

  it('says so although Loupe then drops the text that it only sent because it was cached', async () => {
    await openChat({ cacheLifetime: '5m' });
    await session.fragments.set('style', words(2_000, 5));
    await session.conversation.send(words(2_000, 6));
    await session.fragments.set('style', null);
    await session.conversation.send(words(2_000, 7));
    const usage = house.server.requests.at(-1)?.usage ?? assert.fail('The server has answered.');
    const cached = usage.read + usage.written5m;
    const { more } = await expired(session);
    await session.conversation.send('And now?');
    assert.ok(written()[0] < cached);
    near(more, (written()[0] * WRITE - cached * READ) / 1_000_000);
  });

  it('is summarized by a request that writes nothing to the cache after the system prompt, as its price says', async () => {
    await openChat({});
    clock.time += 7 * MINUTE;
    await session.compactor.summarize(null);
    const { manifest } = [...session.state.attempts.values()].at(-1) ?? assert.fail('Loupe has asked for a summary.');
    const { read, written5m, fresh } = house.server.requests.at(-1)?.usage ?? assert.fail('The server has answered.');
    assert.ok(read === 0 && written5m < 1_000 && fresh > 30_000);
    near(manifest.forecast?.cost ?? 0, (written5m * WRITE + fresh * INPUT) / 1_000_000);
    await session.conversation.send('And now?');
    assert.equal(house.server.requests.at(-1)?.usage?.read, written5m);
  });

  it('offers no summary that costs more than it saves until the next expiry', async () => {
    await openChat({ cacheLifetime: '5m' });
    const { summary } = await expired(session);
    assert.equal(summary, null);
    await assert.rejects(session.idle.summarizeFirst(), { code: 'idle.notOffered' });
  });

  it('offers a summary that pays, for at most its price, and later requests save what it says', async () => {
    await openChat({ cacheLifetime: '1h' });
    await session.conversation.send(words(10_000, 2));
    await session.conversation.send(words(10_000, 3));
    const { summary } = await expired(session);
    const { write, saving } = summary ?? assert.fail('A summary pays.');
    const before = await session.next.asOf(session.state, clock.time);
    assert.equal(await session.idle.summarizeFirst(), true);
    const { purpose, end } = [...session.state.attempts.values()].at(-1) ?? assert.fail('Loupe has asked for a summary.');
    assert.ok(purpose === 'summary' && (end?.cost?.usd ?? Infinity) <= write);
    const after = await session.next.asOf(session.state, clock.time);
    const saved = ((before.size.tokens - after.size.tokens) * READ) / 1_000_000;
    assert.ok(saved >= saving && saved < 1.2 * saving, `${String(saved)} is not about ${String(saving)}`);
    await assert.rejects(session.idle.summarizeFirst(), { code: 'idle.notOffered' });
  });
});
