import type { LeftOutReason, RequestContextItem } from '../context/item.js';
import type { RequestParams } from '../run/model.js';
import type { RequestSize } from '../tokens/requestSize.js';
import type { Adaptations } from './adaptations.js';
import type { Block, Breakpoint, WirePart } from './block.js';
import type { Comparison, Difference } from './difference.js';
import type { ToolNames } from './toolNames.js';

/** A block as the log keeps it: everything but content that can be found elsewhere in the log. */
export interface ManifestBlock extends Omit<Block, 'part' | 'breakpoint'> {
  /** Whether it begins a wire message; false for tools and system. */
  readonly opens: boolean;
  /** The ordinal of the first request since which each one held it with this hash. */
  readonly since: number;
  /** The content of a `snapshot`: inline, or the SHA-256 of a blob that holds its JSON. Null for message blocks. */
  readonly content: { readonly inline: WirePart } | { readonly blob: string } | null;
}

/** A breakpoint, and the position of its block in the request. They move with every request, so they stand beside the blocks. */
export interface Mark extends Breakpoint {
  readonly at: number;
}

/** An item of the context: what the request held of it, or why it did not. */
export interface ContextRecord {
  readonly item: RequestContextItem;
  /** Null for an item that the request held. */
  readonly leftOut: LeftOutReason | null;
}

/**
 * The record of a prompt: with the chat's messages and blobs it rebuilds the request byte for byte. It is kept
 * as a difference against the attempt named by `base`; a full one (base null) every 50 attempts bounds the
 * chain that a rebuild has to follow.
 */
export interface Manifest {
  readonly base: string | null;
  /** The number of the request among the replies' requests of its branch, from 1. */
  readonly ordinal: number;
  readonly layout: string;
  readonly blocks: Difference<ManifestBlock>;
  readonly marks: readonly Mark[];
  /** What it used of the chat's context, after everything that was left out. */
  readonly context: Difference<ContextRecord>;
  readonly toolNames: ToolNames;
  readonly params: RequestParams;
  readonly converterVersion: string;
  /** SHA-256 (hex) of the wire body. */
  readonly bodyHash: string;
  /** What the prompt says, as `PrefixHash` has it: equal for equal blocks in the same order, wherever marks stand. */
  readonly promptHash: string;
  /** Id of the counter behind the blocks' tokens. */
  readonly counter: string;
  readonly size: RequestSize;
  readonly adaptations: Adaptations;
}

/** What a manifest says once its chain of differences was followed. */
export interface ManifestContent {
  readonly blocks: readonly ManifestBlock[];
  readonly context: readonly ContextRecord[];
}

/** Chain length after which a full manifest is written: a rebuild reads at most this many log lines. */
export const FULL_MANIFEST_EVERY = 50;

/** Content of snapshots over this many UTF-8 bytes goes to a blob, so that log lines stay short. */
export const INLINE_SNAPSHOT_BYTES = 16 * 1024;

/** Members in which a block may change while it is the same content. */
const CHANGING = ['opens', 'tier', 'form', 'tokens'] as const;

/** Blocks with the same key and content are the same one. */
export const BLOCK_COMPARISON: Comparison<ManifestBlock> = {
  key: ({ key }) => key,
  change: (before, after) => {
    const isSame = before.hash === after.hash && before.role === after.role && before.since === after.since;
    return isSame ? Object.fromEntries(CHANGING.flatMap((name) => (before[name] === after[name] ? [] : [[name, after[name]]]))) : null;
  },
};
