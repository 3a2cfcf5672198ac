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

/** A unit of a layout: blocks of one role, or a message of the conversation, whose blocks get its tier (`active` where it has none). */
export type Placed =
  | { readonly kind: 'blocks'; readonly role: WireMessage['role']; readonly blocks: readonly Block[] }
  | (Said & { readonly tier?: Tier });

/** The contents of a request in wire order. Roles need not alternate yet. */
export interface Ordered {
  readonly tools: readonly Block[];
  readonly system: readonly Block[];
  readonly messages: readonly Placed[];
}

export interface LaidOut extends Ordered {
  /**
   * The breakpoints wanted in the prompt that is made of it, the most important first. `ends` has the number of the prompt's blocks
   * up to the end of each of `messages`.
   */
  readonly wishes: (prompt: Prompt, ends: readonly number[]) => readonly Wish[];
}

/** The settings of a chat that layouts read. */
export type LayoutOptions = Pick<ChatConfig, 'fileChanges' | 'cacheTargetTokens' | 'toolsLeave'>;

/** What a layout may know in addition to the contents. */
export interface LayoutContext {
  readonly model: Pick<Model, 'capabilities' | 'prices'>;
  readonly situation: Situation;
  readonly options: LayoutOptions;
  /** Whether to leave out all that the request does not need, whatever that costs. */
  readonly mustRebuild: boolean;
  readonly factory: BlockFactory;
  /** The large results that can be read. */
  readonly resultTexts: ResultTexts;
  readonly differences: TextDifferences;
}

/** A way to order a request, and where its cache breakpoints should be. It does not decide the contents. */
export interface Layout {
  /** The name in the manifest. */
  readonly name: string;
  readonly lay: (groups: Groups, context: LayoutContext) => LaidOut;
}

/** The conversation without the turns that the user has left out, for a layout that keeps nothing for the cache. */
export function withoutLeftOut(conversation: readonly Said[]): readonly Said[] {
  return conversation.some(({ leftOutWith }) => leftOutWith !== null)
    ? conversation.filter(({ leftOutWith }) => leftOutWith === null)
    : conversation;
}

/** The files as a pair of a user message and an assistant message; empty without files. */
export function filePair(group: FileGroup | null): Placed[] {
  if (group === null) {
    return [];
  }
  return [
    { kind: 'blocks', role: 'user', blocks: [group.header, ...group.files] },
    { kind: 'blocks', role: 'assistant', blocks: [group.acknowledged] },
  ];
}

/** The units with what was picked before the newest message of the user. Without such a message nothing was picked. */
export function withPicks(units: readonly Placed[], picks: readonly Block[]): Placed[] {
  const newest = units.findLastIndex(({ kind }) => kind === 'user');
  return newest === -1 || picks.length === 0
    ? [...units]
    : [...units.slice(0, newest), { kind: 'blocks', role: 'user', blocks: picks }, ...units.slice(newest)];
}

/** A block of the user; nothing without one. */
export function fromUser(block: Block | null): Placed[] {
  return block === null ? [] : [{ kind: 'blocks', role: 'user', blocks: [block] }];
}
