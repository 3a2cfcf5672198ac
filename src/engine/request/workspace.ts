import { fencedText } from '../context/fence.js';
import type { Block, WirePart } from '../model/block.js';
import type { BlockFactory } from './blockFactory.js';

/**
 * A part of the workspace message, such as the text selected in the editor. Each part is a block of its own, so that a
 * request can repeat only the parts that have changed. The key is `editor:` and the name of the part.
 */
export interface WorkspacePart {
  readonly key: string;
  readonly text: string;
}

const WORKSPACE_KEY = 'editor:';

export function workspaceKey(name: string): string {
  return `${WORKSPACE_KEY}${name}`;
}

/** Returns the name in the key of a part. */
export function workspaceName(key: string): string {
  return key.slice(WORKSPACE_KEY.length);
}

export function isWorkspace(item: string): boolean {
  return item.startsWith(WORKSPACE_KEY);
}

export function workspaceBlock({ key, text }: WorkspacePart, factory: BlockFactory): Block {
  return factory.snapshotBlock({ key, role: 'user', category: 'editor', item: key }, { type: 'text', text });
}

const ENDED = 'No longer valid from here on: the editor state';

/** Makes the note that a part which the prompt still contains is no longer valid. */
export function workspaceEnd(key: string, factory: BlockFactory): Block {
  const text = `${ENDED} "${workspaceName(key)}".`;
  return { ...workspaceBlock({ key, text }, factory), form: 'carried' };
}

/** Returns the parts that are valid at the end of a prompt: the last block of each part, without parts that ended. */
export function validWorkspace(
  blocks: readonly (Pick<Block, 'item' | 'category'> & { readonly part: WirePart | null })[],
): readonly WorkspacePart[] {
  const valid = new Map<string, string>();
  for (const { item, category, part } of blocks) {
    if (category !== 'editor' || item === null || part?.type !== 'text') {
      continue;
    }
    valid.delete(item);
    if (!part.text.startsWith(ENDED)) {
      valid.set(item, part.text);
    }
  }
  return [...valid].map(([key, text]) => ({ key, text }));
}

/** The name of a part for the user, such as `heap.ts:40-88`. */
export interface NamedPart {
  readonly key: string;
  readonly name: string;
}

/** A part before Loupe cuts it to its limit. */
export interface LongPart extends NamedPart {
  /** The first line, such as `Open editors`, without a colon at the end. Never cut. */
  readonly head: string;
  /** The text after the first line, or null. */
  readonly body: PartBody | null;
  readonly mostTokens: number;
}

export interface PartBody {
  readonly text: string;
  /** The language of the fence around the text. Null for a text without a fence. */
  readonly language: string | null;
  /** Which end of the text stays when Loupe cuts it. */
  readonly keeps: 'beginning' | 'end';
  /** Whether the text is already a part of a longer text. */
  readonly isCut: boolean;
}

/** A part that a cut leaves with less text than this is dropped: the text would say nothing. */
const LEAST_CHARACTERS = 40;

/**
 * Cuts each part to its own limit, and drops parts as soon as all parts together exceed `mostTokens`. Counts tokens as
 * the block of the part has them.
 */
export function boundedWorkspace(parts: readonly LongPart[], mostTokens: number, factory: BlockFactory): readonly WorkspacePart[] {
  let left = mostTokens;
  return parts.flatMap((part): readonly WorkspacePart[] => {
    const bounded = boundedPart(part, Math.min(part.mostTokens, left), factory);
    left -= bounded === null ? 0 : workspaceBlock(bounded, factory).tokens;
    return bounded === null ? [] : [bounded];
  });
}

function boundedPart({ key, head, body }: LongPart, most: number, factory: BlockFactory): WorkspacePart | null {
  let [kept, bounded]: [PartBody | null, WorkspacePart] = [body, { key, text: partText(head, body) }];
  for (;;) {
    const { tokens } = workspaceBlock(bounded, factory);
    if (tokens <= most) {
      return bounded;
    }
    const characters = kept === null ? 0 : Math.floor((kept.text.length * most * CAUTION) / tokens);
    if (kept === null || characters < LEAST_CHARACTERS) {
      return null;
    }
    kept = { ...kept, text: cutText(kept, characters), isCut: true };
    bounded = { key, text: partText(head, kept) };
  }
}

/** Slightly less than what probably fits, so that few cuts are needed. */
const CAUTION = 0.95;

function partText(head: string, body: PartBody | null): string {
  if (body === null) {
    return head;
  }
  const { text, language, keeps, isCut } = body;
  return `${head}${isCut ? ` (only the ${keeps})` : ''}${language === null ? ':' : ''}\n${language === null ? text : fencedText(language, text)}`;
}

/** Returns at most this many characters of a text, cut at the end of a line if a line ends there. */
function cutText({ text, keeps }: PartBody, characters: number): string {
  if (keeps === 'end') {
    const end = text.slice(-characters);
    const line = end.indexOf('\n');
    return (line === -1 || line === end.length - 1 ? end : end.slice(line + 1)).replace(/^[\uDC00-\uDFFF]/, '');
  }
  const beginning = text.slice(0, characters);
  const line = beginning.lastIndexOf('\n');
  return (line <= 0 ? beginning : beginning.slice(0, line + 1)).replace(/[\uD800-\uDBFF]$/, '');
}
