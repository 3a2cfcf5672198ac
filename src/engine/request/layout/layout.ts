import type { Block } from '../block.js';
import type { FileGroup, Groups, Said } from '../gather.js';
import type { Wish } from '../mark.js';
import type { Prompt, WireMessage } from '../prompt.js';

/** A unit of a layout: blocks of one role, or a message of the conversation. */
export type Placed = { readonly kind: 'blocks'; readonly role: WireMessage['role']; readonly blocks: readonly Block[] } | Said;

/** The groups of a request in wire order. Roles need not alternate yet. */
export interface LaidOut {
  readonly tools: readonly Block[];
  readonly system: readonly Block[];
  readonly messages: readonly Placed[];
}

/** A way to order a request, and where its cache breakpoints should be. It does not decide the contents. */
export interface Layout {
  /** The name in the manifest. */
  readonly name: string;
  readonly place: (groups: Groups) => LaidOut;
  /** The breakpoints that it wants in the prompt made of what it placed, the most important first. */
  readonly wishes: (prompt: Prompt) => readonly Wish[];
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

/** A block of the user; nothing without one. */
export function fromUser(block: Block | null): Placed[] {
  return block === null ? [] : [{ kind: 'blocks', role: 'user', blocks: [block] }];
}
