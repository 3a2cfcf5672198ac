import assert from 'node:assert/strict';
import { failure } from '../../../src/engine/errors.js';
import { noticeSummaries } from '../../../src/host/panel/summary/summaryNotices.js';
import { until } from '../../support/host/clocks.js';
import { longTalk, PAGE, summarize, type LongTalk } from '../../support/host/longTalk.js';
import { useWindows } from '../../support/host/window.js';
import { rejection } from '../../support/rejection.js';

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
    assert.deepEqual(
      told.map((text) => text.replace(/".*"/, '"…"')),
      ['The summary of "…" failed. The model sent an empty summary. The conversation is unchanged.'],
    );
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
