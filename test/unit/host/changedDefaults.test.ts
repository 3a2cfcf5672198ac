import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { defaultConfig, plainConfig } from '../../../src/engine/chat/settings/configValues.js';
import { changedDefaults, readSettings } from '../../../src/host/chat/settings.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { depth } from '../../support/depth.mjs';
import { inRuns } from '../../support/forAll.js';

const base = defaultConfig(PRACTICE_STANDARD.ref);

const limits = fc
  .record({ maxPromptTokens: fc.option(fc.integer({ min: 1, max: 20 })), reservedResponseTokens: fc.nat(19) })
  .filter(({ maxPromptTokens, reservedResponseTokens }) => maxPromptTokens === null || reservedResponseTokens < maxPromptTokens);

function problems(config: object): readonly string[] {
  return readSettings({ defaults: config }, PRACTICE_STANDARD.ref).problems;
}

describe('The settings of a chat as defaults of new chats', () => {
  it('are written where they differ, and no others', () => {
    const chat: ChatConfig = { ...base, cacheMode: 'system', systemPrompt: 'Be brief.' };
    assert.deepEqual(changedDefaults(chat, base), [
      { name: 'cacheMode', value: 'system' },
      { name: 'systemPrompt', value: 'Be brief.' },
    ]);
    assert.deepEqual(changedDefaults(chat, chat), []);
  });

  it('are valid after each one that is written, so that VS Code never warns of them', () => {
    inRuns(depth({ short: 400, deep: 10_000 })).forAll(limits, limits, (from, to) => {
      const written = { ...plainConfig({ ...base, ...from }) };
      for (const { name, value } of changedDefaults({ ...base, ...to }, { ...base, ...from })) {
        Object.assign(written, { [name]: value });
        assert.deepEqual(problems(written), []);
      }
      assert.deepEqual(written, plainConfig({ ...base, ...to }));
    });
  });
});
