import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { SpendLimits } from '../../../src/engine/spend/limits.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { nextRequestRows } from '../../../src/host/panel/nextRequest/contextUsed.js';
import { nextRequestView } from '../../../src/host/panel/nextRequest/nextRequestView.js';
import { unusualPriceView } from '../../../src/host/panel/nextRequest/unusualPrice.js';
import { PRACTICE_MODELS } from '../../../src/providers/practice/models.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { RunningClock } from '../../support/host/clocks.js';
import { useWindows, type WindowOptions } from '../../support/host/window.js';

/** About 40,000 tokens, for $0.12. */
const LONG = 'The tide comes in. '.repeat(8_000);
const HOUR = 3_600_000;

describe('the notice about a high price', () => {
  const windows = useWindows();
  let clock: RunningClock;
  let limits: SpendLimits;
  beforeEach(() => {
    clock = new RunningClock();
    limits = { askAbove: null, capPerChat: null, capPerDay: null };
  });

  interface Opened {
    readonly session: ChatSession;
    readonly notice: (text: string) => Promise<string | null>;
  }

  async function opened(config: Partial<ChatConfig>, options: WindowOptions): Promise<Opened> {
    const window = windows.open({ clock, models: BILLED_MODELS, config, spend: () => limits, ...options });
    const session = await window.chats.create();
    return {
      session,
      notice: async (text) => {
        const composed = await session.next.preview({ text, editing: null });
        const view = nextRequestView(composed, nextRequestRows(composed).blocks, session.state);
        return unusualPriceView(composed, view, session);
      },
    };
  }

  async function sent(session: ChatSession, turns: number): Promise<void> {
    for (let turn = 1; turn <= turns; turn += 1) {
      await session.conversation.send(`Hello ${String(turn)}`);
    }
  }

  it('comes from the sixth message on, above ten times the median of the turns', async () => {
    const { session, notice } = await opened({}, {});
    await sent(session, 4);
    assert.equal(await notice(LONG), null, 'too few turns');
    await sent(session, 1);
    assert.match((await notice(LONG)) ?? '', /^[\d,]+ times the median of this chat \(\$[\d.]+\)\. Your message has [\d,]+ tokens\.$/);
    assert.equal(await notice('Short'), null);
  });

  it('names the expired cache and the new file, as they were computed', async () => {
    const { session, notice } = await opened({ systemPrompt: LONG, cacheMode: 'cached' }, {});
    await sent(session, 2);
    limits = { ...limits, askAbove: 0.1 };
    assert.equal(await notice('And then?'), null, 'the system prompt is cached');
    clock.time += 2 * HOUR;
    const expired = 'Above your limit of $0.10, so Loupe asks you before it sends the request. The cache expired.';
    assert.equal(await notice('And then?'), expired);
    await session.context.add({ type: 'file', name: 'app.log', includeMode: 'manual', addedHash: null, given: { inline: LONG } });
    assert.match((await notice('And then?')) ?? '', / The cache expired, and app\.log has [\d,]+ tokens\.$/);
    limits = { ...limits, askAbove: null };
    await session.conversation.send('And then?');
    limits = { ...limits, askAbove: 0.1 };
    clock.time += 1_000;
    assert.equal(await notice('And now?'), null, 'all of it is cached again');
  });

  it('does not blame the cache for what was never in it', async () => {
    const { session, notice } = await opened({ cacheMode: 'cached' }, {});
    await sent(session, 1);
    limits = { ...limits, askAbove: 0.1 };
    clock.time += 2 * HOUR;
    assert.match((await notice(LONG)) ?? '', /request\. Your message has [\d,]+ tokens\.$/);
  });

  it('names a changed model', async () => {
    const { session, notice } = await opened({ systemPrompt: LONG }, {});
    await sent(session, 1);
    limits = { ...limits, askAbove: 0.1 };
    const other = BILLED_MODELS.find(({ ref }) => ref.model !== session.state.config.model.model);
    assert.ok(other);
    await session.changeConfig({ model: other.ref });
    assert.match((await notice('And then?')) ?? '', /request\. The model has changed[.,]/);
  });

  it('says both where a price is above both', async () => {
    const { session, notice } = await opened({}, {});
    await sent(session, 5);
    limits = { ...limits, askAbove: 0.05 };
    assert.match(
      (await notice(LONG)) ?? '',
      /^[\d,]+ times the median of this chat \(\$[\d.]+\)\. Above your limit of \$0\.05, so Loupe asks you before it sends the request\. Your/,
    );
  });

  it('does not come above the ask limit for a model that bills nothing', async () => {
    const { notice } = await opened({}, { models: PRACTICE_MODELS });
    limits = { ...limits, askAbove: 0 };
    assert.equal(await notice(LONG), null);
  });
});
