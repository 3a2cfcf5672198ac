import assert from 'node:assert/strict';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import type { ChatState } from '../../../src/engine/chat/state.js';
import type { TokenCounter } from '../../../src/engine/ports.js';
import type { Model } from '../../../src/engine/model/model.js';
import { UNCALIBRATED } from '../../../src/engine/tokens/calibration.js';
import { ROUGH_COUNTER } from '../../../src/engine/tokens/roughCounter.js';
import { replyTokens } from '../../../src/engine/run/replyTokens.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import { OutputCounts } from '../../../src/host/panel/conversation/outputCounts.js';
import type { OutputProgress } from '../../../src/protocol/panel/entries.js';
import { column } from '../../support/columns.js';
import { attemptEnded, attemptStarted, EMPTY_MANIFEST, logged, runStarted, stateOf } from '../../support/engine/events.js';
import { user } from '../../support/engine/messages.js';
import { OPEN_MODEL, withCapabilities } from '../../support/engine/models.js';
import { characters, NO_PAUSE } from '../../support/engine/ports.js';
import { stepUntil, SteppedClock, turn, until } from '../../support/host/clocks.js';
import { readyPanel } from '../../support/host/panel.js';
import { partialText } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';

const STREAMING = [logged('r', user('u', 'Hello')), runStarted('r', 'u'), attemptStarted('r', 'a')];

function arrived(...texts: string[]): ChatState {
  const pieces = texts.map((text, index) => ({ type: 'text', index, offset: 0, text }) as const);
  return stateOf(...STREAMING, { type: 'attempt-progress', runId: 'r', attemptId: 'a', pieces });
}

/** US dollars per million output tokens. */
const PRACTICE_OUTPUT_PRICE = 15;

/** Returns the expected cost of the input of a request. */
function inputCost(state: ChatState, attemptId: string): number {
  return state.attempts.get(attemptId)?.manifest.forecast?.cost ?? Number.NaN;
}

const UNPRICED = { cost: null, isPretended: false };

class House {
  changes = 0;
  loads = 0;
  readonly outputs: OutputCounts;

  constructor(models: readonly Model[], load: () => Promise<TokenCounter>) {
    this.outputs = new OutputCounts({
      models: {
        list: () => [...models],
        counter: () => {
          this.loads += 1;
          return load();
        },
      },
      calibration: () => ({ ...UNCALIBRATED, factor: 1.5 }),
      changed: () => {
        this.changes += 1;
      },
    });
  }

  of(state: ChatState): OutputProgress[] {
    return this.outputs.derive(new EntryViews(() => ANY_MODEL).derive(state, 10).entries, state);
  }

  async shown(state: ChatState): Promise<OutputProgress[]> {
    this.of(state);
    await turn();
    return this.of(state);
  }
}

const houseOf = (...models: Model[]): House => new House(models, () => Promise.resolve(characters));

describe('the output of a reply that streams', () => {
  it('is what has arrived of all its parts', async () => {
    assert.deepEqual(await houseOf(OPEN_MODEL).shown(arrived('Hello', ' you')), [
      { entryId: 'a', tokens: 9, isEstimate: false, ...UNPRICED },
    ]);
  });

  it('is not shown before the counter is loaded, and then at once', async () => {
    const house = houseOf(OPEN_MODEL);
    assert.deepEqual([house.of(arrived('Hello')), house.changes], [[], 0]);
    await turn();
    assert.deepEqual([house.changes, house.loads], [1, 1]);
    assert.equal(house.of(arrived('Hello')).length, 1);
    assert.equal(house.loads, 1);
  });

  it('is not shown while nothing has arrived, nor when the reply has ended', async () => {
    const house = houseOf(OPEN_MODEL);
    await house.shown(arrived('Hello'));
    assert.deepEqual(house.of(stateOf(...STREAMING)), []);
    const piece = { type: 'text', index: 0, offset: 0, text: 'Hello' } as const;
    const progress: NewEvent = { type: 'attempt-progress', runId: 'r', attemptId: 'a', pieces: [piece] };
    const ended: NewEvent[] = [...STREAMING, progress, attemptEnded('r', 'a', 'failed')];
    assert.deepEqual(house.of(stateOf(...ended)), []);
  });

  it('is that of the reply as it is, also when that is another one after the log was read again', async () => {
    const house = houseOf(OPEN_MODEL);
    const figures = [];
    for (const text of ['Hello', 'Hello you', 'Hell', 'Good day']) {
      figures.push(...(await house.shown(arrived(text))).map(({ tokens }) => tokens));
    }
    assert.deepEqual(figures, [5, 9, 4, 8]);
  });

  it('is an estimate, corrected as the final one is, when the counter is not the model’s own', async () => {
    const corrected = [{ entryId: 'a', tokens: 8, isEstimate: true, ...UNPRICED }];
    const other = withCapabilities(OPEN_MODEL, { counterIsExact: false });
    const state = arrived('Hello');
    assert.deepEqual(await houseOf(other).shown(state), corrected);
    const counted = await replyTokens(state.attempts.get('a')?.reply ?? [], characters, NO_PAUSE);
    assert.equal(Math.round(counted * 1.5), 8);
  });

  it('is an estimate when the model is gone or has another counter by now', async () => {
    const changed = withCapabilities(OPEN_MODEL, { counter: 'other' });
    for (const house of [houseOf(), houseOf(changed)]) {
      assert.deepEqual(column(await house.shown(arrived('Hello')), 'isEstimate'), [true]);
    }
  });

  it('is an estimate while the end of a text without a break is not counted', async () => {
    const counter: TokenCounter = {
      ...characters,
      stream: () => ({ append: () => undefined, read: () => ({ tokens: 7, isExact: false }) }),
    };
    const house = new House([OPEN_MODEL], () => Promise.resolve(counter));
    assert.deepEqual(await house.shown(arrived('Hello')), [{ entryId: 'a', tokens: 7, isEstimate: true, ...UNPRICED }]);
  });

  it('has a price where the forecast of the input and the price of the output are known', async () => {
    const priced = (cost: number | null, prices: Model['prices']): Promise<OutputProgress[]> => {
      const manifest = { ...EMPTY_MANIFEST, forecast: { read: 0, written: 0, fresh: 9, cost } };
      const started: NewEvent = { ...attemptStarted('r', 'a'), manifest };
      const pieces = [{ type: 'text', index: 0, offset: 0, text: 'Hello' } as const];
      const progress: NewEvent = { type: 'attempt-progress', runId: 'r', attemptId: 'a', pieces };
      return houseOf({ ...OPEN_MODEL, prices }).shown(stateOf(logged('r', user('u', 'Hello')), runStarted('r', 'u'), started, progress));
    };
    const prices = { input: 3, output: 1_000, cacheRead: 3, cacheWrite5m: 3, cacheWrite1h: 3 };
    assert.deepEqual(column(await priced(0.001, prices), 'cost'), [0.001 + 5 / 1_000]);
    assert.deepEqual(column(await priced(null, prices), 'cost'), [null]);
    assert.deepEqual(column(await priced(0.001, null), 'cost'), [null]);
  });

  it('is an estimate by the rough counter while the model’s own cannot be loaded', async () => {
    const house = new House([OPEN_MODEL], () => Promise.resolve(ROUGH_COUNTER));
    assert.deepEqual(await house.shown(arrived('Hello')), [{ entryId: 'a', tokens: 2, isEstimate: true, ...UNPRICED }]);
  });
});

describe('the panel', () => {
  const windows = useWindows();

  it('shows the output of a reply while it streams, beside text that is only appended, until its usage is there', async () => {
    const clock = new SteppedClock();
    const { webview, session } = await readyPanel(windows.open({ clock }));
    const run = session.conversation.send('/long 400');
    await stepUntil(clock, () => partialText(session).length > 50, 'text streams');
    await until(() => webview.state.outputs.length === 1, 'the output is shown');
    const { state, received } = webview;
    const tokens = windows.counter.count(webview.replyText);
    const input = inputCost(session.state, webview.reply?.id ?? '');
    const cost = input + (tokens * PRACTICE_OUTPUT_PRICE) / 1e6;
    assert.deepEqual(state.outputs, [{ entryId: webview.reply?.id, tokens, isEstimate: false, cost, isPretended: true }]);
    const from = received.length;
    await stepUntil(clock, () => partialText(session).length > 200, 'more streams');
    await until(() => (webview.state.outputs[0]?.tokens ?? 0) > (state.outputs[0]?.tokens ?? 0), 'the output grows');
    for (const message of received.slice(from)) {
      assert.deepEqual(message.type === 'delta' ? (message.delta.entries?.put ?? []) : null, []);
    }
    await stepUntil(clock, () => !session.conversation.isRunning, 'the run ends');
    await run;
    await until(() => webview.state.outputs.length === 0, 'the output is gone');
    assert.ok((webview.reply?.usage?.outputTokens ?? 0) > 0);
  });
});
