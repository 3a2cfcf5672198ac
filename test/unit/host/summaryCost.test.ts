import assert from 'node:assert/strict';
import { requestPrice } from '../../../src/host/request/forecast/requestPrice.js';
import { nextRequestRows } from '../../../src/host/panel/nextRequest/contextUsed.js';
import { nextRequestView } from '../../../src/host/panel/nextRequest/nextRequestView.js';
import { summaryPreviewView } from '../../../src/host/panel/summary/slices.js';
import type { CacheLifetime } from '../../../src/engine/chat/settings/config.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import type { ComposedRequest } from '../../../src/engine/next/compose.js';
import type { SummaryPriceView } from '../../../src/protocol/panel/compaction.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';
import { markedCache } from '../../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, words, type CachingHouse } from '../../support/host/cachingHouse.js';
import { RunningClock } from '../../support/host/clocks.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

/** The largest error of the offered extra cost, as a share of what is written again and what is saved. */
const TOLERANCE = 0.03;

describe('the extra cost of the next request in the offer of a summary', () => {
  const windows = useWindows();
  let house: CachingHouse;

  afterEach(() => house.server.stop());

  /** Opens a chat with cached turns. With `leaves`, a text of the system prompt is then removed, but is still sent. */
  const openChat = async (leaves: boolean, cacheLifetime: CacheLifetime): Promise<ChatSession> => {
    const clock = new RunningClock();
    const cache = markedCache({ minimumTokens: HOUSE_MINIMUM, lifetimes: ['5m', '1h'] });
    house = await cachingHouse({ protocol: 'anthropic', cache, clock, minimumTokens: HOUSE_MINIMUM });
    const config = { model: house.practice, systemPrompt: words(1_500, 3), titles: 'off', compaction: 'off', cacheLifetime } as const;
    const session = await windows.open({ clock, files: new MemoryFiles(), sources: [house.source], config }).chats.create();
    await session.fragments.set('style', words(40, 5));
    for (let turn = 1; turn <= 3; turn += 1) {
      await session.conversation.send(words(800, turn));
    }
    if (leaves) {
      await session.fragments.set('style', null);
      await session.conversation.send(words(800, 4));
    }
    return session;
  };

  const preview = (session: ChatSession): Promise<ComposedRequest> => session.next.preview({ text: 'And then?', editing: null });
  const hasCarried = ({ prompt }: ComposedRequest): boolean => prompt.system.some(({ form }) => form === 'carried');
  const costOf = ({ forecast }: ComposedRequest): number => forecast?.costNow ?? assert.fail('The cache is known.');

  /** The price in the offer, first before the summary is written, then with its text. */
  const priceOf = (session: ChatSession): SummaryPriceView =>
    summaryPreviewView(session)?.plan?.price ?? assert.fail('The model has prices.');

  for (const [leaves, lifetime] of [
    [false, '5m'],
    [true, '5m'],
    [false, '1h'],
  ] as const) {
    it(`is what the request then costs, ${leaves ? 'with' : 'without'} a removed text that is still sent, cached for ${lifetime}`, async () => {
      const session = await openChat(leaves, lifetime);
      const before = await preview(session);
      assert.equal(hasCarried(before), leaves);
      const { preview: pane } = session.compactor;
      await pane.plan(null);
      const most = priceOf(session);
      house.replies.push({ parts: [{ type: 'text', text: 'They read tide tables.' }], stop: 'end', outputTokens: 5 });
      await pane.write();
      const { rewriting, saving } = priceOf(session);
      assert.ok(most.rewriting > rewriting && most.saving < saving);
      await pane.apply(summaryPreviewView(session)?.draft?.text ?? '');
      const after = await preview(session);
      assert.equal(hasCarried(after), false);
      const real = costOf(after) - costOf(before);
      assert.ok(
        Math.abs(rewriting - saving - real) <= TOLERANCE * (rewriting + saving),
        `${String(rewriting - saving)} is not ${String(real)}`,
      );
      assert.equal(real > 0, leaves);
      assert.equal(requestPrice(after, session.state).rewritten, leaves ? 'whole' : null);
      await session.conversation.send('And then?');
      const { read } = house.server.requests.at(-1)?.usage ?? assert.fail('The server has answered.');
      assert.equal(read === 0, leaves);
    });
  }

  it('is about the tokens that "Next request" shows, also where the provider counts otherwise', async () => {
    const session = await openChat(false, '5m');
    await session.compactor.preview.plan(null);
    const composed = await session.next.preview({ text: '', editing: null });
    const { totalTokens } = nextRequestView(composed, nextRequestRows(composed).blocks, session.state);
    assert.notEqual(totalTokens, composed.size.tokens, 'the provider counted otherwise');
    assert.equal(summaryPreviewView(session)?.plan?.requestTokens, totalTokens);
  });

  it('has the replaced messages as the provider counts them in the entry of the summary', async () => {
    const session = await openChat(false, '5m');
    house.replies.push({ parts: [{ type: 'text', text: 'They read tide tables.' }], stop: 'end', outputTokens: 5 });
    await session.compactor.summarize(null);
    const summary = new EntryViews(() => ANY_MODEL).derive(session.state, 50).entries.find((entry) => entry.kind === 'summary');
    const { read, written5m, fresh } = house.server.requests.at(-1)?.usage ?? assert.fail('The server has answered.');
    await session.conversation.send('And then?');
    const { read: system } = house.server.requests.at(-1)?.usage ?? assert.fail('The server has answered.');
    const replaced = read + written5m + fresh - system;
    const before = summary?.tokens.before ?? 0;
    assert.ok(Math.abs(before - replaced) <= TOLERANCE * replaced, `${String(before)} is not about ${String(replaced)}`);
  });
});
