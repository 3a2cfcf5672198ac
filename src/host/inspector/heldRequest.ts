import type { Ttl } from '../../engine/model/cacheRules.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { WholeChat } from '../../engine/chat/state.js';
import { failure, LoupeError } from '../../engine/errors.js';
import type { Block, WirePart } from '../../engine/model/block.js';
import type { RunState } from '../../engine/chat/slices/runs.js';
import type { ContextRecord } from '../../engine/record/manifest.js';
import { promptBlocks } from '../../engine/model/prompt.js';
import { manifestContentOf } from '../../engine/request/rebuild.js';
import type { ComposedRequest } from '../../engine/next/compose.js';
import { messageBehind } from '../../engine/request/gather.js';
import { LOST_RESULT_KEY } from '../../engine/request/adapt/adaptedParts.js';
import { rebuildContents, type RebuildPorts } from '../request/rebuildRequest.js';

/** A block of a request, with its content unless the content cannot be read. */
export interface HeldBlock extends Omit<Block, 'part' | 'source' | 'breakpoint'> {
  readonly breakpoint: Ttl | null;
  readonly part: WirePart | null;
  /** Why the content cannot be read. Null for readable content. */
  readonly problem: string | null;
  /** Whether the block is a placeholder for the result of a call that has not ended. */
  readonly isPending: boolean;
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
      return {
        ...block,
        breakpoint: breakpoints.get(at) ?? null,
        part,
        problem: content instanceof LoupeError ? content.message : null,
        isPending: false,
      };
    }),
  };
}

/** Returns the blocks of the next request. `running`: the run in progress, or null. */
export function heldByNext(
  { prompt, records }: Pick<ComposedRequest, 'prompt' | 'records'>,
  running: Pick<RunState, 'userMessageId'> | null,
): HeldRequest {
  const blocks = promptBlocks(prompt);
  const asked = running === null ? blocks.length : blocks.findLastIndex((block) => messageBehind(block) === running.userMessageId);
  return {
    records,
    blocks: blocks.map(({ breakpoint, source: _source, part, ...block }, at) => {
      const isPending = at > asked && block.key.startsWith(LOST_RESULT_KEY);
      return { ...block, part: isPending ? pendingResult(part) : part, breakpoint: breakpoint?.ttl ?? null, problem: null, isPending };
    }),
  };
}

/** Returns a result in place of one that says that the call was interrupted, which is true only after the run. */
function pendingResult(part: WirePart): WirePart {
  return part.type === 'toolResult' ? { ...part, isError: false, content: [{ type: 'text', text: 'The call has not ended yet.' }] } : part;
}
