import assert from 'node:assert/strict';
import type { LocalModel, LocalServer } from '../../../../src/providers/local/localAddresses.js';
import { accept, cancel, check, pick, press } from './scriptedWizard.js';
import { SetupRig } from './setupRig.js';
import { failureOf } from '../../../support/failures.js';

const NO_TEST = pick('Save without a test');
const LLAMA: LocalModel = { id: 'llama3.2', claimedWindow: 131_072, realWindow: 4_096, isCertain: true, images: false, tools: true };

const ollama = (model: LocalModel): LocalServer => ({
  kind: 'ollama',
  label: 'Ollama',
  baseUrl: 'http://127.0.0.1:11434/v1',
  models: [model],
});

describe('servers on this computer', () => {
  const FIND = pick('Find servers on this computer');
  let rig: SetupRig;
  beforeEach(() => {
    rig = new SetupRig();
    rig.wanted = null;
  });

  it('need no name, address and key; the window is the one they really give, and the user reads why', async () => {
    rig.local = [{ servers: [ollama(LLAMA)], missing: [] }];
    await rig.run(FIND, pick('Ollama'), check('llama3.2'), NO_TEST);
    const [provider] = rig.settings;
    assert.deepEqual([provider?.id, provider?.protocol, provider?.baseUrl], ['ollama', 'openai-compatible', 'http://127.0.0.1:11434/v1']);
    const [model] = provider?.models ?? [];
    assert.deepEqual([model?.maxInputTokens, model?.prices, model?.capabilities], [4_096, null, { images: false, tools: true }]);
    assert.ok(
      rig.wizard
        .said()
        .includes(
          'llama3.2 supports 131,072 tokens, but Ollama runs it with 4,096. Loupe uses 4,096. Raise this limit with OLLAMA_CONTEXT_LENGTH or num_ctx.',
        ),
    );
    const steps = rig.wizard.shown.map(({ step }) => step).filter((step) => step !== '');
    assert.deepEqual(steps, ['1', '2/4', '3/4', '4/4']);
  });

  it('tell their window once the test message has loaded the model, and that one is saved', async () => {
    rig.local = [
      { servers: [ollama({ ...LLAMA, isCertain: false })], missing: [] },
      { servers: [ollama({ ...LLAMA, realWindow: 32_768 })], missing: [] },
    ];
    const result = await rig.run(FIND, pick('Ollama'), check('llama3.2'), pick('Send a test message to llama3.2'));
    assert.equal(rig.settings[0]?.models[0]?.maxInputTokens, 32_768);
    assert.match(result?.tested ?? '', /^Test: 12 tokens in, 3 out\. llama3\.2 supports 131,072 tokens, but Ollama runs it with 32,768\./);
  });

  it('may want a key after all: it becomes one of the questions', async () => {
    rig.local = [{ servers: [ollama(LLAMA)], missing: [] }];
    rig.sendFailure = failureOf('auth', 'A key is wanted.');
    await rig.run(FIND, pick('Ollama'), check('llama3.2'), pick('Send a test message to llama3.2'), press('Change key'), cancel);
    assert.deepEqual([rig.wizard.shown.at(-1)?.step, rig.wizard.shown.at(-1)?.password], ['3/5', true]);
  });

  it('that are set up already are changed, not added again', async () => {
    rig.local = [{ servers: [ollama(LLAMA)], missing: [] }];
    await rig.run(FIND, pick('Ollama'), check('llama3.2'), NO_TEST);
    rig.local = [{ servers: [ollama({ ...LLAMA, realWindow: 8_192 })], missing: [] }];
    await rig.run(FIND, pick('Ollama'), accept, NO_TEST);
    const sizes = rig.settings.map(({ id, models }) => [id, models.map((model) => model.maxInputTokens)]);
    assert.deepEqual(sizes, [['ollama', [8_192]]]);
  });

  it('that are not there can be started and looked for again, or entered', async () => {
    rig.local = [...rig.local, ...rig.local, { servers: [ollama(LLAMA)], missing: [] }];
    assert.equal(await rig.run(FIND, press('Try again'), press('Try again'), pick('Ollama'), cancel), null);
    assert.ok(rig.wizard.said().includes('Loupe found no server on this computer. Something else answers.'));
    rig.local = [{ servers: [], missing: [] }];
    await rig.run(FIND, press('Enter the address'), accept, accept, cancel);
    assert.ok(
      rig.wizard
        .said()
        .includes('Neither Ollama (port 11434) nor LM Studio (port 1234) is running on this computer. Start a server and try again.'),
    );
    assert.equal(rig.wizard.shown.at(-2)?.value, 'http://127.0.0.1:8080/v1');
    assert.deepEqual([rig.settings, [...rig.keyRig.secrets.values]], [[], []]);
  });
});
