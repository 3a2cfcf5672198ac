import assert from 'node:assert/strict';
import { defaultConfig } from '../../../src/engine/chat/settings/configValues.js';
import { forecastPlace, forecastPlan, isNear, type ForecastInput } from '../../../src/engine/compaction/forecast.js';
import { compactionSettings, type CompactionSettings } from '../../../src/engine/compaction/settings.js';
import { isDue, type Load } from '../../../src/engine/compaction/policies/triggers.js';
import { exchanges, history } from '../../support/engine/histories.js';

const LOAD: Load = { budget: 10_000, fixedTokens: 2_000, historyTokens: 3_000, messages: 20 };

function of(policy: CompactionSettings['policy'], isWatched: boolean): ForecastInput {
  const config = { ...defaultConfig({ provider: 'p', model: 'm' }), compactionPolicy: policy };
  return { settings: compactionSettings(config), isWatched };
}

describe('The forecast of a summary', () => {
  it('names the place where the summary becomes due, and not before', () => {
    for (const policy of ['topic-boundary', 'rolling-window', 'message-count'] as const) {
      const place = forecastPlace(of(policy, true), LOAD);
      assert.ok(place);
      const { unit, left } = place;
      const at: Load =
        unit === 'tokens' ? { ...LOAD, historyTokens: LOAD.historyTokens + left } : { ...LOAD, messages: LOAD.messages + left };
      const next: Load = unit === 'tokens' ? { ...at, historyTokens: at.historyTokens + 1 } : at;
      const before: Load = unit === 'tokens' ? at : { ...at, messages: at.messages - 1 };
      assert.deepEqual([isDue(of(policy, true).settings, before), isDue(of(policy, true).settings, next)], [false, true], policy);
    }
    assert.deepEqual(forecastPlace(of('topic-boundary', true), LOAD), { unit: 'tokens', at: 8_000, left: 3_000 });
  });

  it('names no place in a chat that is summarized only by hand', () => {
    assert.equal(forecastPlace(of('topic-boundary', false), LOAD), null);
    assert.equal(forecastPlace(of('manual', true), LOAD), null);
  });

  it('is near from half of the way on: to the trigger, else to B', () => {
    const near = (policy: CompactionSettings['policy'], isWatched: boolean, change: Partial<Load>): boolean => {
      const load = { ...LOAD, ...change };
      return isNear(forecastPlace(of(policy, isWatched), load), load);
    };
    const byTopic = [1_999, 2_000].map((historyTokens) => near('topic-boundary', true, { historyTokens }));
    assert.deepEqual(byTopic, [false, true]);
    const byCount = [40, 41].map((messages) => near('message-count', true, { messages }));
    assert.deepEqual(byCount, [false, true]);
    const byHand = [2_999, 3_000].map((historyTokens) => near('topic-boundary', false, { historyTokens }));
    assert.deepEqual(byHand, [false, true]);
  });

  it('plans what the policy would do, and all of it where that is done by hand', () => {
    const long = history(exchanges(20, 1_000));
    const own = forecastPlan(of('topic-boundary', true), long);
    assert.deepEqual([own?.case, own?.to, own?.messages, own?.tokens], ['summarize', 'a17', 36, 36_000]);
    const byHand = forecastPlan(of('topic-boundary', false), long);
    assert.deepEqual([byHand?.to, byHand?.messages, byHand?.summaryTokens], ['a19', 40, 800]);
  });

  it('plans nothing that would free nothing', () => {
    assert.equal(forecastPlan(of('topic-boundary', false), history(exchanges(2, 10))), null);
    assert.equal(forecastPlan(of('topic-boundary', true), history([])), null);
  });
});
