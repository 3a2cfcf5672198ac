import type { Usage } from '../../engine/accounting/usage.js';
import { count, member } from '../json.js';
import { reported } from '../reported.js';

/**
 * A server's `usage` in normalized form; null when it holds no figure at all. `prompt_tokens` is the whole input,
 * with cache reads and cache writes; `promptTokens` is the rest of it. A server that reports nothing about its cache
 * leaves both cache figures unknown, and `promptTokens` is then the whole input.
 *
 * Automatic caches bill no writes and report none: a server that reports cache reads has written 0. `explicitCache`
 * says that the model takes breakpoints, whose writes are billed: then a missing figure is unknown.
 *
 * Impossible figures (negative, not a whole number, text, more cached than input) are unknown, never 0.
 */
export function normalizeUsage(raw: unknown, explicitCache: boolean): Usage | null {
  const total = count(member(raw, 'prompt_tokens'));
  const { read, written } = cacheFigures(raw, { total, explicitCache });
  const completion = count(member(raw, 'completion_tokens'));
  if (total === null && read === null && completion === null) {
    return null;
  }
  return {
    promptTokens: reported(total === null ? null : total - (read ?? 0) - (written ?? 0)),
    cacheReadInputTokens: reported(read),
    cacheCreationInputTokens: reported(written),
    cacheCreation: null,
    completionTokens: reported(completion),
  };
}

interface CacheFigures {
  readonly read: number | null;
  readonly written: number | null;
}

function cacheFigures(
  raw: unknown,
  { total, explicitCache }: { readonly total: number | null; readonly explicitCache: boolean },
): CacheFigures {
  const details = member(raw, 'prompt_tokens_details');
  // DeepSeek sends `prompt_cache_hit_tokens`, LiteLLM `cache_creation_input_tokens`.
  const readSaid = member(details, 'cached_tokens') ?? member(raw, 'prompt_cache_hit_tokens');
  const writtenSaid = member(details, 'cache_write_tokens') ?? member(raw, 'cache_creation_input_tokens');
  const read = count(readSaid);
  const unsaid = writtenSaid === undefined || writtenSaid === null;
  const written = unsaid && read !== null && !explicitCache ? 0 : count(writtenSaid);
  if (total !== null && (read ?? 0) + (written ?? 0) > total) {
    return { read: null, written: null };
  }
  return { read, written };
}
