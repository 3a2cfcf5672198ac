import type { Ttl } from '../../engine/model/cacheRules.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { WholeChat } from '../../engine/chat/state.js';
import { failure, LoupeError } from '../../engine/errors.js';
import type { Block, WirePart } from '../../engine/model/block.js';
import type { ContextRecord } from '../../engine/record/manifest.js';
import { promptBlocks } from '../../engine/model/prompt.js';
import { manifestContentOf } from '../../engine/request/rebuild.js';
import type { ComposedRequest } from '../../engine/next/compose.js';
import { rebuildContents, type RebuildPorts } from '../request/rebuildRequest.js';

/** A block of a request, with its content unless the content cannot be read. */
export interface HeldBlock extends Omit<Block, 'part' | 'source' | 'breakpoint'> {
  readonly breakpoint: Ttl | null;
  readonly part: WirePart | null;
  /** Why the content cannot be read. Null for readable content. */
  readonly problem: string | null;
}

export interface HeldRequest {
  readonly blocks: readonly HeldBlock[];
  readonly records: readonly ContextRecord[];
}

/** Returns the blocks of a sent request. A block without readable content has a `problem`. Rejects without a record. */
export async function heldBySent(
  state: WholeChat,
  attempt: AttemptState,
  ports: Pick<RebuildPorts, 'sha256' | 'blobs'>,
): Promise<HeldRequest> {
  const contents = await rebuildContents(state, attempt, ports);
  const content = manifestContentOf(attempt, state.attempts);
  if (content === null) {
    throw failure('rebuild.baseMissing');
  }
  const breakpoints = new Map(attempt.manifest.marks.map(({ at, ttl }) => [at, ttl]));
  return {
    records: content.context,
    blocks: content.blocks.map(({ opens: _opens, since: _since, content: _content, source: _source, ...block }, at) => {
      const content = contents[at];
      const part = content === undefined || content instanceof LoupeError ? null : content;
      return { ...block, breakpoint: breakpoints.get(at) ?? null, part, problem: content instanceof LoupeError ? content.message : null };
    }),
  };
}

export function heldByNext({ prompt, records }: Pick<ComposedRequest, 'prompt' | 'records'>): HeldRequest {
  const blocks = promptBlocks(prompt).map(({ breakpoint, source: _source, ...block }) => ({
    ...block,
    breakpoint: breakpoint?.ttl ?? null,
    problem: null,
  }));
  return { blocks, records };
}
