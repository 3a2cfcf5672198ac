/** The minimum of the models that are not in `MINIMUMS`. */
export const USUAL_MINIMUM = 1_024;

/**
 * Tokens of the shortest prefix that a model caches, by a part of the model's id:
 *
 * - https://platform.claude.com/docs/en/build-with-claude/prompt-caching#cache-limitations lists current models. The
 *   minimums apply on every platform.
 * - The minimum of Claude Haiku 3 is from the list of 2025.
 */
const MINIMUMS: Readonly<Record<string, number>> = {
  'claude-fable-5': 512,
  'claude-mythos-5': 512,
  'claude-opus-5': 512,
  'claude-mythos-preview': 2_048,
  'claude-opus-4-7': 2_048,
  'claude-3-5-haiku': 2_048,
  'claude-3-haiku': 2_048,
  'claude-haiku-4-5': 4_096,
  'claude-opus-4-5': 4_096,
  'claude-opus-4-6': 4_096,
};

/**
 * Returns the tokens of the shortest prefix that a model caches. Also knows ids of gateways and clouds:
 * `anthropic/claude-haiku-4.5`, `us.anthropic.claude-haiku-4-5-20251001-v1:0`, `claude-haiku-4-5@20251001`.
 */
export function cacheMinimum(modelId: string): number {
  const id = modelId.toLowerCase().replaceAll('.', '-');
  return Object.entries(MINIMUMS).find(([part]) => id.includes(part))?.[1] ?? USUAL_MINIMUM;
}
