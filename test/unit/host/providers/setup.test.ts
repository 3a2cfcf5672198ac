import assert from 'node:assert/strict';
import { failure } from '../../../../src/engine/errors.js';
import type { ProviderConfig } from '../../../../src/host/models/providers/providerConfig.js';
import { accept, back, cancel, check, pick, press, type, type Action } from './scriptedWizard.js';
import { SetupRig } from './setupRig.js';
import { column } from '../../../support/columns.js';
import { failureOf } from '../../../support/failures.js';

const PROTOCOL = pick('Other server with the Anthropic API');
const SEND = pick('Send a test message to Small');
const NO_TEST = pick('Save without a test');
const upToKey = (key: string): Action[] => [PROTOCOL, type('Cloud'), type('https://example.com'), type(key)];

const CLOUD: ProviderConfig = {
  id: 'cloud',
  label: 'Cloud',
  protocol: 'anthropic',
  baseUrl: 'https://example.com',
  headers: { 'x-team': 'maps' },
  keyHeader: null,
  silenceSeconds: 30,
  countsTokens: true,
  models: [
    {
      id: 'small',
      label: 'Mine',
      maxInputTokens: 5,
      maxOutputTokens: 6,
      prices: null,
      capabilities: { images: false },
      extraBody: { temperature: 0 },
    },
  ],
};

function assertUntouched(rig: SetupRig, settings: readonly ProviderConfig[]): void {
  assert.deepEqual(rig.settings, settings);
  assert.deepEqual([...rig.keyRig.secrets.values], []);
}

describe('adding a provider', () => {
  let rig: SetupRig;
  beforeEach(() => {
    rig = new SetupRig();
  });
  // In all cases keys are typed, and never shown or logged.
  afterEach(() => {
    const said = rig.wizard.said() + rig.keyRig.said();
    assert.ok(!said.includes('the-key') && !said.includes('wrong-key'), said);
    assert.ok(!JSON.stringify(rig.settings).includes('-key'), JSON.stringify(rig.settings));
  });

  it('leads from the protocol to a tested provider, its models filled in from its list and the price list', async () => {
    const result = await rig.run(...upToKey('the-key'), check('Small', 'big'), SEND);
    const models = [
      { id: 'small', label: 'Small', maxInputTokens: 8_000, maxOutputTokens: 1_000, prices: null, capabilities: {}, extraBody: {} },
      {
        id: 'big',
        label: 'big',
        maxInputTokens: 200_000,
        maxOutputTokens: null,
        prices: rig.catalog['big']?.prices,
        capabilities: {},
        extraBody: {},
      },
    ];
    const provider = {
      id: 'cloud',
      label: 'Cloud',
      protocol: 'anthropic',
      baseUrl: 'https://example.com',
      headers: {},
      keyHeader: null,
      silenceSeconds: 120,
      countsTokens: false,
      models,
    };
    assert.deepEqual(rig.settings, [provider]);
    assert.deepEqual(result, { provider, isNew: true, tested: 'Test: 12 tokens in, 3 out.' });
    assert.equal(await rig.keyRig.keys.get(CLOUD), 'the-key');
    assert.deepEqual(rig.calls, ['list https://example.com the-key', 'message https://example.com the-key']);
    assert.deepEqual(column(rig.sent, 'ref'), [{ provider: 'cloud', model: 'small' }]);
  });

  it('counts its steps, and hides the key', async () => {
    await rig.run(...upToKey('the-key'), check('Small'), NO_TEST);
    const questions = rig.wizard.shown.filter(({ step }) => step !== '');
    assert.deepEqual(column(questions, 'step'), ['1', '2/6', '3/6', '4/6', '5/6', '6/6']);
    assert.deepEqual(column(questions, 'password'), [false, false, false, true, false, false]);
    assert.deepEqual(column(questions.slice(1, 4), 'value'), ['', '', '']);
    assert.deepEqual(rig.calls, ['list https://example.com the-key']);
  });

  it('shows window and price beside each model, and where the prices are from', async () => {
    await rig.run(...upToKey('the-key'), check('big'), NO_TEST);
    const [models, last] = rig.wizard.shown.filter(({ step }) => step === '5/6' || step === '6/6');
    assert.deepEqual(models?.choices, ['Small | 8,000 tokens · price unknown', 'big | 200,000 tokens · $3.00 in, $15.00 out per million']);
    assert.equal(last?.text, 'Send a test message before saving?');
    assert.deepEqual(last.choices.slice(1), [
      'Save without a test',
      '$(gear) big | 200,000 tokens · $3.00 in, $15.00 out per million | From the list. · Change its context size or prices',
    ]);
  });

  it('asks for the key again when it is not accepted', async () => {
    const result = await rig.run(...upToKey('wrong-key'), press('Change key'), type('the-key'), check('Small'), NO_TEST);
    assert.notEqual(result, null);
    assert.deepEqual(rig.calls, ['list https://example.com wrong-key', 'list https://example.com the-key']);
    assert.equal(await rig.keyRig.keys.get(CLOUD), 'the-key');
    const dialog = rig.wizard.shown.find(({ step }) => step === 'dialog');
    assert.equal(dialog?.text, 'Cloud did not accept the key.');
  });

  it('takes models by hand from an endpoint without a list', async () => {
    rig.listed = failureOf('protocol', 'Cloud keeps no list.');
    await rig.run(...upToKey('the-key'), press('Enter model IDs'), type(' big, other ,big,'), NO_TEST);
    assert.deepEqual(
      rig.settings[0]?.models.map(({ id, maxInputTokens, prices }) => [id, maxInputTokens, prices?.input ?? null]),
      [
        ['big', 200_000, 3],
        ['other', null, null],
      ],
    );
  });

  it('offers to add /v1 where the address of a server with the OpenAI API lacks it, and asks there', async () => {
    rig.listed = failure('provider.noModelList', { label: 'Cloud' });
    const other = [pick('Other server with the OpenAI API'), type('Cloud'), type('https://example.com'), type('the-key')];
    await rig.run(...other, press('Add /v1'), cancel);
    assert.deepEqual(rig.calls, ['list https://example.com the-key', 'list https://example.com/v1 the-key']);
    assert.deepEqual(
      column(
        rig.wizard.shown.filter(({ step }) => step === 'dialog'),
        'text',
      ),
      [
        'Cloud offers no list of its models. The address of an OpenAI-compatible server usually ends in /v1, but this address does not.',
        'Cloud offers no list of its models.',
      ],
    );
    rig.calls.length = 0;
    await assert.rejects(rig.run(...upToKey('the-key'), press('Add /v1')), 'the Anthropic API is asked below /v1 anyway');
  });

  it('says so when the list is empty', async () => {
    rig.listed = [];
    assert.equal(await rig.run(...upToKey('the-key'), cancel), null);
    assert.equal(rig.wizard.shown.at(-1)?.text, 'Cloud answered, but listed no models. Enter model IDs by hand, or change the address.');
  });

  it('tries again, and goes back to the address, when the endpoint cannot be reached', async () => {
    rig.listed = failureOf('network', 'Cloud cannot be reached.');
    await rig.run(
      ...upToKey('the-key'),
      press('Try again'),
      press('Change address'),
      type('https://elsewhere.example'),
      type('the-key'),
      cancel,
    );
    assert.deepEqual(rig.calls, [
      'list https://example.com the-key',
      'list https://example.com the-key',
      'list https://elsewhere.example the-key',
    ]);
  });

  it('forgets a typed key when the address changes after it', async () => {
    await rig.run(...upToKey('the-key'), back, back, type('https://elsewhere.example'), accept, cancel);
    assert.equal(rig.calls.at(-1), 'list https://elsewhere.example without key');
  });

  it('works without a key', async () => {
    rig.wanted = null;
    await rig.run(...upToKey(''), check('Small'), SEND);
    assert.equal(rig.settings.length, 1);
    assert.equal(rig.keyRig.secrets.values.size, 0);
  });

  it('without a key takes over none that an earlier provider of its id has left', async () => {
    rig.wanted = null;
    const result = await rig.run(...upToKey(''), check('Small'), SEND);
    assert.ok(result);
    await rig.keyRig.keys.set(result.provider, 'the-key');
    rig.settings = [];
    await rig.run(...upToKey(''), check('Small'), SEND);
    assert.equal(rig.keyRig.secrets.values.size, 0);
  });

  it('goes back step by step, with everything as it was answered, and past what asks nothing', async () => {
    await rig.run(...upToKey('the-key'), back, back, back, back, PROTOCOL, type('Other'), type('https://other.example'), cancel);
    const values = rig.wizard.shown.filter(({ step }) => step !== '').map(({ step, value }) => [step, value]);
    assert.deepEqual(values.slice(4), [
      ['5/6', ''],
      ['4/6', 'the-key'],
      ['3/6', 'https://example.com'],
      ['2/6', 'Cloud'],
      ['1', ''],
      ['2/6', ''],
      ['3/6', ''],
      ['4/6', ''],
    ]);
  });

  it('keeps what each test message used, with the price of the model, also of one that failed and before anything is saved', async () => {
    const script = [...upToKey('the-key'), check('big'), pick('Send a test message to big')];
    await rig.run(...script);
    await rig.run(...script);
    const usd = (12 * 3 + 3 * 15) / 1_000_000;
    assert.deepEqual(rig.used, [
      ['cloud/big', 12, usd, false],
      ['cloud-2/big', 12, usd, false],
    ]);
    rig.used.length = 0;
    rig.sendFailure = failureOf('timeout', 'No answer.');
    await rig.run(...script, press('Try again'), cancel);
    assert.deepEqual(rig.used, [
      ['cloud-3/big', null, null, false],
      ['cloud-3/big', null, null, false],
    ]);
    rig.used.length = 0;
    rig.sendFailure = failureOf('auth', 'Wrong key.');
    await rig.run(...script, cancel);
    assert.deepEqual(rig.used, [['cloud-3/big', null, null, true]]);
  });

  it('says why a test message failed, and saves anyway when told to', async () => {
    rig.sendFailure = failureOf('overloaded', 'Cloud is overloaded.');
    const result = await rig.run(...upToKey('the-key'), check('Small'), SEND, press('Try again'), press('Save anyway'));
    assert.deepEqual([result?.isNew, rig.settings.length], [true, 1]);
    assert.equal(rig.wizard.shown.filter(({ text }) => text === 'Cloud is overloaded.').length, 2);
  });

  it('given up at any step leaves nothing behind', async () => {
    const whole = [...upToKey('the-key'), check('Small'), SEND];
    for (let steps = 0; steps < whole.length; steps += 1) {
      rig = new SetupRig();
      assert.equal(await rig.run(...whole.slice(0, steps), cancel), null, String(steps));
      assertUntouched(rig, []);
    }
  });

  it('given up at a failure leaves nothing behind', async () => {
    const scripts: Action[][] = [
      [...upToKey('wrong-key'), cancel],
      [...upToKey('the-key'), check('Small'), SEND, cancel],
    ];
    for (const script of scripts) {
      rig = new SetupRig();
      rig.sendFailure = failureOf('overloaded', 'Cloud is overloaded.');
      assert.equal(await rig.run(...script), null);
      assertUntouched(rig, []);
    }
  });

  it('gives a provider an id of its own', async () => {
    rig.settings = [CLOUD];
    await rig.run(...upToKey('the-key'), check('Small'), NO_TEST);
    assert.deepEqual(column(rig.settings, 'id'), ['cloud', 'cloud-2']);
    await rig.run(PROTOCOL, type('Practice'), type('https://example.com'), type('the-key'), check('Small'), NO_TEST);
    assert.equal(rig.settings[2]?.id, 'practice-2');
    await rig.run(PROTOCOL, type('日本'), type('https://example.com'), type('the-key'), check('Small'), NO_TEST);
    assert.equal(rig.settings[3]?.id, 'provider');
  });
});

describe('changing a provider', () => {
  let rig: SetupRig;
  beforeEach(async () => {
    rig = new SetupRig();
    rig.settings = [CLOUD];
    await rig.keyRig.keys.set(CLOUD, 'the-key');
  });

  it('keeps its id, its key, its headers and what was said of its models', async () => {
    await rig.edit('cloud', type('Clouds'), accept, accept, accept, pick('Send a test message to Mine'));
    assert.deepEqual(rig.settings, [{ ...CLOUD, label: 'Clouds' }]);
    assert.equal(await rig.keyRig.keys.get(CLOUD), 'the-key');
    assert.deepEqual(rig.calls, ['list https://example.com the-key', 'message https://example.com the-key']);
    assert.equal(rig.wizard.shown.find(({ step }) => step === '3/5')?.value, '');
  });

  it('keeps a model that the list does not have any more, until it is unchecked', async () => {
    rig.listed = [{ id: 'new', label: null, maxInputTokens: null, maxOutputTokens: null, otherUse: null }];
    await rig.edit('cloud', accept, accept, accept, accept, NO_TEST);
    assert.deepEqual(rig.settings, [CLOUD]);
    await rig.edit('cloud', accept, accept, accept, check('new'), NO_TEST);
    assert.deepEqual(column(rig.settings[0]?.models, 'id'), ['new']);
  });

  it('never sends its key to a new address, nor drafts for a count, and forgets the key when none is given', async () => {
    rig.wanted = null;
    await rig.edit('cloud', accept, type('https://elsewhere.example'), accept, accept, NO_TEST);
    assert.deepEqual(rig.calls, ['list https://elsewhere.example without key']);
    assert.deepEqual([...rig.keyRig.secrets.values], []);
    assert.equal(rig.settings[0]?.countsTokens, false);
  });

  it('removes it with its key, after a question', async () => {
    assert.equal(await rig.remove('cloud', cancel), false);
    assert.deepEqual([rig.settings.length, rig.keyRig.secrets.values.size], [1, 1]);
    assert.equal(await rig.remove('cloud', press('Remove')), true);
    assertUntouched(rig, []);
  });
});

describe('the address of a provider', () => {
  let rig: SetupRig;
  beforeEach(() => {
    rig = new SetupRig();
  });

  it('gives an address of the chosen protocol as the example', async () => {
    await rig.run(...upToKey('the-key'), cancel);
    assert.ok(rig.wizard.shown.some(({ text }) => text === 'Base URL of the API, for example https://api.anthropic.com'));
  });

  it('offers to change the address first where its port is blocked', async () => {
    rig.listed = failure('connection.badPort', { label: 'Cloud', address: 'example.com:6000', host: 'example.com' });
    await rig.run(...upToKey('the-key'), cancel);
    assert.deepEqual(rig.wizard.shown.at(-1)?.choices[0], 'Change address');
  });
});
