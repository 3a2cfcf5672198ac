/*
 * What a judged chat is made of. There are no texts: what a cache does depends on which blocks are equal and how long they are.
 */

/** Times to live that a breakpoint may ask for. */
export type Ttl = '5m' | '1h';

/** What something is that a request must hold. */
export type Kind = 'tool' | 'system' | 'repoMap' | 'reference' | 'rule' | 'file' | 'message';

/** What a message is: the user's words, words before calls, a call, its result, or the reply that ends a turn. */
export type Speech = 'user' | 'text' | 'toolCall' | 'toolResult' | 'final';

/** Where something stands on the wire. */
export type Role = 'tool' | 'system' | 'user' | 'assistant';

interface Content {
  /** Of the thing, whatever its version: `file:f7`. */
  readonly id: string;
  readonly kind: Kind;
  /** Null for all but messages. */
  readonly speech: Speech | null;
  readonly role: Role;
  /** Equal for equal bytes. */
  readonly hash: string;
  readonly tokens: number;
}

/** A state of a file. */
export interface Version {
  readonly hash: string;
  readonly tokens: number;
  /** Tokens of what has changed since the version before. */
  readonly delta: number;
}

/** Something that a request must hold. */
export interface Item extends Content {
  /** All versions of a file up to this one, the oldest first; empty for all else. */
  readonly versions: readonly Version[];
  /** Whether it was chosen for this turn only, as rules are that fit what the user has asked. */
  readonly isChosen: boolean;
}

/** A block of a request in wire order, as a policy sends it. */
export interface Block extends Content {
  /** The hash of the version of a file that this block tells as a difference to the one before; null for a full text. */
  readonly changesTo: string | null;
  /** The cache breakpoint at the end of the block. */
  readonly breakpoint: Ttl | null;
}

/** A request of a chat, and what must be in it. */
export interface ChatRequest {
  /** Seconds since the chat has begun. */
  readonly at: number;
  readonly kind: 'chat' | 'title' | 'summary';
  /** Each model has a cache of its own. */
  readonly model: 'main' | 'small';
  readonly items: readonly Item[];
}

/** All requests of one chat, in their order. */
export interface Trace {
  readonly name: string;
  readonly seed: number;
  readonly requests: readonly ChatRequest[];
}

/** The item as a block that holds all of it. */
export function blockOf({ id, kind, speech, role, hash, tokens }: Content): Block {
  return { id, kind, speech, role, hash, tokens, changesTo: null, breakpoint: null };
}

/** The hash of the block that tells how a version of a file differs from the one before. */
export function changeHash(version: string): string {
  return `change to ${version}`;
}

/** Whether something belongs to the context: neither to the conversation nor to tools and system prompt. */
export function isContext({ kind }: { readonly kind: Kind }): boolean {
  return kind !== 'tool' && kind !== 'system' && kind !== 'message';
}
