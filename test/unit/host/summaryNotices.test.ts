import assert from 'node:assert/strict';
import { failure } from '../../../src/engine/errors.js';
import { noticeSummaries } from '../../../src/host/panel/shell/attention.js';
import { until } from '../../support/host/clocks.js';
import { longTalk, PAGE, summarize, type LongTalk } from '../../support/host/longTalk.js';
import { useWindows } from '../../support/host/window.js';
import { rejection } from '../../support/rejection.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { LONG, LOST_PATH, talk, talkWithLoss, type Rig } from '../../support/host/summaryRig.js';

const WRITTEN = 'They read tide tables.';
const SERVER = { label: 'House', status: 503, inputLimit: null, refusedMember: null };

describe('A summary that ends while the panel is hidden', () => {
  const windows = useWindows();

  async function hidden(): Promise<LongTalk & { readonly told: string[]; readonly show: (isShown: boolean) => void }> {
    const talk = await longTalk(windows, 2, {});
    const told: string[] = [];
    let isVisible = false;
    noticeSummaries({
      chats: talk.window.chats,
      isVisible: () => isVisible,
      notify: (text, chatId) => told.push(chatId === talk.session.id ? text : 'of another chat'),
    });
    return {
      ...talk,
      told,
      show: (isShown) => {
        isVisible = isShown;
      },
    };
  }

  it('is told with its figures when the user has it written, once, and not again when they change its text', async () => {
    const { house, session, told } = await hidden();
    house.replies.push([{ text: WRITTEN }]);
    await session.compactor.preview.plan(null);
    assert.deepEqual(told, []);
    await session.compactor.preview.write();
    assert.match(
      told.join('\n'),
      /^The summary of "Question 1.*" is written: 4 messages with \d[\d,]+ tokens became \d+ tokens\. Use it, or change it first\.$/,
    );
    await session.compactor.preview.typed('Tides.');
    await session.compactor.preview.apply('Tides.');
    assert.equal(told.length, 1);
  });

  it('is told with its figures when it is used at once', async () => {
    const talk = await hidden();
    await summarize(talk, null, WRITTEN);
    assert.match(talk.told.join('\n'), /^The summary of ".*" is in use: 4 messages with \d[\d,]+ tokens became \d+ tokens\.$/);
  });

  it('is told when it fails, with the reason', async () => {
    const { house, session, told } = await hidden();
    house.replies.push([{ text: '' }]);
    await session.compactor.preview.plan(null);
    await session.compactor.preview.write();
    const texts = told.map((text) => text.replace(/".*"/, '"…"'));
    assert.deepEqual(texts, ['The summary of "…" failed. The model sent an empty summary. The conversation is unchanged.']);
  });

  it('is not told when there was nothing to summarize, when it was cancelled, and when the panel shows it', async () => {
    const { house, session, told, show } = await hidden();
    house.replies.push(['hang']);
    const asked = house.bodies.length;
    const writing = session.compactor.summarize(null);
    await until(() => house.bodies.length > asked, 'the summary is asked for');
    await session.compactor.cancelOnShow();
    await writing;
    show(true);
    house.replies.push([{ text: WRITTEN }]);
    await session.compactor.summarize(null);
    show(false);
    assert.equal((await rejection(session.compactor.summarize(null))).code, 'chat.nothingToSummarize');
    assert.deepEqual(told, []);
  });

  describe('by itself', () => {
    const BY_ITSELF = { compaction: 'on', maxPromptTokens: 1_500, compactionPolicy: 'rolling-window' } as const;

    async function askedByItself(...replies: Parameters<LongTalk['house']['replies']['push']>): Promise<readonly string[]> {
      const { house, session, told } = await hidden();
      await session.changeConfig(BY_ITSELF);
      house.replies.push(...replies);
      await session.conversation.send(`And now? ${PAGE.repeat(3)}`);
      await session.compactor.settled();
      assert.ok([...session.state.runs.values()].some(({ cause }) => cause === 'summary'));
      return told;
    }

    it('is not told: nobody has to do anything', async () => {
      assert.deepEqual(await askedByItself([{ text: WRITTEN }], [{ text: 'Fine.' }]), []);
    });

    it('is not told when it fails and is tried again after the next reply', async () => {
      assert.deepEqual(await askedByItself([{ text: '' }]), []);
    });

    it('is told when it fails until the user changes something', async () => {
      const [text = '', ...more] = await askedByItself([{ fails: failure('http.keyRefused', SERVER) }]);
      assert.match(text, /^The summary of ".*" failed\. House .*key.* The conversation is unchanged\.$/);
      assert.deepEqual(more, []);
    });
  });
});

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
      assert.equal((await state(test, () => true)).nextRequest?.rewritten, cacheMode === 'cached' ? 'whole' : null);
      await session.conversation.send('And now?');
      await state(test, ({ nextRequest }) => nextRequest?.rewritten === null);
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
    assert.deepEqual([again.paths, again.identifiers], [1, 0]);
    assert.ok(again.tokens > 80 && again.tokens < fenced.length);
    assert.ok(again.cost !== null && Math.abs(again.cost - (again.tokens * 3) / 1_000_000) < 1e-9);
    await rig.session.conversation.send('Thanks');
    assert.deepEqual((await state(test, needed)).neededAgain, again, 'each message is read once');
  });
});
