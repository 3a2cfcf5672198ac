import assert from 'node:assert/strict';
import { azureBaseUrl } from '../../../../src/host/models/providers/baseUrl.js';
import { accept, pick, press, type } from './scriptedWizard.js';
import { SetupRig } from './setupRig.js';
import { columns } from '../../../support/columns.js';
import { failureOf } from '../../../support/failures.js';

const AZURE = pick('Azure OpenAI');
const NO_TEST = pick('Save without a test');

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
