import { toolCallsOf } from '../../chat/message/message.js';
import type { ChatConfig } from '../../chat/settings/config.js';
import type { TextDifferences } from '../../ports.js';
import type { Model } from '../../model/model.js';
import type { Block, Tier } from '../../model/block.js';
import type { BlockFactory } from '../blockFactory.js';
import { type FileGroup, type ContentGroups, type ConversationUnit, messageBehind } from '../gather.js';
import type { Wish } from '../placeBreakpoints.js';
import type { Prompt, WireMessage } from '../../model/prompt.js';
import type { FileLinks } from '../../repository/fileLinks.js';
import type { ResultTexts } from '../resultText.js';
import type { SentRequest, Situation } from './situation.js';

/** A unit of a layout: blocks of one role, or a message with the tier of its blocks (default `active`). */
export type LayoutUnit =
  | { readonly kind: 'blocks'; readonly role: WireMessage['role']; readonly blocks: readonly Block[] }
  | (ConversationUnit & { readonly tier?: Tier });

/** The contents of a request in the order of sending. Roles do not need to alternate yet. */
export interface OrderedContents {
  readonly tools: readonly Block[];
  readonly system: readonly Block[];
  readonly messages: readonly LayoutUnit[];
}

export interface LayoutResult extends OrderedContents {
  /**
   * Returns the breakpoints that the layout proposes for the finished prompt, the most important first. `ends`: for
   * each of `messages`, the number of blocks of the prompt up to its end.
   */
  readonly wishes: (prompt: Prompt, ends: readonly number[]) => readonly Wish[];
}

export type LayoutOptions = Pick<ChatConfig, 'fileChanges' | 'cacheTargetTokens' | 'toolsLeave' | 'repeatedContent'>;

export interface LayoutContext {
  readonly model: Pick<Model, 'capabilities' | 'prices'>;
  readonly situation: Situation;
  readonly options: LayoutOptions;
  /** How the files of the first request are connected to other files. Empty in later requests, and when unknown. */
  readonly fileLinks: FileLinks;
  /** Whether to remove everything that the request does not need, even if later blocks must be cached again. */
  readonly mustRebuild: boolean;
  readonly factory: BlockFactory;
  readonly resultTexts: ResultTexts;
  readonly differences: TextDifferences;
}

/** Orders a request and chooses its cache breakpoints. It does not decide the contents. */
export interface Layout {
  readonly name: string;
  readonly lay: (groups: ContentGroups, context: LayoutContext) => LayoutResult;
}

/** Drops all excluded turns. For a layout that does not try to keep the cached prefix. */
export function withoutExcluded(conversation: readonly ConversationUnit[]): readonly ConversationUnit[] {
  return conversation.some(({ excludedWith }) => excludedWith !== null)
    ? conversation.filter(({ excludedWith }) => excludedWith === null)
    : conversation;
}

export function filePair(group: FileGroup | null): LayoutUnit[] {
  if (group === null) {
    return [];
  }
  return [
    { kind: 'blocks', role: 'user', blocks: [group.header, ...group.files] },
    { kind: 'blocks', role: 'assistant', blocks: [group.acknowledged] },
  ];
}

/** Returns the blocks of a part of the repository map for the system prompt. */
export function inSystem(group: FileGroup | null, factory: BlockFactory): Block[] {
  return group === null ? [] : [group.header, ...group.files].map((block) => inSystemPrompt(block, factory));
}

/** Adds the repository map to the system prompt, after the other stable contents. */
export function withRepository(groups: ContentGroups, factory: BlockFactory): ContentGroups {
  const { system, tree, map } = groups;
  return tree === null && map === null ? groups : { ...groups, system: [...system, ...inSystem(tree, factory), ...inSystem(map, factory)] };
}

/** Returns a block of a message as a block at the end of the system prompt. Texts of the system prompt are joined. */
export function inSystemPrompt({ key, category, item, form, hash, part }: Block, factory: BlockFactory): Block {
  if (part.type !== 'text') {
    throw new RangeError(`${key} is not text, so it cannot be part of a system prompt.`);
  }
  return factory.formedBlock({ key: `system:${key}`, source: part.text, form }, () => ({
    ...factory.snapshotBlock({ key, role: 'system', category, item }, { type: 'text', text: `\n\n${part.text}` }),
    form,
    copyHash: hash,
  }));
}

/**
 * Inserts the picks and the workspace message. In a request with an instruction, they are where the last request had
 * them, so that the provider reads that request from its cache.
 */
export function withTurnContents(
  units: readonly LayoutUnit[],
  { picks, workspace, instruction }: Pick<ContentGroups, 'picks' | 'workspace' | 'instruction'>,
  last: SentRequest | null,
): LayoutUnit[] {
  const end = instruction === null ? units.length : endOfSent(units, last);
  return [...withWorkspace(withPicks(units.slice(0, end), picks), workspace), ...units.slice(end)];
}

/** Returns the number of units up to the last unit of the last request. */
function endOfSent(units: readonly LayoutUnit[], last: SentRequest | null): number {
  const sent = new Set(last?.blocks.flatMap((block) => messageBehind(block) ?? []));
  return units.findLastIndex((unit) => unit.kind !== 'blocks' && sent.has(unit.message.id)) + 1;
}

/** Inserts the picks before the newest user message. Without a user message, there are no picks. */
function withPicks(units: readonly LayoutUnit[], picks: readonly Block[]): LayoutUnit[] {
  const newest = units.findLastIndex(({ kind }) => kind === 'user');
  return newest === -1 || picks.length === 0
    ? [...units]
    : [...units.slice(0, newest), { kind: 'blocks', role: 'user', blocks: picks }, ...units.slice(newest)];
}

/**
 * Inserts the workspace message after the newest user message, before the replies to that message. After a turn that
 * has ended, the workspace message comes last.
 */
function withWorkspace(units: readonly LayoutUnit[], workspace: readonly Block[]): LayoutUnit[] {
  if (workspace.length === 0) {
    return [...units];
  }
  const last = units.at(-1);
  const isOver = last?.kind === 'reply' && toolCallsOf(last.message).length === 0;
  const at = isOver ? units.length : units.findLastIndex(({ kind }) => kind === 'user') + 1;
  return [...units.slice(0, at), { kind: 'blocks', role: 'user', blocks: workspace }, ...units.slice(at)];
}

export function fromUser(block: Block | null): LayoutUnit[] {
  return block === null ? [] : [{ kind: 'blocks', role: 'user', blocks: [block] }];
}
