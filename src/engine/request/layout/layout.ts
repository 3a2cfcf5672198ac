import type { ChatConfig } from '../../chat/settings/config.js';
import type { TextDifferences } from '../../ports.js';
import type { Model } from '../../model/model.js';
import type { Block, Tier } from '../../model/block.js';
import type { BlockFactory } from '../blockFactory.js';
import type { FileGroup, Groups, Said } from '../gather.js';
import type { Wish } from '../mark.js';
import type { Prompt, WireMessage } from '../../model/prompt.js';
import type { ResultTexts } from '../resultText.js';
import type { Situation } from './situation.js';

/** A unit of a layout: blocks of one role, or a message with the tier of its blocks (default `active`). */
export type Placed =
  | { readonly kind: 'blocks'; readonly role: WireMessage['role']; readonly blocks: readonly Block[] }
  | (Said & { readonly tier?: Tier });

/** The contents of a request in wire order. Roles do not need to alternate yet. */
export interface Ordered {
  readonly tools: readonly Block[];
  readonly system: readonly Block[];
  readonly messages: readonly Placed[];
}

export interface LaidOut extends Ordered {
  /**
   * Returns the wanted breakpoints of the finished prompt, the most important first. `ends` counts the prompt's blocks
   * up to the end of each of `messages`.
   */
  readonly wishes: (prompt: Prompt, ends: readonly number[]) => readonly Wish[];
}

export type LayoutOptions = Pick<ChatConfig, 'fileChanges' | 'cacheTargetTokens' | 'toolsLeave'>;

export interface LayoutContext {
  readonly model: Pick<Model, 'capabilities' | 'prices'>;
  readonly situation: Situation;
  readonly options: LayoutOptions;
  /** Whether to remove everything that the request does not need, whatever the rewriting costs. */
  readonly mustRebuild: boolean;
  readonly factory: BlockFactory;
  readonly resultTexts: ResultTexts;
  readonly differences: TextDifferences;
}

/** Orders a request and chooses its cache breakpoints. It does not decide the contents. */
export interface Layout {
  readonly name: string;
  readonly lay: (groups: Groups, context: LayoutContext) => LaidOut;
}

/** Drops the excluded turns at once, for a layout that keeps nothing for the cache. */
export function withoutLeftOut(conversation: readonly Said[]): readonly Said[] {
  return conversation.some(({ leftOutWith }) => leftOutWith !== null)
    ? conversation.filter(({ leftOutWith }) => leftOutWith === null)
    : conversation;
}

export function filePair(group: FileGroup | null): Placed[] {
  if (group === null) {
    return [];
  }
  return [
    { kind: 'blocks', role: 'user', blocks: [group.header, ...group.files] },
    { kind: 'blocks', role: 'assistant', blocks: [group.acknowledged] },
  ];
}

/** Inserts the picks before the newest user message. Without such a message there are no picks. */
export function withPicks(units: readonly Placed[], picks: readonly Block[]): Placed[] {
  const newest = units.findLastIndex(({ kind }) => kind === 'user');
  return newest === -1 || picks.length === 0
    ? [...units]
    : [...units.slice(0, newest), { kind: 'blocks', role: 'user', blocks: picks }, ...units.slice(newest)];
}

export function fromUser(block: Block | null): Placed[] {
  return block === null ? [] : [{ kind: 'blocks', role: 'user', blocks: [block] }];
}
