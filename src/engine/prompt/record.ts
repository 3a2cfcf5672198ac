import type { Model, RequestParams, WireRequest } from '../run/model.js';
import type { Sha256 } from '../ports.js';
import type { RequestSize } from '../tokens/requestSize.js';
import type { Assembled } from './assemble.js';
import { promptBlocks, type Block, type WirePart } from './block.js';
import {
  diffManifest,
  FULL_MANIFEST_EVERY,
  INLINE_SNAPSHOT_BYTES,
  toManifestBlock,
  type Manifest,
  type ManifestBlock,
} from './manifest.js';
import { PrefixHash } from './prefixHash.js';

/** The manifest that a new one is written against. `depth` is the number of manifests it is itself made from. */
export interface ManifestBase {
  readonly attemptId: string;
  readonly blocks: readonly ManifestBlock[];
  readonly depth: number;
}

export interface Recorded {
  readonly manifest: Manifest;
  readonly blocks: readonly ManifestBlock[];
  readonly depth: number;
  /** JSON texts that must be in the chat's blobs, under their SHA-256, before the manifest is logged. */
  readonly blobs: ReadonlyMap<string, string>;
}

export interface RecordInput {
  readonly assembled: Assembled;
  /** What the whole request is taken to have. */
  readonly size: RequestSize;
  readonly model: Model;
  readonly params: RequestParams;
  readonly wire: WireRequest;
  readonly base: ManifestBase | null;
}

/** The record of a request about to be sent. */
export function recordManifest(input: RecordInput, sha256: Sha256): Recorded {
  const blobs = new Map<string, string>();
  const blocks = manifestBlocks(input.assembled, (part) => {
    const json = JSON.stringify(part);
    if (utf8Length(json) <= INLINE_SNAPSHOT_BYTES) {
      return { inline: part };
    }
    const blob = sha256(json);
    blobs.set(blob, json);
    return { blob };
  });
  const base = input.base !== null && input.base.depth < FULL_MANIFEST_EVERY ? input.base : null;
  const pieces = diffManifest(base?.blocks ?? [], blocks);
  const manifest: Manifest = {
    base: base?.attemptId ?? null,
    pieces,
    params: input.params,
    converterVersion: input.wire.converterVersion,
    bodyHash: sha256(input.wire.body),
    promptHash: new PrefixHash(promptBlocks(input.assembled.prompt), sha256).value,
    counter: input.model.capabilities.counter,
    size: input.size,
    adaptations: input.assembled.adaptations,
  };
  return { manifest, blocks, depth: (base?.depth ?? 0) + 1, blobs };
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

type StoreSnapshot = (part: WirePart) => ManifestBlock['content'];

function manifestBlocks({ prompt }: Assembled, store: StoreSnapshot): ManifestBlock[] {
  const record = (message: number) => (block: Block) =>
    toManifestBlock(block, message, block.source.from === 'snapshot' ? store(block.part) : null);
  return [
    ...prompt.tools.map(record(-1)),
    ...prompt.system.map(record(-1)),
    ...prompt.messages.flatMap((message, index) => message.blocks.map(record(index))),
  ];
}
