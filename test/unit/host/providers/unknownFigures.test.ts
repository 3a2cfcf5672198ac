import assert from 'node:assert/strict';
import type { ProviderConfig } from '../../../../src/host/models/providers/providerConfig.js';
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
  it('comes first in the last question, which says where its figures are set, and is saved without a test', async () => {
    const rig = new SetupRig();
    const own = { id: 'own', label: null, maxInputTokens: null, maxOutputTokens: null, otherUse: null };
    rig.listed = [{ ...own, id: 'big' }, SMALL, own];
    const script = [...upToKey, check('big', 'Small', 'own'), back, accept];
    const result = await rig.run(...script, pick('$(gear) own'));
    const last = rig.wizard.shown.at(-1);
    assert.equal(last?.text, '2 models lack their context size or price: choose a model to set them in the settings');
    const setIt = 'Save, then enter the missing values in the settings';
    assert.deepEqual(last.choices.slice(1), [
      'Save without a test',
      `$(gear) Small | 8,000 tokens · price unknown · up to 1,000 out | ${setIt}`,
      `$(gear) own | context size unknown · price unknown | ${setIt}`,
      '$(gear) big | 200,000 tokens · $3.00 in, $15.00 out per million | From the list. · Save, then change this model in the settings',
    ]);
    assert.equal(result?.inSettings, true);
    assert.deepEqual(columns(rig.settings[0]?.models, 'id', 'maxInputTokens'), [
      ['big', 200_000],
      ['small', 8_000],
      ['own', null],
    ]);
    assert.deepEqual(rig.sent, []);
    assert.equal((await rig.run(...script, pick('Save without a test')))?.inSettings, false);
  });
});

describe('setting the context size of one model', () => {
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
    for (const wrong of ['0', '1.5', 'many']) {
      await assert.rejects(rig.editModel('cloud', 'other', type(wrong)), /Enter a whole number above 0/);
    }
  });
});
