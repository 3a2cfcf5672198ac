import assert from 'node:assert/strict';
import { CHAT_SETTINGS } from '../../../src/engine/chat/settings/config.js';
import { defaultConfig } from '../../../src/engine/chat/settings/configValues.js';
import type { Model } from '../../../src/engine/model/model.js';
import { findModel, modelView } from '../../../src/host/panel/shell/modelView.js';
import { settingRows } from '../../../src/host/panel/shell/header.js';
import type { Provider } from '../../../src/host/models/registry.js';
import { ModelLearning } from '../../../src/engine/next/learned.js';
import type { SettingControl, ModelView } from '../../../src/protocol/panel/view.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { ManualClock } from '../../support/engine/ports.js';

function provider(id: string, label: string, changes: Partial<Model>): Provider {
  const model = { ...PRACTICE_STANDARD, ref: { provider: id, model: 'm' }, label: 'Model M', ...changes };
  return { id, label, countsTokens: false, models: [model], loadClient: () => Promise.reject(new Error('It is not asked.')) };
}

const PROVIDERS = [
  provider('practice', 'Practice', {}),
  provider('house', 'House', { maxInputTokens: 8_192, prices: null }),
  provider('vscode.copilot', 'Copilot', {}),
  provider('full', 'Full', { prices: { input: 3, output: 15, cacheRead: 3, cacheWrite5m: 3, cacheWrite1h: 3 } }),
];

function view(id: string, model: string): ModelView {
  return modelView(findModel({ provider: id, model }, PROVIDERS), new ModelLearning(new ManualClock()));
}

describe('The model of a chat', () => {
  it('is shown with its provider, context window and price', () => {
    assert.equal(view('house', 'm').label, 'Model M');
    assert.equal(view('house', 'm').detail, 'House · 8,192 tokens · price unknown');
    assert.match(
      view('practice', 'm').detail,
      / · would cost \$3\.00 in, \$15\.00 out per million · cache \$3\.75 to write, \$0\.3000 to read per million/,
    );
    assert.match(view('full', 'm').detail, / · \$3\.00 in, \$15\.00 out per million · no cache prices: cached input at the full price/);
  });

  it('has a key to set where its provider is one of the settings, and nowhere else', () => {
    const hasKeys = ['practice', 'house', 'vscode.copilot', 'gone'].map((id) => view(id, 'm').hasKey);
    assert.deepEqual(hasKeys, [false, true, false, false]);
    assert.equal(view('house', 'gone').hasKey, true);
  });

  it('has its key as its name when it is gone', () => {
    assert.deepEqual(view('gone', 'x'), { label: 'gone/x', detail: 'Model no longer available', hasKey: false });
  });
});

describe('The reserve for the reply', () => {
  const base = defaultConfig(PRACTICE_STANDARD.ref);

  function reserve(maxPromptTokens: number | null, modelLimit: number | null): SettingControl | undefined {
    const rows = settingRows({ ...base, maxPromptTokens }, base, { modelLimit, providers: [] });
    return rows.find(({ label }) => label === CHAT_SETTINGS.reservedResponseTokens.label)?.control;
  }

  function most(control: SettingControl | undefined): number | null {
    return control?.kind === 'integer' ? control.most : null;
  }

  it('stays below the limit that counts: of the chat, of its model, or the one that is assumed', () => {
    assert.deepEqual(
      [most(reserve(null, 128_000)), most(reserve(5_000, 128_000)), most(reserve(200_000, 128_000))],
      [127_999, 4_999, 127_999],
    );
    assert.deepEqual([most(reserve(null, null)), most(reserve(20_000, null))], [8_191, 19_999]);
  });

  it('says which limit that is', () => {
    const control = reserve(null, 8_192);
    assert.equal(control?.kind === 'integer' && control.expected, 'a whole number from 0 to 8,191 (Context limit: 8,192)');
  });
});

describe('The models for a task beside the replies', () => {
  it('are those of all providers, the one of the chat first, and the chosen one also when it is gone', () => {
    const base = { ...defaultConfig(PRACTICE_STANDARD.ref), titleModel: 'house/gone' };
    const practice = {
      id: 'practice',
      label: 'Practice',
      countsTokens: true,
      models: [PRACTICE_STANDARD],
      loadClient: () => Promise.reject(new Error()),
    };
    const options = (titleModel: string): unknown => {
      const rows = settingRows({ ...base, titleModel }, base, { modelLimit: null, providers: [practice] });
      const control = rows.find(({ name }) => name === 'titleModel')?.control;
      return control?.kind === 'choice' ? control.options.map(({ value }) => value) : null;
    };
    assert.deepEqual(
      [options(''), options('house/gone')],
      [
        ['', 'practice/standard'],
        ['', 'practice/standard', 'house/gone'],
      ],
    );
  });
});
