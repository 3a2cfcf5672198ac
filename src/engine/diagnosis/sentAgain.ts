import type { AttemptState } from '../chat/slices/attempts.js';
import { figureValue } from '../model/usage.js';
import type { CacheRules } from '../model/cacheRules.js';
import type { ManifestBlock } from '../record/manifest.js';
import { readTokens, sizeOfInput, type PastRequest } from '../request/pastRequest.js';
import { sumTokens } from '../sumTokens.js';

/** A reported token count means the end of a block if it differs from that end by at most this share of the input. */
export const COUNT_ERROR = 0.02;

/** Returns the blocks that were probably in the cache after a request. `rules` are null for an unknown model. */
export function coveredBy(request: PastRequest, rules: CacheRules | null): readonly ManifestBlock[] {
  const { attempt, blocks } = request;
  const marked = attempt.manifest.marks.at(-1)?.at ?? -1;
  if (marked !== -1) {
    return coveredTokens(request) === 0 ? [] : blocks.slice(0, marked + 1);
  }
  switch (rules?.kind) {
    case 'automatic':
      return sizeOfInput(attempt) < rules.minimumTokens ? [] : blocks;
    case 'marks':
    case 'none':
      return [];
    case 'unknown':
    case undefined:
      return blocks;
  }
}

/** Returns the reported cache reads and writes in tokens; null without a report. */
export function coveredTokens({ attempt: { end } }: Pick<PastRequest, 'attempt'>): number | null {
  const usage = end?.usage ?? null;
  const [read, written] = [figureValue(usage?.cacheReadInputTokens ?? null), figureValue(usage?.cacheCreationInputTokens ?? null)];
  return read === null && written === null ? null : (read ?? 0) + (written ?? 0);
}

/** Returns the tokens that a request left in the cache by its breakpoints; null without breakpoints or a report. */
export function reportedCoverage(attempt: AttemptState): number | null {
  return attempt.manifest.marks.length === 0 ? null : coveredTokens({ attempt });
}

/** Tokens of a request that an earlier request left in the cache, but that were not read from it. */
export interface ResentTokens {
  readonly tokens: number;
  /** The part of `tokens` that was written to the cache again. */
  readonly written: number;
  /** The part of `tokens` that was sent uncached. */
  readonly fresh: number;
}

/**
 * Returns how much of `covered` a request contains, but did not read from the cache. The provider reports only how many
 * tokens were read and written; the counts of the blocks show where these parts end. If a part ends near the end of a
 * block, it counts as the end of the block.
 */
export function resentTokens({ attempt, blocks }: PastRequest, covered: readonly ManifestBlock[]): ResentTokens {
  // Each block once: a message with the text of an earlier message is not the block that the cache has.
  const left = copiesOf(covered);
  const [input, counted] = [sizeOfInput(attempt), sumTokens(blocks)];
  const scale = counted === 0 ? 0 : input / counted;
  // A request without breakpoints can read up to any token, so its figures are not moved to the end of a block.
  const tolerance = attempt.manifest.marks.length === 0 ? 0 : input * COUNT_ERROR;
  const read = nearestEnd(blocks, { tokens: readTokens(attempt) ?? 0, scale, tolerance });
  const written = read + (figureValue(attempt.end?.usage?.cacheCreationInputTokens ?? null) ?? 0);
  let [end, again, ofWritten] = [0, 0, 0];
  for (const { hash, tokens } of blocks) {
    const from = end;
    end += tokens * scale;
    const copies = left.get(hash) ?? 0;
    if (copies > 0) {
      left.set(hash, copies - 1);
      again += Math.max(0, end - Math.max(from, read));
      ofWritten += Math.max(0, Math.min(end, written) - Math.max(from, read));
    }
  }
  const [all, wrote] = [Math.round(again), Math.min(Math.round(again), Math.round(ofWritten))];
  return { tokens: all, written: wrote, fresh: all - wrote };
}

/** Returns the number of blocks by hash. */
function copiesOf(blocks: readonly ManifestBlock[]): Map<string, number> {
  const copies = new Map<string, number>();
  for (const { hash } of blocks) {
    copies.set(hash, (copies.get(hash) ?? 0) + 1);
  }
  return copies;
}

function nearestEnd(
  blocks: readonly ManifestBlock[],
  { tokens, scale, tolerance }: { readonly tokens: number; readonly scale: number; readonly tolerance: number },
): number {
  let [end, nearest] = [0, 0];
  for (const block of blocks) {
    end += block.tokens * scale;
    nearest = Math.abs(end - tokens) < Math.abs(nearest - tokens) ? end : nearest;
  }
  return Math.abs(nearest - tokens) <= tolerance ? nearest : tokens;
}
