import type { AttemptState } from '../chat/slices/attempts.js';
import type { Message, Part } from '../chat/message.js';
import { failure } from '../errors.js';
import type { Sha256 } from '../ports.js';
import type { Block, Prompt, WireMessage, WirePart } from './block.js';
import { blockHash } from './blockFactory.js';
import { applyPieces, type ManifestBlock } from './manifest.js';
import { textForModel, type ResultTexts } from './resultText.js';
import { wirePart } from './wirePart.js';

/** Where a rebuild finds what the manifest only names. */
export interface RebuildSources {
  attempt(id: string): AttemptState | undefined;
  message(id: string): Message | undefined;
  /** The text of a blob; rejects when it is missing or damaged. */
  blob(sha256: string): Promise<string>;
}

/** The blocks of an attempt's manifest, its chain of differences followed to the last full one. */
export function manifestBlocksOf(attempt: AttemptState, sources: Pick<RebuildSources, 'attempt'>): ManifestBlock[] {
  const chain = [attempt.manifest];
  for (let base = attempt.manifest.base; base !== null; ) {
    const before = sources.attempt(base);
    if (before === undefined) {
      throw failure('rebuild.baseMissing', { base });
    }
    chain.push(before.manifest);
    base = before.manifest.base;
  }
  return chain.reverse().reduce<ManifestBlock[]>((blocks, manifest) => applyPieces(blocks, manifest.pieces), []);
}

/** The number of manifests that an attempt's one is made from, itself included; null when one of them is missing. */
export function manifestDepth(attempt: AttemptState, sources: Pick<RebuildSources, 'attempt'>): number | null {
  let depth = 1;
  for (let base = attempt.manifest.base; base !== null; depth += 1) {
    const before = sources.attempt(base);
    if (before === undefined) {
      return null;
    }
    base = before.manifest.base;
  }
  return depth;
}

/**
 * The prompt of a past attempt, from the log and the blobs. Every block is checked against its recorded hash:
 * it is the prompt that was sent, or this rejects with what is missing or differs (`storage`).
 */
export async function rebuildPrompt(attempt: AttemptState, sources: RebuildSources, sha256: Sha256): Promise<Prompt> {
  const recorded = manifestBlocksOf(attempt, sources);
  const blocks = await Promise.all(recorded.map((block) => rebuildBlock(block, sources, sha256)));
  const messages: WireMessage[] = [];
  for (const [index, block] of blocks.entries()) {
    const at = recorded[index]?.message ?? -1;
    if (at >= 0) {
      const role = block.role === 'assistant' ? 'assistant' : 'user';
      messages[at] = { role, blocks: [...(messages[at]?.blocks ?? []), block] };
    }
  }
  return {
    tools: blocks.filter((block) => block.role === 'tools'),
    system: blocks.filter((block) => block.role === 'system'),
    messages,
  };
}

async function rebuildBlock(recorded: ManifestBlock, sources: RebuildSources, sha256: Sha256): Promise<Block> {
  const part = await contentOf(recorded, sources);
  const { key, hash, role, category, source, tokens, tier, breakpoint } = recorded;
  if (part === null || blockHash(role, part, sha256) !== hash) {
    throw failure('rebuild.contentChanged', { key });
  }
  return { key, hash, role, category, source, tokens, tier, breakpoint, part };
}

async function contentOf(recorded: ManifestBlock, sources: RebuildSources): Promise<WirePart | null> {
  if (recorded.source.from === 'message') {
    const message = sources.message(recorded.source.messageId);
    const part = message !== undefined && 'parts' in message ? message.parts[recorded.source.part] : undefined;
    return part === undefined ? null : wirePart(part, await resultTexts(part, sources));
  }
  if (recorded.content === null) {
    return null;
  }
  return 'inline' in recorded.content ? recorded.content.inline : parsePart(await sources.blob(recorded.content.blob));
}

/** The texts of a result that are kept as blobs, as they were sent. Rejects when one cannot be read. */
async function resultTexts(part: Part, sources: RebuildSources): Promise<ResultTexts> {
  const names = part.type === 'toolResult' ? part.content.flatMap((item) => (item.type === 'blob' ? [item.blob] : [])) : [];
  return new Map(await Promise.all(names.map(async (name) => [name, textForModel(await sources.blob(name))] as const)));
}

/** Null for a damaged blob; whether a part is the one that was sent, its hash tells. */
function parsePart(json: string): WirePart | null {
  try {
    return JSON.parse(json) as WirePart;
  } catch {
    // Not JSON: the caller says what is damaged.
    return null;
  }
}
