import assert from 'node:assert/strict';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { until } from '../../support/host/clocks.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { LONG, LOST_PATH, talk, talkWithLoss, type Rig } from '../../support/host/summaryRig.js';
import { useWindows } from '../../support/host/window.js';

describe('the panel', () => {
  const windows = useWindows();

  async function shown(rig: Rig): Promise<TestPanel> {
    const test = await panelOf(rig.window, rig.session.id);
    return test;
  }

  async function state({ panel, webview }: TestPanel, holds: (state: PanelState) => boolean): Promise<PanelState> {
    await until(() => {
      panel.channel.snapshot();
      return webview.state.nextRequest !== null && holds(webview.state);
    }, 'the next request is composed');
    return webview.state;
  }

  it('says where a summary happens by itself and what it would do; it does just that there', async () => {
    const rig = await talk(windows, 6, { maxPromptTokens: 3_000, verbatimTokens: 500 });
    const { house, session } = rig;
    const { nextRequest } = await state(await shown(rig), ({ nextRequest: request }) => request?.summary.now !== null);
    assert.ok(nextRequest);
    const { trigger, now } = nextRequest.summary;
    assert.ok(trigger !== null && now !== null);
    assert.equal(trigger.at - trigger.left, nextRequest.totalTokens);
    house.replies.push([{ text: 'In short.' }]);
    await session.compactor.summarize(now.upTo);
    const [made] = [...session.state.compactions.values()];
    assert.deepEqual([made?.to, made?.tokens.before], [now.upTo, now.tokens]);
  });

  it('says where the user is asked each time, what the offer would do, and that it is put off', async () => {
    const limit = { maxPromptTokens: 3_000, verbatimTokens: 500 };
    const rig = await talk(windows, 10, { ...limit, compaction: 'on', summaryAsk: 'on' });
    const { session } = rig;
    await session.compactor.settled();
    const test = await shown(rig);
    const { nextRequest, compaction } = await state(test, ({ nextRequest: request }) => request?.summary.now !== null);
    assert.equal(nextRequest?.summary.trigger?.then, 'asked');
    assert.ok(compaction?.kind === 'due');
    assert.equal(nextRequest.summary.now?.upTo, compaction.upTo);
    await test.say({ type: 'dismissSummary', chatId: session.id });
    await state(test, ({ nextRequest: request }) => request?.summary.trigger?.then === 'putOff');
    await session.changeConfig({ summaryAsk: 'off' });
    await state(test, ({ nextRequest: request }) => request?.summary.trigger?.then === 'summarized');
  });

  it('does not forecast what is far off', async () => {
    const rig = await talk(windows, 1, {});
    const { nextRequest } = await state(await shown(rig), () => true);
    assert.equal(nextRequest?.summary.now, null);
    assert.equal(nextRequest.summary.trigger?.unit, 'tokens');
  });

  it('says that what follows a summary is written again, until a request has sent it, and not where nothing is cached', async () => {
    for (const cacheMode of ['cached', 'all-off'] as const) {
      const { window, session } = await windows.openChat({ config: { cacheMode } }, LONG.repeat(8), 'Thanks');
      await session.compactor.summarize(null);
      const test = await panelOf(window, session.id);
      assert.equal((await state(test, () => true)).nextRequest?.isRewritten, cacheMode === 'cached');
      await session.conversation.send('And now?');
      await state(test, ({ nextRequest }) => nextRequest?.isRewritten === false);
    }
  });

  it('tells what was needed again of what a summary lost, with its tokens at the price of the model', async () => {
    const rig = await talkWithLoss(windows);
    const test = await shown(rig);
    assert.equal((await state(test, () => true)).neededAgain, null);
    const fenced = `\`\`\`ts\n// ${LOST_PATH}\n${'export const tide = 1;\n'.repeat(20)}\`\`\``;
    await rig.session.conversation.send(`Here it is:\n${fenced}`);
    const needed = ({ neededAgain }: PanelState): boolean => neededAgain !== null;
    const again = (await state(test, needed)).neededAgain;
    assert.ok(again);
    assert.deepEqual([again.paths, again.names], [1, 0]);
    assert.ok(again.tokens > 80 && again.tokens < fenced.length);
    assert.ok(again.cost !== null && Math.abs(again.cost - (again.tokens * 3) / 1_000_000) < 1e-9);
    await rig.session.conversation.send('Thanks');
    assert.deepEqual((await state(test, needed)).neededAgain, again, 'each message is read once');
  });
});
