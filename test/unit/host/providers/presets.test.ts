import assert from 'node:assert/strict';
import { checkBaseUrl, azureBaseUrl } from '../../../../src/host/models/providers/baseUrl.js';
import { PRESETS } from '../../../../src/host/models/providers/presets.js';
import { ANTHROPIC_CAPABILITIES } from '../../../../src/providers/anthropic/defaults.js';
import { accept, cancel, check, pick, press, showAll, type } from './scriptedWizard.js';
import { SetupRig } from './setupRig.js';
import { failureOf } from '../../../support/failures.js';
import { columns } from '../../../support/columns.js';

const NO_TEST = pick('Save without a test');

describe('adding a provider that Loupe knows', () => {
  let rig: SetupRig;
  beforeEach(() => {
    rig = new SetupRig();
  });

  it('asks for no more than the key of a provider that it knows', async () => {
    const result = await rig.run(pick('Anthropic'), type('the-key'), check('Small'), NO_TEST);
    assert.deepEqual(rig.calls, ['list https://api.anthropic.com the-key']);
    const { id, label, protocol } = result?.provider ?? {};
    assert.deepEqual([id, label, protocol], ['anthropic', 'Anthropic', 'anthropic']);
    const steps = rig.wizard.shown.map(({ step }) => step).filter((step) => step !== '');
    assert.deepEqual(steps, ['1', '2/4', '3/4', '4/4']);
    await rig.run(pick('Anthropic'), type('the-key'), check('Small'), NO_TEST);
    assert.deepEqual([rig.settings[1]?.id, rig.settings[1]?.label], ['anthropic-2', 'Anthropic 2']);
  });

  it('has OpenAI find the cache of a chat by its key; other providers may refuse one', async () => {
    await rig.run(pick('OpenAI'), type('the-key'), check('Small'), NO_TEST);
    await rig.run(pick('Mistral'), type('the-key'), check('Small'), NO_TEST);
    const capabilities = rig.settings.map(({ models }) => models.map((model) => model.capabilities));
    assert.deepEqual(capabilities, [[{ cacheKey: true }], [{}]]);
  });

  it('has Anthropic compare requests; other servers of its protocol may refuse to', async () => {
    await rig.run(pick('Anthropic'), type('the-key'), check('Small'), NO_TEST);
    assert.deepEqual(rig.settings[0]?.models[0]?.capabilities, { toolsOnDemand: true, cacheDiagnostics: true });
    assert.deepEqual([ANTHROPIC_CAPABILITIES.cacheDiagnostics, ANTHROPIC_CAPABILITIES.freeCounts], [false, false]);
  });

  it('knows addresses that are valid, each once', () => {
    for (const { label, baseUrl } of PRESETS) {
      assert.deepEqual(checkBaseUrl(baseUrl), { ok: true, baseUrl, warning: null }, label);
    }
    assert.equal(new Set(PRESETS.map(({ baseUrl }) => baseUrl)).size, PRESETS.length);
  });

  it('offers models that are not for chat only on demand, with the reason, and keeps those that were chosen', async () => {
    const listed = (id: string, otherUse: string | null) => ({ id, label: null, maxInputTokens: null, maxOutputTokens: null, otherUse });
    rig.listed = [listed('chat', null), listed('embed', 'Probably for embeddings, judging by its name')];
    await rig.run(pick('Anthropic'), type('the-key'), showAll, check('embed'), NO_TEST);
    const [first, all] = rig.wizard.shown.filter(({ step }) => step === '3/4').map(({ choices }) => choices);
    const [chat, embed] = ['chat', 'embed'].map((id) => `${id} | context size unknown · price unknown`);
    assert.deepEqual([first, all], [[chat], [chat, `${embed ?? ''} | Probably for embeddings, judging by its name`]]);
    await rig.edit('anthropic', accept, accept, accept, accept, NO_TEST);
    assert.equal(rig.wizard.shown.find(({ step }) => step === '4/5')?.choices.length, 2);
    rig.listed = [listed('embed', 'Probably for embeddings, judging by its name')];
    await rig.run(pick('Anthropic'), type('the-key'), check('embed'), NO_TEST);
  });

  it('lets its address be changed when it cannot be reached', async () => {
    rig.listed = failureOf('network', 'It cannot be reached.');
    await rig.run(pick('OpenAI'), type('the-key'), press('Change address'), type('https://gateway.example/v1'), type('the-key'), cancel);
    assert.equal(rig.calls.at(-1), 'list https://gateway.example/v1 the-key');
    const steps = rig.wizard.shown.map(({ step }) => step).filter((step) => step.includes('/'));
    assert.deepEqual(steps, ['2/4', '2/5', '3/5']);
    assert.deepEqual(rig.settings, []);
  });
});

const AZURE = pick('Azure OpenAI');

describe('The address of a resource of Azure', () => {
  const baseUrlOf = (text: string): string => {
    const url = azureBaseUrl(text);
    return url.ok ? url.baseUrl : url.problem;
  };

  it('is known from its name, and from what the pages of Azure show', () => {
    for (const text of [
      'Tides',
      'tides.openai.azure.com',
      'https://tides.openai.azure.com/',
      'https://tides.openai.azure.com/openai/v1/',
      'https://tides.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21',
    ]) {
      assert.equal(baseUrlOf(text), 'https://tides.openai.azure.com/openai/v1', text);
    }
    assert.equal(baseUrlOf('https://tides-2.services.ai.azure.com/api/projects/north'), 'https://tides-2.services.ai.azure.com/openai/v1');
  });

  it('may be that of a gateway, and is otherwise refused', () => {
    assert.equal(baseUrlOf('https://gateway.example/azure/v1'), 'https://gateway.example/azure/v1');
    assert.match(baseUrlOf('tides.example'), /^Enter a URL/);
    assert.match(baseUrlOf('https://me:secret@tides.openai.azure.com'), /^Remove the user name/);
    assert.equal(baseUrlOf('https://openai.azure.com.example/v1'), 'https://openai.azure.com.example/v1');
  });
});

describe('adding Azure OpenAI', () => {
  let rig: SetupRig;
  beforeEach(() => {
    rig = new SetupRig();
  });

  it('asks for the resource, the key and the deployments, which its list of models does not have', async () => {
    const result = await rig.run(AZURE, type('tides'), type('the-key'), type('big, my-deployment'), NO_TEST);
    assert.deepEqual(rig.calls, []);
    const { id, label, protocol, baseUrl, models } = result?.provider ?? {};
    assert.deepEqual(
      [id, label, protocol, baseUrl],
      ['azure-openai', 'Azure OpenAI', 'openai-compatible', 'https://tides.openai.azure.com/openai/v1'],
    );
    assert.deepEqual(columns(models, 'id', 'maxInputTokens'), [
      ['big', 200_000],
      ['my-deployment', null],
    ]);
    assert.deepEqual(columns(rig.wizard.shown, 'step', 'text').slice(0, 4), [
      ['1', 'Choose the kind of provider'],
      ['2/5', 'Name of the Azure resource, or its address: https://<resource>.openai.azure.com'],
      ['3/5', 'API key for tides.openai.azure.com. Leave the field empty if the server needs no key.'],
      ['4/5', 'Names of your Azure deployments, separated by commas'],
    ]);
  });

  it('is edited with the same questions, and keeps its deployments', async () => {
    await rig.run(AZURE, type('tides'), type('the-key'), type('my-deployment'), NO_TEST);
    await rig.edit('azure-openai', accept, accept, accept, accept, NO_TEST);
    assert.deepEqual(
      rig.settings.map(({ baseUrl, models }) => [baseUrl, models.map(({ id }) => id)]),
      [['https://tides.openai.azure.com/openai/v1', ['my-deployment']]],
    );
    assert.deepEqual(rig.calls, []);
  });

  it('has its address changed where the test fails', async () => {
    rig.sendFailure = failureOf('network', 'It cannot be reached.');
    const test = pick('Send a test message to big');
    await rig.run(
      ...[AZURE, type('tidse'), type('the-key'), type('big'), test, press('Change address')],
      ...[type('tides'), type('the-key'), accept, NO_TEST],
    );
    assert.equal(rig.settings[0]?.baseUrl, 'https://tides.openai.azure.com/openai/v1');
  });
});
