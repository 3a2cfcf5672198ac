import assert from 'node:assert/strict';
import { outputLimit, promptBudget, UNKNOWN_INPUT_LIMIT } from '../../../src/engine/budget/budget.js';

const model = { maxInputTokens: 100_000, maxOutputTokens: 8_000 };
const unknown = { maxInputTokens: null, maxOutputTokens: null };

describe('promptBudget', () => {
  it("is the model's input limit minus the reserve when the chat sets no cap", () => {
    assert.equal(promptBudget({ maxPromptTokens: null, reservedResponseTokens: 512 }, model), 99_488);
  });

  it("is the chat's cap minus the reserve when the cap is the smaller", () => {
    assert.equal(promptBudget({ maxPromptTokens: 10_000, reservedResponseTokens: 512 }, model), 9_488);
  });

  it("is the model's limit minus the reserve when the cap is beyond it", () => {
    assert.equal(promptBudget({ maxPromptTokens: 200_000, reservedResponseTokens: 512 }, model), 99_488);
  });

  it('takes 8,192 for a model of unknown limit', () => {
    assert.equal(UNKNOWN_INPUT_LIMIT, 8_192);
    assert.equal(promptBudget({ maxPromptTokens: null, reservedResponseTokens: 512 }, unknown), 7_680);
  });

  it('takes the cap at its word for a model of unknown limit', () => {
    assert.equal(promptBudget({ maxPromptTokens: 32_000, reservedResponseTokens: 0 }, unknown), 32_000);
  });

  it('is never negative', () => {
    assert.equal(promptBudget({ maxPromptTokens: 100, reservedResponseTokens: 512 }, model), 0);
  });
});

describe('outputLimit', () => {
  it("is the model's output limit while the window has more room", () => {
    assert.equal(outputLimit(model, 1_000), 8_000);
  });

  it('is what the window has left when that is less', () => {
    assert.equal(outputLimit(model, 99_000), 1_000);
    assert.equal(outputLimit({ maxInputTokens: 100_000, maxOutputTokens: null }, 99_000), 1_000);
  });

  it('is 0, never negative, when the prompt fills the window', () => {
    assert.equal(outputLimit(model, 100_000), 0);
    assert.equal(outputLimit(model, 123_456), 0);
  });

  it("is the model's output limit when the window is unknown, and unknown when both are", () => {
    assert.equal(outputLimit({ maxInputTokens: null, maxOutputTokens: 4_000 }, 50_000), 4_000);
    assert.equal(outputLimit(unknown, 50_000), null);
  });
});
