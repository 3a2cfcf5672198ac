/* Judged chats have no texts: a cache depends only on which blocks are equal and how long they are. */

export type Ttl = '5m' | '1h';

export type Kind = 'tool' | 'system' | 'repoMap' | 'reference' | 'rule' | 'file' | 'message';

/** The kinds of messages: the user's, text before calls, a call, its result, or the reply that ends a turn. */
export type Speech = 'user' | 'text' | 'toolCall' | 'toolResult' | 'final';

export type Role = 'tool' | 'system' | 'user' | 'assistant';

interface Content {
  /** The same for all versions: `file:f7`. */
  readonly id: string;
  readonly kind: Kind;
  /** Null except for messages. */
  readonly speech: Speech | null;
  readonly role: Role;
  /** Equal for equal bytes. */
  readonly hash: string;
  readonly tokens: number;
}

export interface Version {
  readonly hash: string;
  readonly tokens: number;
  /** Tokens of the change since the version before. */
  readonly delta: number;
}

export interface Item extends Content {
  /** All versions of a file up to this one, oldest first. Empty for other kinds. */
  readonly versions: readonly Version[];
  /** Whether it was chosen for this turn only. */
  readonly isChosen: boolean;
}

export interface Block extends Content {
  /** The hash of the file version that this block describes as a difference to the one before. Null for a full text. */
  readonly changesTo: string | null;
  /** At the end of the block. */
  readonly breakpoint: Ttl | null;
}

export interface ChatRequest {
  /** Seconds since the start of the chat. */
  readonly at: number;
  readonly kind: 'chat' | 'title' | 'summary';
  /** Each model has its own cache. */
  readonly model: 'main' | 'small';
  readonly items: readonly Item[];
}

export interface Trace {
  readonly name: string;
  readonly seed: number;
  readonly requests: readonly ChatRequest[];
}

export function blockOf({ id, kind, speech, role, hash, tokens }: Content): Block {
  return { id, kind, speech, role, hash, tokens, changesTo: null, breakpoint: null };
}

export function changeHash(version: string): string {
  return `change to ${version}`;
}

/** Whether it is context: no message, tool or system prompt. */
export function isContext({ kind }: { readonly kind: Kind }): boolean {
  return kind !== 'tool' && kind !== 'system' && kind !== 'message';
}
