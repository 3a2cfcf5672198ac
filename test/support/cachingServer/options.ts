import type { CacheUse, Ttl } from './prompt.js';
import type { TokenCounter } from './tokens.js';

export type Protocol = 'anthropic' | 'openai';

/** Tokens that the wire format adds around the content. */
export interface Framing {
  /** Behind everything else, so never cached. */
  readonly perRequest: number;
  /** With the first block of each message. */
  readonly perMessage: number;
  readonly perTool: number;
}

/** A model of the server. What is left out is as documented for a current model. */
export interface ModelOptions {
  readonly id: string;
  readonly label?: string;
  /** Smallest prefix that is cached, in tokens: 1,024. */
  readonly minimumTokens?: number;
  /** A longer input is refused; without it none is. */
  readonly maxInputTokens?: number;
  readonly maxOutputTokens?: number;
  readonly framing?: Framing;
  /** How long entries at marks live in truth, in ms; left out, as documented. */
  readonly lifetimes?: Readonly<Record<Ttl, number>>;
  /** The lifetime that a mark is given, and billed for, by the one that it asks for; left out, as it asks. */
  readonly given?: Readonly<Record<Ttl, Ttl>>;
  /** Chat Completions: what is charged for a request in US dollars, told as OpenRouter does; left out, nothing is told of it. */
  readonly charge?: (usage: ComputedUsage) => number;
  /**
   * How Chat Completions caches for this model: by prefix, without being asked (the default), or at `cache_control`
   * marks in content parts, as routers to models with explicit breakpoints do.
   */
  readonly chatCache?: 'automatic' | 'marks';
}

export type ReplyPart =
  | { readonly type: 'text'; readonly text: string }
  /** Signed by the server unless a signature is given. */
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature?: string }
  /** `args` is an object, or the text of one just as it shall stream. */
  | { readonly type: 'toolCall'; readonly name: string; readonly args: object | string; readonly id?: string };

/** What the model says. */
export interface Reply {
  readonly parts: readonly ReplyPart[];
  /** By default `toolCalls` with a call among the parts, else `end`. */
  readonly stop?: 'end' | 'toolCalls' | 'length' | 'refused';
  /** By default counted. */
  readonly outputTokens?: number;
  /** The tier that it is served in; left out, the usual one. */
  readonly serviceTier?: string;
  /** Called when half of a stream is written: the rest follows, or the connection breaks, when it resolves. By default nothing waits. */
  readonly halfWay?: () => Promise<'goOn' | 'break'>;
}

/** An answer that is none: nothing is cached then. */
export interface Failure {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that came in. */
export interface ReceivedRequest {
  readonly protocol: Protocol;
  readonly path: string;
  readonly model: string;
  /** The key that it was sent with; null without. */
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The text of the body, and what it says. */
  readonly body: string;
  readonly json: unknown;
  readonly stream: boolean;
  /** Blocks that a cache sees, and marks among them. */
  readonly blocks: number;
  readonly marks: number;
  /** What the cache does with it. */
  readonly use: CacheUse;
}

/** The tokens of a request that was answered. */
export interface ComputedUsage extends CacheUse {
  readonly output: number;
  /** Null for the usual tier. */
  readonly serviceTier: string | null;
}

/** What became of a request to a model. */
export interface RequestRecord extends Omit<ReceivedRequest, 'use' | 'blocks' | 'marks'> {
  readonly status: number;
  /** Null when it was refused or failed, and for a mere count. */
  readonly usage: ComputedUsage | null;
  /** The message of the refusal; null without one. */
  readonly error: string | null;
}

/** What the model says to a request. The response begins, and its cache entries exist, when the reply is there. */
export type ReplyHandler = (request: ReceivedRequest) => Reply | Failure | Promise<Reply | Failure>;

export interface CachingServerOptions {
  /** By default one model, `practice`, without limits. */
  readonly models?: readonly ModelOptions[];
  /** The keys that are let in; left out, any or none. Each key has its own caches. */
  readonly key?: string | readonly string[];
  /** By default a text that names the sizes. */
  readonly reply?: ReplyHandler;
  readonly counter?: TokenCounter;
  /** The time in ms. By default a clock that stands still until `advance`. */
  readonly now?: () => number;
}
