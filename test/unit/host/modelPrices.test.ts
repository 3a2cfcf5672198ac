import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { costOf } from '../../../src/engine/model/price.js';
import { figureValue } from '../../../src/engine/model/usage.js';
import { isSameRef, modelKey } from '../../../src/engine/model/modelRef.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { modelPrices } from '../../../src/host/chat/modelPrices.js';
import { switchingText } from '../../../src/host/models/providers/modelMenu.js';
import { expectedPrice, requestPriceText, requestPriceWords } from '../../../src/protocol/requestPrice.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import { markedCache, OPEN_MODEL } from '../../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, words, type CachingHouse } from '../../support/host/cachingHouse.js';
import { RunningClock, until } from '../../support/host/clocks.js';
import { lastAttempt } from '../../support/host/reading.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { EchoServer, toolboxWith } from '../../support/host/toolServer.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';

const DRAFT = words(60, 2);

describe('the prices in the list of models', () => {
  const windows = useWindows();
  let clock: RunningClock;
  let house: CachingHouse;
  let window: Window;
  let session: ChatSession;
  let panel: TestPanel;
  let servers: EchoServer[];

  beforeEach(async () => {
    clock = new RunningClock();
    const cache = markedCache({ minimumTokens: HOUSE_MINIMUM });
    house = await cachingHouse({ protocol: 'anthropic', cache, clock, minimumTokens: HOUSE_MINIMUM });
    servers = [new EchoServer('shop', 'order')];
    window = windows.open({
      ...{ clock, files: new MemoryFiles(), sources: [house.source], toolbox: toolboxWith(servers, windows.folder) },
      config: { model: house.practice, systemPrompt: words(400, 3), cacheLifetime: '1h', titles: 'off' },
    });
    session = await window.chats.create();
    panel = await panelOf(window, session.id);
    await session.conversation.send(words(900, 1));
    await panel.say({ type: 'draft', chatId: session.id, text: DRAFT, edit: 1 });
  });

  afterEach(() => house.server.stop());

  const listed = async (): Promise<string> => {
    const nothing = { hasLog: () => true, signIn: () => 'none' as const, mistakes: () => [], startQuestion: () => null };
    const ports = { catalog: window.catalog, toolbox: { ...nothing, servers: () => servers } };
    const prices = await modelPrices(session, window.models.list(), ports, new AbortController().signal);
    return switchingText(prices.get(modelKey(house.other)), prices.get(modelKey(house.practice))) ?? '';
  };

  /** Returns the price in *Next request* with this model: with the reply, and the figure alone. */
  const shown = async (model: ChatConfig['model']): Promise<readonly [whole: string, figure: string]> => {
    const isShown = ({ next }: ChatSession): boolean =>
      next.shown !== null && 'composed' in next.shown && next.shown.draft.text === DRAFT && isSameRef(next.shown.composed.model.ref, model);
    await until(() => isShown(session), 'the request with the draft in this model');
    const request = panel.snapshot().nextRequest ?? assert.fail('The panel shows the next request.');
    const price = expectedPrice(request) ?? assert.fail('The model has prices.');
    return [requestPriceText(price, request.isPretended), requestPriceWords(price).figure];
  };

  for (const isStopped of [false, true]) {
    it(`are those of "Next request" before and after the choice${isStopped ? ', also before a server starts' : ''}`, async () => {
      if (isStopped) {
        const late = new EchoServer('late');
        late.status = 'stopped';
        servers.push(late);
        session.next.inputsChanged();
      }
      const [, now] = await shown(house.practice);
      const text = await listed();
      await session.changeConfig({ model: house.other });
      const [there] = await shown(house.other);
      assert.ok(text.startsWith(`Next request ${there}, now ${now} · `), `${text} but ${there}, ${now}`);
      assert.match(text, /≈ [\d,]+ tokens to cache again$/);
      assert.equal(now.startsWith('≥'), isStopped, now);
    });
  }

  it('are those of a request that reads nothing, when a server starts with it', async () => {
    const late = new EchoServer('late');
    late.status = 'stopped';
    servers.push(late);
    session.next.inputsChanged();
    const next = (): NextRequestView | null => panel.snapshot().nextRequest;
    await until(() => (next()?.unknownServers ?? []).length > 0, 'the server that has not started');
    const { inputCost, newToolsCost, forecast } = next() ?? assert.fail('The panel shows the next request.');
    assert.equal(forecast?.parts.read, 0);
    assert.ok((newToolsCost ?? 0) > 0, String(newToolsCost));
    servers.splice(servers.indexOf(late), 1, new EchoServer('late', 'stock'));
    session.next.inputsChanged();
    await session.conversation.send(DRAFT);
    const usage = lastAttempt(session.state).end?.usage ?? assert.fail('It was sent.');
    const billed = costOf({ ...usage, completionTokens: { value: 0, source: 'reported' } }, OPEN_MODEL.prices)?.usd ?? 0;
    assert.equal(figureValue(usage.cacheReadInputTokens), 0);
    assert.ok(inputCost !== null && inputCost <= billed * 1.02 && inputCost > billed * 0.9, `${String(inputCost)} of ${String(billed)}`);
  });
});
