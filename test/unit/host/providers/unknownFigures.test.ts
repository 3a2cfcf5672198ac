import assert from 'node:assert/strict';
import type { ProviderConfig } from '../../../../src/host/models/providers/providerConfig.js';
import { accept, back, cancel, check, pick, type, type Action } from './scriptedWizard.js';
import { SetupRig, SMALL } from './setupRig.js';

const NO_TEST = pick('Save without a test');
const SAVE = pick('$(check) Save');
/** Leaves a figure unknown. */
const UNKNOWN = type('');

const upToKey = (key: string): Action[] => [
  ...[pick('Other server with the Anthropic API'), type('Cloud'), type('https://example.com'), type(key)],
];

const FIGURES = { maxInputTokens: 5, maxOutputTokens: 6, prices: null };
const MINE = { ...FIGURES, id: 'small', label: 'Mine', capabilities: { images: false }, extraBody: { temperature: 0 } };
const CLOUD: ProviderConfig = {
  protocol: 'anthropic',
  ...{ id: 'cloud', label: 'Cloud', baseUrl: 'https://example.com', headers: {}, keyHeader: null },
  ...{ silenceSeconds: 30, countsTokens: true, models: [MINE] },
};

describe('a model of which the size or the prices are unknown', () => {
  let rig: SetupRig;
  beforeEach(() => {
    rig = new SetupRig();
  });

  it('asks for the context size and the prices that nothing knows, one after the other; what stays empty stays unknown', async () => {
    const listed = (id: string) => ({ id, label: null, maxInputTokens: null, maxOutputTokens: null, otherUse: null });
    rig.listed = [SMALL, listed('big'), listed('own')];
    await rig.run(
      ...[...upToKey('the-key'), check('Small', 'big', 'own')],
      ...[type('0.5'), type('2'), type('32,768'), type('1'), back, back, accept, UNKNOWN, SAVE, NO_TEST],
    );
    assert.deepEqual(
      rig.settings[0]?.models.map(({ id, maxInputTokens, prices }) => [id, maxInputTokens, prices?.input ?? null, prices?.output ?? null]),
      [
        ['small', 8_000, 0.5, 2],
        ['big', 200_000, 3, 15],
        ['own', 32_768, null, null],
      ],
    );
    const asked = rig.wizard.shown.filter(({ step }) => step === '6/7').map(({ text, value }) => [text, value]);
    const perMillion = 'in US dollars per million tokens.';
    assert.deepEqual(asked.slice(0, -1), [
      [`Input price of Small, ${perMillion} Leave empty if unknown.`, ''],
      [`Output price of Small, ${perMillion}`, ''],
      ['Context window of own, in tokens. Leave empty if unknown: Loupe then assumes 8,192.', ''],
      [`Input price of own, ${perMillion} Leave empty if unknown.`, ''],
      [`Output price of own, ${perMillion}`, ''],
      [`Input price of own, ${perMillion} Leave empty if unknown.`, '1'],
      ['Context window of own, in tokens. Leave empty if unknown: Loupe then assumes 8,192.', '32768'],
      [`Input price of own, ${perMillion} Leave empty if unknown.`, '1'],
    ]);
    assert.equal(asked.at(-1)?.[0], '1 model lacks its size or price: choose a model to set it, or use Edit Provider later.');
  });

  it('asks about three models, and then names the others first, where they are set before saving or later', async () => {
    const listed = (id: string) => ({ id, label: null, maxInputTokens: 1_000, maxOutputTokens: null, otherUse: null });
    rig.listed = [...['a', 'b', 'c', 'big', 'd', 'e'].map(listed)];
    const priced = [type('1'), type('2')];
    await rig.run(...upToKey('the-key'), check('a', 'b', 'c', 'big', 'd', 'e'), ...priced, ...priced, ...priced, SAVE, NO_TEST);
    const review = rig.wizard.shown.findLast(({ step }) => step === '6/7');
    assert.equal(review?.text, '2 models lack their size or price: choose a model to set it, or use Edit Provider later.');
    assert.deepEqual(
      review.choices.map((line) => line.split(' | ', 1)[0]),
      ['$(check) Save', 'd', 'e', 'a', 'b', 'c', 'big'],
    );
    assert.deepEqual(
      rig.settings[0]?.models.map(({ id }) => id),
      ['a', 'b', 'c', 'big', 'd', 'e'],
    );
  });

  it('asks nothing where all is known, goes back to the list of models, and takes no output price for none', async () => {
    await rig.run(...upToKey('the-key'), check('Small'), back, check('Small', 'big'), UNKNOWN, back, accept, UNKNOWN, SAVE, NO_TEST);
    rig = new SetupRig();
    await rig.run(...upToKey('the-key'), check('big'), back, accept, SAVE, NO_TEST);
    rig = new SetupRig();
    assert.equal(await rig.run(...upToKey('the-key'), check('Small'), type('3'), cancel), null);
    rig = new SetupRig();
    await assert.rejects(rig.run(...upToKey('the-key'), check('Small'), type('3'), type('')), /Costs need both prices/);
  });
});

describe('setting the size of one model', () => {
  const OTHER = { ...MINE, id: 'other', label: 'Other', maxInputTokens: null };
  let rig: SetupRig;
  beforeEach(() => {
    rig = new SetupRig();
    rig.settings = [{ ...CLOUD, models: [MINE, OTHER] }];
  });
  const sized = (figures: object): unknown => [{ ...CLOUD, models: [MINE, { ...OTHER, maxInputTokens: 32_768, ...figures }] }];

  it('asks for it first, then shows all that is known of the model, and saves that alone', async () => {
    assert.equal(await rig.editModel('cloud', 'other', cancel), null);
    assert.equal(await rig.editModel('cloud', 'other', UNKNOWN, cancel), null);
    assert.deepEqual(rig.settings, [{ ...CLOUD, models: [MINE, OTHER] }]);
    assert.equal(await rig.editModel('cloud', 'other', type('32768'), pick('$(check) Done')), 'Other is saved.');
    assert.deepEqual([rig.settings, rig.calls], [sized({}), []]);
    assert.match(rig.wizard.shown[1]?.choices.join() ?? '', /Context window \| 32,768 tokens,Output limit \| 6 tokens/);
  });

  it('keeps the size where the user opens another figure by mistake, and goes back from that or gives up', async () => {
    const said = 'The context size of Other is saved.';
    assert.equal(await rig.editModel('cloud', 'other', type('32768'), pick('Input price'), cancel), said);
    assert.deepEqual(rig.settings, sized({}));
    rig.settings = [{ ...CLOUD, models: [MINE, OTHER] }];
    assert.equal(await rig.editModel('cloud', 'other', type('32768'), cancel), said);
    assert.deepEqual(rig.settings, sized({}));
    const more = [pick('Input price'), back, pick('Output limit'), type('7'), pick('$(check) Done')];
    assert.equal(await rig.editModel('cloud', 'other', accept, ...more), 'Other is saved.');
    assert.deepEqual(rig.settings, sized({ maxOutputTokens: 7 }));
  });
});
