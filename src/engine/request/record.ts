import {
  BLOCK_COMPARISON,
  CONTEXT_COMPARISON,
  type ContextRecord,
  FORGOTTEN_COMPARISON,
  FULL_MANIFEST_EVERY,
  INLINE_SNAPSHOT_BYTES,
  type Manifest,
  type ManifestBlock,
  type ManifestContent,
  type SelectionRecord,
} from '../record/manifest.js';
import type { Sha256 } from '../ports.js';
import type { WireRequest } from '../model/model.js';
import { type Block, type WirePart, contentHash } from '../model/block.js';
import { differenceTo } from '../record/difference.js';
import { PrefixHash } from './prefixHash.js';
import { type Prompt, promptBlocks, promptBreakpoints } from '../model/prompt.js';
import type { Request } from './request.js';

/** The previous reply attempt. The new manifest stores only its differences to this attempt. */
export interface ManifestBase {
  readonly attemptId: string;
  readonly ordinal: number;
  /** Null when a damaged log line breaks the chain of manifests. */
  readonly content: ManifestContent | null;
  /** Number of manifests in the chain, including the manifest of this attempt. */
  readonly depth: number;
}

export interface ManifestRecord {
  readonly manifest: Manifest;
  /** JSON texts by SHA-256. The caller must write them to the chat's blob folder before it logs the manifest. */
  readonly blobs: ReadonlyMap<string, string>;
}

export interface RecordInput {
  readonly request: Request;
  readonly context: readonly ContextRecord[];
  /** How items of the catalog were picked for the message. Null when only words were compared. */
  readonly picks: SelectionRecord | null;
  readonly wire: WireRequest;
  readonly bodyHash: string;
  readonly forecast: Pick<Manifest, 'forecast'>;
  readonly base: ManifestBase | null;
}

const NOTHING: ManifestContent = { blocks: [], context: [], forgotten: [] };

/** The last step: makes the manifest of a request that Loupe is about to send. */
export function record({ request, context, picks, wire, bodyHash, forecast, base }: RecordInput, sha256: Sha256): ManifestRecord {
  const { prompt, params, model, size, adaptations, toolNames, layout, forgotten } = request;
  const ordinal = (base?.ordinal ?? 0) + 1;
  const blobs = new Map<string, string>();
  const known = new Map(base?.content?.blocks.map((block) => [block.key, block]));
  const blocks = manifestBlocks(prompt, (block) => {
    const before = known.get(block.key);
    return {
      since: before !== undefined && contentHash(before) === contentHash(block) ? before.since : ordinal,
      content: block.source.from === 'snapshot' ? storedPart(block.part, blobs, sha256) : null,
    };
  });
  const isChained = base !== null && base.content !== null && base.depth < FULL_MANIFEST_EVERY;
  const before = (isChained ? base.content : null) ?? NOTHING;
  const manifest: Manifest = {
    base: isChained ? base.attemptId : null,
    ordinal,
    layout,
    blocks: differenceTo(before.blocks, blocks, BLOCK_COMPARISON),
    marks: promptBreakpoints(prompt),
    context: differenceTo(before.context, context, CONTEXT_COMPARISON),
    ...(picks === null ? {} : { picks }),
    ...(forgotten.length === 0 ? {} : { forgotten: differenceTo(before.forgotten, forgotten, FORGOTTEN_COMPARISON) }),
    toolNames,
    params,
    converterVersion: wire.converterVersion,
    bodyHash,
    promptHash: new PrefixHash(promptBlocks(prompt), sha256).value,
    counter: model.capabilities.counter,
    size,
    adaptations,
    ...forecast,
  };
  return { manifest, blobs };
}

/** Returns the content of a `snapshot` block in the form that the manifest stores. Adds large content to `blobs`. */
function storedPart(part: WirePart, blobs: Map<string, string>, sha256: Sha256): ManifestBlock['content'] {
  const json = JSON.stringify(part);
  if (new TextEncoder().encode(json).length <= INLINE_SNAPSHOT_BYTES) {
    return { inline: part };
  }
  const blob = sha256(json);
  blobs.set(blob, json);
  return { blob };
}

function manifestBlocks(prompt: Prompt, keptOf: (block: Block) => Pick<ManifestBlock, 'since' | 'content'>): ManifestBlock[] {
  const recorded = (block: Block, opens: boolean): ManifestBlock => {
    const { key, hash, role, source, category, item, form, copyHash, tokens, tier } = block;
    const { since, content } = keptOf(block);
    const after = copyHash === undefined ? {} : { copyHash };
    return { key, hash, role, source, category, item, form, ...after, tokens, tier, opens, since, content };
  };
  return [
    ...[...prompt.tools, ...prompt.system].map((block) => recorded(block, false)),
    ...prompt.messages.flatMap(({ blocks }) => blocks.map((block, index) => recorded(block, index === 0))),
  ];
}
