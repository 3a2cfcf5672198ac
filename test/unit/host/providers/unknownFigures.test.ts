import assert from 'node:assert/strict';
import type { ProviderConfig } from '../../../../src/host/models/providers/providerConfig.js';
import { rawProvider } from '../../../../src/host/models/providers/providerSettings.js';
import { accept, back, cancel, check, pick, type, type Action } from './scriptedWizard.js';
import { SetupRig, SMALL } from './setupRig.js';
import { columns } from '../../../support/columns.js';

const upToKey: readonly Action[] = [
  ...[pick('Other server with the Anthropic API'), type('Cloud'), type('https://example.com'), type('the-key')],
];

const FIGURES = { maxInputTokens: 5, maxOutputTokens: 6, prices: null };
const MINE = { ...FIGURES, id: 'small', label: 'Mine', capabilities: { images: false }, extraBody: { temperature: 0 } };
const OTHER = { ...MINE, id: 'other', label: 'Other', maxInputTokens: null };
const CLOUD: ProviderConfig = {
  protocol: 'anthropic',
  ...{ id: 'cloud', label: 'Cloud', baseUrl: 'https://example.com', headers: {}, keyHeader: null },
  ...{ silenceSeconds: 30, countsTokens: true, models: [MINE, OTHER] },
};

describe('a model of which the size or the prices are unknown', () => {
  const own = { id: 'own', label: null, maxInputTokens: null, maxOutputTokens: null, otherUse: null };
  const SAVE = pick('Save without a test');
  let rig: SetupRig;

  beforeEach(() => {
    rig = new SetupRig();
    rig.listed = [{ ...own, id: 'big' }, SMALL, own];
  });

  it('comes first in the last question, and is saved as unknown if the user enters nothing', async () => {
    await rig.run(...upToKey, check('big', 'Small', 'own'), back, accept, SAVE);
    const last = rig.wizard.shown.at(-1);
    assert.equal(last?.text, '2 models lack their context size or price. Choose a model to enter them.');
    assert.deepEqual(last.choices, [
      '$(gear) Small | 8,000 tokens · price unknown · up to 1,000 out | Enter the unknown values',
      '$(gear) own | context size unknown · price unknown | Enter the unknown values',
      'Send a test message to big | Your provider bills a few tokens. Usage lists them under "Outside of chats".',
      'Save without a test | The unknown values stay unknown.',
      '$(gear) big | 200,000 tokens · $3.00 in, $15.00 out per million | From the list. · Change its context size or prices',
    ]);
    assert.deepEqual(columns(rig.settings[0]?.models, 'id', 'maxInputTokens'), [
      ['big', 200_000],
      ['small', 8_000],
      ['own', null],
    ]);
    assert.deepEqual(rig.sent, []);
  });

  it('gets the size and the prices that the user enters', async () => {
    await rig.run(...upToKey, check('own'), pick('$(gear) own'), type('128,000'), type('$0.5, 1.50'), SAVE);
    const [model] = rig.settings[0]?.models ?? [];
    const rates = { input: 0.5, output: 1.5, cacheRead: 0.5, cacheWrite5m: 0.5, cacheWrite1h: 0.5 };
    assert.deepEqual([model?.maxInputTokens, model?.prices], [128_000, rates]);
    assert.equal(rig.wizard.shown.at(-1)?.text, 'Send a test message before saving?');
    assert.equal(
      rig.wizard.shown.at(-2)?.text,
      'Prices of own in US dollars per million tokens: input, output, cache read, 5-minute cache write, 1-hour cache write. ' +
        'Loupe assumes the full input price if you leave out the last three. Leave the field empty if the prices are unknown.',
    );
  });

  it('says which cache prices it assumes, and saves only the prices that the user entered', async () => {
    const entered = async (text: string): Promise<unknown[]> => {
      await rig.run(...upToKey, check('own'), pick('$(gear) own'), type('8000'), type(text), SAVE);
      const { models } = rawProvider(rig.settings.at(-1)!);
      return [models, rig.wizard.remarks.at(-1), rig.wizard.shown.at(-1)?.choices.at(-1)?.split(' | ').at(-1)];
    };
    const entry = (prices: object): unknown => [{ id: 'own', maxInputTokens: 8_000, prices }];
    assert.deepEqual(await entered('3, 15'), [
      entry({ input: 3, output: 15 }),
      'Per million tokens: input $3.00, output $15.00. Assumed: cache read $3.00, 5-minute cache write $3.00, 1-hour cache write $3.00.',
      'Change its context size or prices · no cache prices: cached input at the full price',
    ]);
    assert.deepEqual(await entered('3 15; $0.3, 3.75'), [
      entry({ input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75 }),
      'Per million tokens: input $3.00, output $15.00, cache read $0.3000, 5-minute cache write $3.75. Assumed: 1-hour cache write $3.75.',
      'Change its context size or prices',
    ]);
    assert.deepEqual(await entered('3, 15, 0.3, 3.75, 6'), [
      entry({ input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 }),
      'Per million tokens: input $3.00, output $15.00, cache read $0.3000, 5-minute cache write $3.75, 1-hour cache write $6.00.',
      'Change its context size or prices',
    ]);
  });

  it('stays unknown with empty answers, and keeps what was entered before a step back', async () => {
    await rig.run(...upToKey, check('own'), pick('$(gear) own'), type(''), type(''), pick('$(gear) own'), type('5000'), back, SAVE);
    assert.deepEqual(columns(rig.settings[0]?.models, 'maxInputTokens', 'prices'), [[5_000, null]]);
    assert.equal(await rig.run(...upToKey, check('own'), pick('$(gear) own'), cancel), null);
  });

  it('shows the prices that a model has, and keeps all of them if the user does not change them', async () => {
    await rig.run(...upToKey, check('big'), pick('$(gear) big'), type('100000'), accept, SAVE);
    assert.deepEqual([rig.wizard.shown.at(-2)?.value, rig.wizard.remarks], ['3, 15, 0.3, 3.75, 6', []]);
    assert.deepEqual(columns(rig.settings[0]?.models, 'maxInputTokens', 'prices'), [[100_000, rig.catalog['big']?.prices]]);
  });

  it('says why it takes no other prices', async () => {
    const cases = [
      ['3', /The price of output is missing\. Enter at least two prices/],
      ['3, b', /"b" is not a price/],
      ['-1, 2', /"-1" is not a price/],
      ['1, 2, 3, 4, 5, 6', /Enter at most 5 prices/],
    ] as const;
    for (const [wrong, reason] of cases) {
      await assert.rejects(rig.run(...upToKey, check('own'), pick('$(gear) own'), accept, type(wrong)), reason, wrong);
    }
  });
});

describe('setting the context size of one model', () => {
  it('takes a size in thousands or millions', async () => {
    const rig = new SetupRig();
    rig.settings = [CLOUD];
    for (const [typed, size] of [
      ['128k', 128_000],
      [' 1.1 M', 1_100_000],
      ['1048576', 1_048_576],
    ] as const) {
      assert.equal(await rig.editModel('cloud', 'other', type(typed)), true);
      assert.deepEqual(rig.settings, [{ ...CLOUD, models: [MINE, { ...OTHER, maxInputTokens: size }] }]);
    }
  });

  it('asks for it alone and saves that; an empty answer is unknown', async () => {
    const rig = new SetupRig();
    rig.settings = [CLOUD];
    assert.equal(await rig.editModel('cloud', 'other', cancel), false);
    assert.deepEqual(rig.settings, [CLOUD]);
    assert.equal(await rig.editModel('cloud', 'other', type('32,768')), true);
    assert.deepEqual([rig.settings, rig.calls], [[{ ...CLOUD, models: [MINE, { ...OTHER, maxInputTokens: 32_768 }] }], []]);
    assert.equal(
      rig.wizard.shown[0]?.text,
      'Context size of Other, in tokens. Leave the field empty if the size is unknown. Loupe then assumes 8,192.',
    );
    assert.equal(await rig.editModel('cloud', 'other', type('')), true);
    assert.deepEqual(rig.settings, [CLOUD]);
    for (const wrong of ['0', '1.5', 'many', 'k', '0k', '128kb']) {
      await assert.rejects(rig.editModel('cloud', 'other', type(wrong)), /Enter a whole number above 0/);
    }
  });
});
