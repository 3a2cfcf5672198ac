import type { AttemptState } from '../chat/slices/attempts.js';
import type { Message } from '../chat/message/message.js';
import type { Part } from '../model/part.js';
import type { RequestContext } from '../record/item.js';
import { failure, toLoupeError, type LoupeError } from '../errors.js';
import { parseJson } from '../json.js';
import type { Sha256 } from '../ports.js';
import type { Block, WirePart } from '../model/block.js';
import { blockHash } from './blockFactory.js';
import { withDifference } from '../record/difference.js';
import type { ContextRecord, Manifest, ManifestBlock, ManifestContent } from '../record/manifest.js';
import type { Prompt, WireMessage } from '../model/prompt.js';
import { textForModel, type ResultTexts } from './resultText.js';
import { withSentName, type ToolNames } from '../record/toolNames.js';
import { wirePart } from './adapt/wirePart.js';

type RecordedAttempt = Pick<AttemptState, 'manifest'>;

export type RecordedAttempts = ReadonlyMap<string, RecordedAttempt>;

export const NO_CONTENT: ManifestContent = { blocks: [], context: [], forgotten: [] };

/** Finds the contents that a manifest only refers to. */
export interface RebuildSources {
  readonly attempts: RecordedAttempts;
  message(id: string): Message | undefined;
  /** Returns the text of a blob. Rejects when it is missing or damaged. */
  blob(sha256: string): Promise<string>;
}

/** Returns the chain from a full manifest to the manifest of the attempt. Null when a manifest is missing. */
export function manifestChain({ manifest }: RecordedAttempt, attempts: RecordedAttempts): Manifest[] | null {
  const chain = [manifest];
  for (let { base } = manifest; base !== null; ) {
    const before = attempts.get(base);
    if (before === undefined) {
      return null;
    }
    chain.push(before.manifest);
    ({ base } = before.manifest);
  }
  return chain.reverse();
}

/** Returns the blocks of an attempt's request, or null when a manifest of its chain is missing. */
export function manifestBlocksOf(attempt: RecordedAttempt, attempts: RecordedAttempts): ManifestContent['blocks'] | null {
  const chain = manifestChain(attempt, attempts);
  return chain?.reduce<ManifestContent['blocks']>((before, { blocks }) => withDifference(before, blocks), []) ?? null;
}

export function contextRecordsOf(attempt: RecordedAttempt, attempts: RecordedAttempts): ManifestContent['context'] | null {
  const chain = manifestChain(attempt, attempts);
  return chain?.reduce<ManifestContent['context']>((before, { context }) => withDifference(before, context), []) ?? null;
}

export function manifestContentOf(attempt: RecordedAttempt, attempts: RecordedAttempts): ManifestContent | null {
  return manifestChain(attempt, attempts)?.reduce(contentAfter, NO_CONTENT) ?? null;
}

/** Returns the content of a request, by the content of the request that its manifest refers to. */
export function contentAfter(before: ManifestContent, { blocks, context, forgotten }: Manifest): ManifestContent {
  return {
    blocks: withDifference(before.blocks, blocks),
    context: withDifference(before.context, context),
    forgotten: withDifference(before.forgotten, forgotten ?? []),
  };
}

export function requestContextOf(
  attempt: RecordedAttempt & Pick<AttemptState, 'startedAt'>,
  attempts: RecordedAttempts,
): RequestContext | null {
  const records = contextRecordsOf(attempt, attempts);
  if (records === null) {
    return null;
  }
  return { ...contextIn(records), timestamp: attempt.startedAt };
}

export function contextIn(records: readonly ContextRecord[]): Pick<RequestContext, 'items' | 'notSelected'> {
  return {
    items: records.flatMap(({ item, leftOut }) => (leftOut === null ? [item] : [])),
    notSelected: records.flatMap(({ item, leftOut }) => (leftOut === null ? [] : [{ item, reason: leftOut }])),
  };
}

/** Rebuilds the prompt of a past attempt. Rejects with a `storage` error if a part is missing or has changed. */
export async function rebuildPrompt(attempt: RecordedAttempt, sources: RebuildSources, sha256: Sha256): Promise<Prompt> {
  const { marks, toolNames } = attempt.manifest;
  const breakpoints = new Map(marks.map(({ at, ttl }) => [at, { ttl }]));
  const recorded = manifestBlocksOf(attempt, sources.attempts);
  if (recorded === null) {
    throw failure('rebuild.baseMissing');
  }
  const blocks = await Promise.all(
    recorded.map(async (block, at): Promise<Block> => {
      const part = await checkedPart(block, { sources, toolNames }, sha256);
      const { opens: _opens, since: _since, content: _content, ...known } = block;
      return { ...known, part, breakpoint: breakpoints.get(at) ?? null };
    }),
  );
  const messages: { role: WireMessage['role']; blocks: Block[] }[] = [];
  for (const [at, block] of blocks.entries()) {
    if (recorded[at]?.opens === true) {
      messages.push({ role: block.role === 'assistant' ? 'assistant' : 'user', blocks: [block] });
    } else if (block.role !== 'tools' && block.role !== 'system') {
      messages.at(-1)?.blocks.push(block);
    }
  }
  return {
    tools: blocks.filter((block) => block.role === 'tools'),
    system: blocks.filter((block) => block.role === 'system'),
    messages,
  };
}

/** Rebuilds a past attempt's block contents. A missing or changed block gives an error. Rejects without a record. */
export async function rebuildParts(
  attempt: RecordedAttempt,
  sources: RebuildSources,
  sha256: Sha256,
): Promise<readonly (WirePart | LoupeError)[]> {
  const recorded = manifestBlocksOf(attempt, sources.attempts);
  if (recorded === null) {
    throw failure('rebuild.baseMissing');
  }
  const { toolNames } = attempt.manifest;
  return Promise.all(recorded.map((block) => checkedPart(block, { sources, toolNames }, sha256).catch(toLoupeError)));
}

interface PartSources {
  readonly sources: RebuildSources;
  readonly toolNames: ToolNames;
}

async function checkedPart(recorded: ManifestBlock, from: PartSources, sha256: Sha256): Promise<WirePart> {
  const part = await contentOf(recorded, from);
  if (part === null || blockHash(recorded.role, part, sha256) !== recorded.hash) {
    throw failure('rebuild.contentChanged', { key: recorded.key });
  }
  return part;
}

async function contentOf({ source, content }: ManifestBlock, { sources, toolNames }: PartSources): Promise<WirePart | null> {
  if (source.from === 'message') {
    const message = sources.message(source.messageId);
    const part = message !== undefined && 'parts' in message ? message.parts[source.part] : undefined;
    const wire = part === undefined ? null : wirePart(part, await resultTexts(part, sources));
    return wire === null ? null : withSentName(wire, toolNames);
  }
  if (content === null) {
    return null;
  }
  // Null for a blob that is no JSON. The caller checks the hash of the content.
  return 'inline' in content ? content.inline : ((parseJson(await sources.blob(content.blob)) ?? null) as WirePart | null);
}

/** Reads the texts of a result from their blobs, in the form that was sent. Rejects when a text cannot be read. */
async function resultTexts(part: Part, sources: RebuildSources): Promise<ResultTexts> {
  const names = part.type === 'toolResult' ? part.content.flatMap((item) => (item.type === 'blob' ? [item.blob] : [])) : [];
  return new Map(await Promise.all(names.map(async (name) => [name, textForModel(await sources.blob(name))] as const)));
}
