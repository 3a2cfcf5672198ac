import type { AttemptState } from '../chat/slices/attempts.js';
import type { ChatState } from '../chat/state.js';
import type { CachedBlocks } from '../cacheMonitor/expectedCaches.js';
import { isCopy } from '../diagnosis/layoutReplay.js';
import { parseJson } from '../json.js';
import type { WirePart } from '../model/block.js';
import { isSameRef, type ModelRef } from '../model/modelRef.js';
import type { Sha256 } from '../ports.js';
import type { ManifestBlock } from '../record/manifest.js';
import { isRead, lastAttempt } from '../request/base.js';
import { blockHash } from '../request/blockFactory.js';
import { manifestBlocksOf } from '../request/rebuild.js';
import { outlivedShare } from '../request/layout/adaptive/breakpoints.js';
import type { SentBlock, Situation } from '../request/layout/situation.js';

/** The last request that the provider has read, with its blocks. */
export interface LastSent {
  readonly attempt: AttemptState;
  readonly blocks: readonly SentBlock[];
}

/** When the turns of a chat happened, derived from its attempts. */
export interface TurnTimes {
  /** When the cache of the chat was last used: by a request for a reply, or to keep it warm. In epoch ms, or 0. */
  readonly latest: number;
  /** When the last request for a reply was sent, in epoch ms. 0 before the first request. */
  readonly latestReply: number;
  /** The pauses between turns, in ms. See `pauses.ts`. */
  readonly pauses: readonly number[];
  /** See `Situation`. */
  readonly outlivedShare: number;
}

/** Returns what a request layout may use about earlier requests of a chat. `inCache`: the blocks of a request. */
export function situationOf(
  last: LastSent | null,
  { turns: { outlivedShare: outlived }, staying }: Pick<Situation, 'staying'> & { readonly turns: TurnTimes },
  model: ModelRef,
  inCache: (last: LastSent) => CachedBlocks,
): Situation {
  return {
    last:
      last === null
        ? null
        : {
            blocks: last.blocks,
            marks: last.attempt.manifest.marks,
            ordinal: last.attempt.manifest.ordinal,
            isSameModel: isSameRef(last.attempt.model, model),
            ...inCache(last),
          },
    outlivedShare: outlived,
    staying,
  };
}

export function turnTimes(attempts: ChatState['attempts']): TurnTimes {
  const pauses: number[] = [];
  let [latest, latestReply] = [0, 0];
  let before: AttemptState | null = null;
  // A single pass, because a long chat has thousands of attempts.
  for (const attempt of attempts.values()) {
    if (attempt.purpose === 'keepWarm' && isRead(attempt)) {
      latest = Math.max(latest, attempt.startedAt);
    }
    if (attempt.purpose === 'reply' && isRead(attempt)) {
      const { runId, startedAt } = attempt;
      if (before !== null && before.runId !== runId && startedAt >= before.startedAt) {
        pauses.push(startedAt - before.startedAt);
      }
      latest = Math.max(latest, startedAt);
      latestReply = Math.max(latestReply, startedAt);
      before = attempt;
    }
  }
  return { latest, latestReply, pauses, outlivedShare: outlivedShare(pauses) };
}

/** Returns the texts of these blobs, by SHA-256. Omits unreadable blobs. */
export type LoadCopies = (names: ReadonlySet<string>) => Promise<ReadonlyMap<string, string>>;

/**
 * Returns the last request that the provider has read. Null without such a request, and for a damaged record. `known`
 * is the last result, which stays valid for the same request. Treats unreadable content as not sent.
 */
export async function lastSent(state: ChatState, known: LastSent | null, load: LoadCopies, sha256: Sha256): Promise<LastSent | null> {
  const attempt = lastAttempt(state, isRead);
  if (attempt === null || known?.attempt.manifest === attempt.manifest) {
    return attempt === null ? null : known;
  }
  const recorded = manifestBlocksOf(attempt, state.attempts);
  if (recorded === null) {
    return null;
  }
  const texts = await load(copiesOf(recorded));
  return { attempt, blocks: recorded.map((block) => ({ ...block, part: isKept(block) ? partOf(block, texts, sha256) : null })) };
}

/** Whether the next request may need the content: to send it again, or to compare the price with other tools. */
function isKept(block: ManifestBlock): boolean {
  return isCopy(block) || block.role === 'tools';
}

/** Returns the names of the blobs with the content of these blocks. */
function copiesOf(blocks: readonly ManifestBlock[]): ReadonlySet<string> {
  return new Set(
    blocks.flatMap((block) => (isKept(block) && block.content !== null && 'blob' in block.content ? [block.content.blob] : [])),
  );
}

/** Returns the content of a copy, or null if the stored copy is unreadable. */
function partOf({ content, role, hash }: ManifestBlock, texts: ReadonlyMap<string, string>, sha256: Sha256): WirePart | null {
  if (content === null) {
    return null;
  }
  const json = 'blob' in content ? texts.get(content.blob) : undefined;
  const part = 'inline' in content ? content.inline : json === undefined ? null : ((parseJson(json) ?? null) as WirePart | null);
  return part !== null && blockHash(role, part, sha256) === hash ? part : null;
}
