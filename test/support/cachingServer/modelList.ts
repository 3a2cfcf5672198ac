import type { ModelOptions } from './options.js';

/** GET /v1/models of Anthropic: one page with limits (`ModelInfo` of its SDK). */
export function anthropicModels(models: readonly ModelOptions[]): object {
  return {
    data: models.map(({ id, label, maxInputTokens, maxOutputTokens }) => ({
      type: 'model',
      id,
      display_name: label ?? id,
      created_at: '1970-01-01T00:00:00Z',
      max_input_tokens: maxInputTokens ?? null,
      max_tokens: maxOutputTokens ?? null,
    })),
    has_more: false,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  };
}

export function openaiModels(models: readonly ModelOptions[]): object {
  return { object: 'list', data: models.map(({ id }) => ({ id, object: 'model', created: 0, owned_by: 'tests' })) };
}
