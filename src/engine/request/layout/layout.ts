import type { Block } from '../block.js';
import type { FileGroup, Groups, Said } from '../gather.js';
import type { WireMessage } from '../prompt.js';

/** What stands in a request as a whole: blocks of one role, or a message of the conversation. */
export type Placed = { readonly kind: 'blocks'; readonly role: WireMessage['role']; readonly blocks: readonly Block[] } | Said;

/** The groups of a request in the order of the wire. Roles need not alternate yet. */
export interface LaidOut {
  readonly tools: readonly Block[];
  readonly system: readonly Block[];
  readonly messages: readonly Placed[];
}

/** A way to order a request. It decides where everything stands, and nothing about what it says. */
export interface Layout {
  /** As the manifest names it. */
  readonly name: string;
  readonly place: (groups: Groups) => LaidOut;
}

/** The files as a pair of messages, the user's and the model's; none without files. */
export function filePair(group: FileGroup | null): Placed[] {
  if (group === null) {
    return [];
  }
  return [
    { kind: 'blocks', role: 'user', blocks: [group.header, ...group.files] },
    { kind: 'blocks', role: 'assistant', blocks: [group.acknowledged] },
  ];
}
