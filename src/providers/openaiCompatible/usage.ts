import type { Usage } from '../../engine/accounting/usage.js';
import { count, member } from '../json.js';
import { reported } from '../reported.js';

/**
 * A server's `usage` in normalized form; null when it holds no figure at all. `prompt_tokens` is the whole input,
 * what was read from and written to the cache included, so `promptTokens` is what is left of it. A server that says
 * nothing about its cache leaves both cache figures unknown, and `promptTokens` is then the whole input.
 *
 * Caches that work by themselves bill no writes and report none: there, a server that reports what it read has
 * written 0. `explicitCache` says that the model takes marks, whose writes are billed: then silence is unknown.
 *
 * Figures that cannot be (negative, no whole number, text, more cached than there was input) are unknown, never 0.
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
  // `prompt_cache_hit_tokens` is DeepSeek's; `cache_creation_input_tokens` LiteLLM's.
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
