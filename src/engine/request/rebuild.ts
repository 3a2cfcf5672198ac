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

type Recorded = Pick<AttemptState, 'manifest'>;

/** Attempts by id, to follow the chain of manifests. */
export type RecordedAttempts = ReadonlyMap<string, Recorded>;

/** Finds the contents that a manifest only names. */
export interface RebuildSources {
  readonly attempts: RecordedAttempts;
  message(id: string): Message | undefined;
  /** The text of a blob; rejects when it is missing or damaged. */
  blob(sha256: string): Promise<string>;
}

/** The chain of manifests from the full one to the attempt's own; null when one is missing. */
export function manifestChain({ manifest }: Recorded, attempts: RecordedAttempts): Manifest[] | null {
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

/** The blocks of an attempt's request; null when a manifest of its chain is missing. */
export function manifestBlocksOf(attempt: Recorded, attempts: RecordedAttempts): ManifestContent['blocks'] | null {
  const chain = manifestChain(attempt, attempts);
  return chain?.reduce<ManifestContent['blocks']>((before, { blocks }) => withDifference(before, blocks), []) ?? null;
}

/** The context items of an attempt's request, and those left out; null when a manifest of its chain is missing. */
export function contextRecordsOf(attempt: Recorded, attempts: RecordedAttempts): ManifestContent['context'] | null {
  const chain = manifestChain(attempt, attempts);
  return chain?.reduce<ManifestContent['context']>((before, { context }) => withDifference(before, context), []) ?? null;
}

/** The tool calls that an attempt's request left out; null when a manifest of its chain is missing. */
export function forgottenToolsOf(attempt: Recorded, attempts: RecordedAttempts): ManifestContent['forgotten'] | null {
  const chain = manifestChain(attempt, attempts);
  return chain?.reduce<ManifestContent['forgotten']>((before, { forgotten }) => withDifference(before, forgotten ?? []), []) ?? null;
}

/** The request context of an attempt; null when a manifest of its chain is missing. */
export function requestContextOf(attempt: Recorded & Pick<AttemptState, 'startedAt'>, attempts: RecordedAttempts): RequestContext | null {
  const records = contextRecordsOf(attempt, attempts);
  if (records === null) {
    return null;
  }
  return { ...contextIn(records), timestamp: attempt.startedAt };
}

/** What a request holds of the context, and what it does not. */
export function contextIn(records: readonly ContextRecord[]): Pick<RequestContext, 'items' | 'leftOut'> {
  return {
    items: records.flatMap(({ item, leftOut }) => (leftOut === null ? [item] : [])),
    leftOut: records.flatMap(({ item, leftOut }) => (leftOut === null ? [] : [{ item, reason: leftOut }])),
  };
}

/**
 * The prompt of a past attempt, from the log and the blobs. Every block is checked against its recorded hash. Rejects
 * with a `storage` error that names what is missing or differs.
 */
export async function rebuildPrompt(attempt: Recorded, sources: RebuildSources, sha256: Sha256): Promise<Prompt> {
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

/**
 * The contents of the blocks of a past attempt, in their order: of one that is missing or differs from its record, the error that says
 * so. Rejects where the record itself is missing.
 */
export async function rebuildParts(
  attempt: Recorded,
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
  // Null for a blob that is no JSON. The caller checks the content by its hash.
  return 'inline' in content ? content.inline : ((parseJson(await sources.blob(content.blob)) ?? null) as WirePart | null);
}

/** The texts of a result that are stored as blobs, as they were sent. Rejects when one cannot be read. */
async function resultTexts(part: Part, sources: RebuildSources): Promise<ResultTexts> {
  const names = part.type === 'toolResult' ? part.content.flatMap((item) => (item.type === 'blob' ? [item.blob] : [])) : [];
  return new Map(await Promise.all(names.map(async (name) => [name, textForModel(await sources.blob(name))] as const)));
}
