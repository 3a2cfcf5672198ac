import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelKey } from '../../../src/engine/model/modelRef.js';
import { modelMenu } from '../../../src/host/models/providers/modelMenu.js';
import { quotasInWords } from '../../../src/host/chat/quota/providerQuotas.js';
import { UsageRows } from '../../../src/host/usage/usageRows.js';
import { markedCache } from '../../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, type CachingHouse } from '../../support/host/cachingHouse.js';
import { RunningClock, until } from '../../support/host/clocks.js';
import { NO_OTHERS, openUsage } from '../../support/host/openUsage.js';
import { waitFor } from '../../support/workbench/wait.js';
import { useWindows, type Window } from '../../support/host/window.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('the rate limits that a provider reports', () => {
  const windows = useWindows();
  let clock: RunningClock;
  let house: CachingHouse;

  beforeEach(async () => {
    clock = new RunningClock();
    const cache = markedCache({ minimumTokens: HOUSE_MINIMUM });
    house = await cachingHouse({ protocol: 'anthropic', cache, clock, minimumTokens: HOUSE_MINIMUM });
  });
  afterEach(() => house.server.stop());

  const open = (writerId: string): Window => windows.open({ clock, sources: [house.source], config: { model: house.practice }, writerId });

  /** Sends a message whose reply reports the remaining tokens of 1,000, and the time of their reset. */
  async function say(window: Window, remaining: number, reset: string): Promise<void> {
    const headers = {
      'anthropic-ratelimit-tokens-limit': '1000',
      'anthropic-ratelimit-tokens-remaining': String(remaining),
      'anthropic-ratelimit-tokens-reset': reset,
    };
    house.replies.push({ parts: [{ type: 'text', text: 'Ebb.' }], headers });
    const session = await window.chats.create();
    await session.conversation.send('When is ebb?');
    await waitFor('the limits to be kept', async () => (await window.quotas.now())[0]?.limits[0]?.remaining === remaining || undefined);
  }

  const resetIn = (ms: number): string => new Date(clock.time + ms).toISOString();

  it('are kept after a restart, in all windows, with a forecast, in the list of models and in Usage', async () => {
    const first = open('first');
    const reset = resetIn(9 * HOUR);
    await say(first, 800, reset);
    clock.time += HOUR;
    await say(first, 600, reset);
    await first.chats.close();
    const second = open('second');
    const text = quotasInWords(await second.quotas.now()).get(modelKey(house.practice)) ?? '';
    assert.match(text, /^600 of 1,000 tokens left, at this rate until \d\d:\d\d, limit resets at \d\d:\d\d$/);
    const [emptyAt = 0] = (await second.quotas.now()).flatMap(({ limits }) => limits.map((limit) => limit.emptyAt));
    assert.ok(Math.abs((emptyAt ?? 0) - clock.time - 3 * HOUR) < MINUTE, String(emptyAt));
    const lines = modelMenu(second.models.providers(), {
      ...{ here: '', inNewChats: '', prices: new Map() },
      limits: quotasInWords(await second.quotas.now()),
    });
    assert.ok(lines.some((line) => line.type === 'model' && line.detail?.endsWith(text) === true));
    const { view, state } = openUsage(second, new UsageRows(second.chats), NO_OTHERS);
    await view.show(null);
    await until(() => state().quotas.length > 0, 'the limits are shown');
    assert.deepEqual(state().quotas, [{ provider: 'house', providerLabel: 'House', model: 'practice', text }]);
    view.dispose();
    clock.time += 9 * HOUR;
    assert.deepEqual(await second.quotas.now(), [], 'a reset in the past ends the limit');
    assert.deepEqual(second.errors, []);
  });

  it('are read by another window while both send', async () => {
    const [first, second] = [open('first'), open('second')];
    await say(first, 800, resetIn(HOUR));
    await say(second, 700, resetIn(HOUR));
    assert.deepEqual(await first.quotas.now(), await second.quotas.now());
  });

  it('are without a reset time where its format is unknown, which the log says once', async () => {
    const window = open('window');
    await say(window, 800, 'soon');
    await say(window, 700, 'soon');
    assert.equal((await window.quotas.now())[0]?.limits[0]?.resetsAt, null);
    assert.deepEqual(window.infos, [
      'house reported anthropic-ratelimit-tokens-reset in a format that Loupe does not know. Loupe does not show when this limit resets.',
    ]);
  });

  it('are unknown where the file is damaged, until the next reply reports them again', async () => {
    const window = open('window');
    await say(window, 800, resetIn(HOUR));
    const folder = join(windows.folder, 'quotas');
    const [name = ''] = await readdir(folder);
    const text = await readFile(join(folder, name), 'utf8');
    await writeFile(join(folder, name), text.replace('800', '900'));
    assert.deepEqual(await window.quotas.now(), []);
    await say(window, 700, resetIn(HOUR));
    assert.deepEqual(window.errors, []);
  });
});
