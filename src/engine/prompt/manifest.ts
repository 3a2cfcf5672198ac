import type { RequestParams } from '../run/model.js';
import type { RequestSize } from '../tokens/requestSize.js';
import type { Adaptations } from './adaptations.js';
import type { Block, BlockRole, BlockSource, Breakpoint, Category, Tier, WirePart } from './block.js';

/** A block as the log keeps it: everything but content that can be found elsewhere in the log. */
export interface ManifestBlock {
  readonly key: string;
  readonly hash: string;
  readonly role: BlockRole;
  readonly category: Category;
  readonly source: BlockSource;
  readonly tokens: number;
  readonly tier: Tier;
  readonly breakpoint: Breakpoint | null;
  /** Number of the wire message the block belongs to, from 0; -1 for tools and system. */
  readonly message: number;
  /** The content of a `snapshot`: inline, or the SHA-256 of a blob that holds its JSON. Null for message blocks. */
  readonly content: { readonly inline: WirePart } | { readonly blob: string } | null;
}

/** A run of blocks taken over unchanged from the manifest before, `[from, to)`, or new ones. */
export type ManifestPiece = { readonly keep: readonly [number, number] } | { readonly put: readonly ManifestBlock[] };

/**
 * The record of a prompt: with the chat's messages and blobs it rebuilds the request byte for byte. It is kept
 * as a difference against the attempt named by `base`; a full one (base null) every 50 attempts bounds the
 * chain that a rebuild has to follow.
 */
export interface Manifest {
  readonly base: string | null;
  readonly pieces: readonly ManifestPiece[];
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

/** Chain length after which a full manifest is written: a rebuild reads at most this many log lines. */
export const FULL_MANIFEST_EVERY = 50;

/** Content of snapshots over this many UTF-8 bytes goes to a blob, so that log lines stay short. */
export const INLINE_SNAPSHOT_BYTES = 16 * 1024;

/** Whether a block of an earlier manifest stands for the same bytes at the same place of the request. */
export function sameManifestBlock(a: ManifestBlock, b: ManifestBlock): boolean {
  return (
    a.key === b.key &&
    a.hash === b.hash &&
    a.role === b.role &&
    a.tokens === b.tokens &&
    a.tier === b.tier &&
    a.message === b.message &&
    a.breakpoint?.ttl === b.breakpoint?.ttl
  );
}

/** The pieces that turn `base` into `next`: kept runs by a walk over keys, everything else put anew. */
export function diffManifest(base: readonly ManifestBlock[], next: readonly ManifestBlock[]): ManifestPiece[] {
  const position = new Map(base.map((block, index) => [block.key, index]));
  const pieces: GrowingPiece[] = [];
  for (const block of next) {
    const index = position.get(block.key);
    const before = index === undefined ? undefined : base[index];
    if (index !== undefined && before !== undefined && sameManifestBlock(before, block)) {
      keep(pieces, index);
    } else {
      put(pieces, block);
    }
  }
  return pieces;
}

/** Applies pieces to the blocks of the base manifest; throws when they name blocks the base does not have. */
export function applyPieces(base: readonly ManifestBlock[], pieces: readonly ManifestPiece[]): ManifestBlock[] {
  return pieces.flatMap((piece) => {
    if ('put' in piece) {
      return piece.put;
    }
    const [from, to] = piece.keep;
    if (from < 0 || to > base.length || from >= to) {
      throw new RangeError(`The manifest keeps blocks ${String(from)} to ${String(to)} of ${String(base.length)}`);
    }
    return base.slice(from, to);
  });
}

/** A piece that its neighbours are added to in place: a first manifest puts all blocks of a long chat into one. */
type GrowingPiece = { readonly keep: [number, number] } | { readonly put: ManifestBlock[] };

function keep(pieces: GrowingPiece[], index: number): void {
  const last = pieces.at(-1);
  if (last !== undefined && 'keep' in last && last.keep[1] === index) {
    last.keep[1] = index + 1;
  } else {
    pieces.push({ keep: [index, index + 1] });
  }
}

function put(pieces: GrowingPiece[], block: ManifestBlock): void {
  const last = pieces.at(-1);
  if (last !== undefined && 'put' in last) {
    last.put.push(block);
  } else {
    pieces.push({ put: [block] });
  }
}

/** A prompt's block with its content left where the log has it already. */
export function toManifestBlock(block: Block, message: number, content: ManifestBlock['content']): ManifestBlock {
  const { key, hash, role, category, source, tokens, tier, breakpoint } = block;
  return { key, hash, role, category, source, tokens, tier, breakpoint, message, content };
}
