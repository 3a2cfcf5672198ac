import assert from 'node:assert/strict';
import type { Model } from '../../../src/engine/model/model.js';
import { modelKey } from '../../../src/engine/model/modelRef.js';
import { chatInOffer, modelOffer } from '../../../src/host/models/modelOffer.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { DEFAULTS } from '../../support/host/window.js';

const model = (provider: string, id: string, label: string): Model => ({ ...PRACTICE_STANDARD, ref: { provider, model: id }, label });

const MODELS = [
  model('one', 'claude-sonnet-4-5-20250929', 'Claude Sonnet 4.5'),
  model('one', 'claude-sonnet-4-10', 'Claude Sonnet 4.10'),
  model('two', 'anthropic/claude-opus-4.5', 'Opus of two'),
  model('two', 'gpt-5.2', 'GPT-5.2'),
  model('three', 'gpt-5.2', 'GPT-5.2 by three'),
];

describe('the model that an agent or a prompt names', () => {
  function offered(names: readonly string[], current: Model): readonly [string, string] | null {
    const chat = { chatId: 'chat', config: { ...DEFAULTS, model: current.ref } };
    const offer = modelOffer({ subject: 'The agent Reviewer', names, chat, models: MODELS });
    return offer === null ? null : [offer.text, `${offer.action.label}: ${offer.action.argument}`];
  }

  for (const [name, key] of [
    ['Claude Sonnet 4.5 (copilot)', 'one/claude-sonnet-4-5-20250929'],
    ['claude-sonnet-4-5', 'one/claude-sonnet-4-5-20250929'],
    ['claude-sonnet-4-5-20250101', 'one/claude-sonnet-4-5-20250929'],
    ['sonnet', 'one/claude-sonnet-4-10'],
    ['opus', 'two/anthropic/claude-opus-4.5'],
    ['two/gpt-5.2', 'two/gpt-5.2'],
  ] as const) {
    it(`is offered with a button, by the name that its program has for it: ${name}`, () => {
      const [text, button] = offered([name], PRACTICE_STANDARD) ?? ['', ''];
      const found = MODELS.find(({ ref }) => modelKey(ref) === key);
      assert.equal(text, `The agent Reviewer names the model ${name}. Loupe has ${found?.label ?? ''} (${found?.ref.provider ?? ''}).`);
      assert.equal(button, `Use this model: chat ${key}`);
      assert.deepEqual(chatInOffer(button.slice(button.indexOf(': ') + 2)), { chatId: 'chat', name: key });
    });
  }

  it('is the first of several that Loupe has, of the provider of the chat if it has it', () => {
    assert.equal(offered(['GPT-9', 'GPT-5.2'], model('two', 'other', 'Other'))?.[1], 'Use this model: chat two/gpt-5.2');
    assert.equal(offered(['gpt-5.2'], model('three', 'other', 'Other'))?.[1], 'Use this model: chat three/gpt-5.2');
  });

  it('is named if Loupe does not have it', () => {
    assert.deepEqual(offered(['GPT-9', 'haiku'], PRACTICE_STANDARD), [
      'The agent Reviewer names the model GPT-9, haiku, which Loupe does not have.',
      'Choose another model: ',
    ]);
  });

  it('is not offered to a chat that has it, or without a name', () => {
    assert.equal(offered(['GPT-9', 'sonnet'], MODELS[0] ?? PRACTICE_STANDARD), null);
    assert.equal(offered([], PRACTICE_STANDARD), null);
  });
});
