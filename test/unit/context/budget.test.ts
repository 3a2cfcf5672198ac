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
  const exact = (tokens: number) => ({ tokens, basis: 'exact', error: null }) as const;
  const estimate = (tokens: number, error: number | null) => ({ tokens, basis: 'estimate', error }) as const;

  it("is the model's output limit while the window has more room", () => {
    assert.equal(outputLimit(model, exact(1_000)), 8_000);
    assert.equal(outputLimit(model, estimate(1_000, null)), 8_000);
  });

  it('is what the window has left when that is less', () => {
    assert.equal(outputLimit(model, exact(99_000)), 1_000);
    assert.equal(outputLimit(model, { ...exact(95_000), basis: 'providerCount' }), 5_000);
  });

  it('keeps three times the error of an estimate free, since one token too many is refused', () => {
    assert.equal(outputLimit(model, estimate(90_000, 0.01)), 10_000 - 2_700);
    assert.equal(outputLimit(model, estimate(75_000, null)), 2_500);
  });

  it('asks for 1,024 tokens all the same while the window has them', () => {
    assert.equal(outputLimit(model, estimate(90_000, 0.2)), 1_024);
    assert.equal(outputLimit(model, estimate(99_500, 0.2)), 500);
  });

  it('is 0, never negative, when the prompt fills the window', () => {
    for (const size of [exact(100_000), exact(123_456), estimate(123_456, null)]) {
      assert.equal(outputLimit(model, size), 0);
    }
  });

  it("is the model's output limit when the window is unknown", () => {
    assert.equal(outputLimit({ maxInputTokens: null, maxOutputTokens: 4_000 }, exact(50_000)), 4_000);
  });

  it('is none when that is unknown: all the room of the window may be more than the model writes', () => {
    assert.equal(outputLimit({ maxInputTokens: 100_000, maxOutputTokens: null }, estimate(1_000, null)), null);
    assert.equal(outputLimit(unknown, exact(50_000)), null);
  });
});
