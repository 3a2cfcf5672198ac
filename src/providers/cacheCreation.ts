import type { Usage } from '../engine/model/usage.js';
import { count, member } from './json.js';

/**
 * Returns cache writes by lifetime, in the form of Anthropic and of gateways. Null when they do not add up to `whole`,
 * so that one of the three figures is wrong.
 */
export function cacheCreation(split: unknown, whole: number | null): Usage['cacheCreation'] {
  const fiveMinutes = count(member(split, 'ephemeral_5m_input_tokens'));
  const oneHour = count(member(split, 'ephemeral_1h_input_tokens'));
  if (fiveMinutes === null || oneHour === null) {
    return null;
  }
  return fiveMinutes + oneHour === whole ? { fiveMinutes, oneHour } : null;
}
