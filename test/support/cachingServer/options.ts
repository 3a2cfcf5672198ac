import type { CacheUse, Ttl } from './prompt.js';
import type { TokenCounter } from './tokens.js';

export type Protocol = 'anthropic' | 'openai';

/** Tokens that the wire format adds to the content. */
export interface Framing {
  /** At the end of the prompt, so never cached. */
  readonly perRequest: number;
  /** With the first block of each message. */
  readonly perMessage: number;
  readonly perTool: number;
}

/** A model of the server. Defaults are those documented for current models. */
export interface ModelOptions {
  readonly id: string;
  readonly label?: string;
  /** Tokens of the smallest cached prefix. Default: the documented minimum of a model with this id. */
  readonly minimumTokens?: number;
  /** Longer inputs are refused. Default: no limit. */
  readonly maxInputTokens?: number;
  readonly maxOutputTokens?: number;
  readonly framing?: Framing;
  /** See `MarkedCacheRules`. */
  readonly lifetimes?: Readonly<Record<Ttl, number>>;
  /** See `MarkedCacheRules`. */
  readonly given?: Readonly<Record<Ttl, Ttl>>;
  /** Chat Completions: the charge in US dollars, reported as by OpenRouter. Default: not reported. */
  readonly charge?: (usage: ComputedUsage) => number;
  /** By prefix (default), or at `cache_control` marks in content parts, as routers do. */
  readonly chatCache?: 'automatic' | 'marks';
}

export type ReplyPart =
  | { readonly type: 'text'; readonly text: string }
  /** The server signs it unless a signature is given. */
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature?: string }
  /** `args` is an object, or the exact text of one. */
  | { readonly type: 'toolCall'; readonly name: string; readonly args: object | string; readonly id?: string };

export interface Reply {
  readonly parts: readonly ReplyPart[];
  /** Default: `toolCalls` when a part is a call, else `end`. */
  readonly stop?: 'end' | 'toolCalls' | 'length' | 'refused';
  readonly outputTokens?: number;
  readonly serviceTier?: string;
  /** More headers of the response, such as rate limits. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called after half of a stream. The stream continues or breaks when it resolves. */
  readonly halfWay?: () => Promise<'goOn' | 'break'>;
}

export interface Failure {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ReceivedRequest {
  readonly protocol: Protocol;
  readonly path: string;
  readonly model: string;
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  readonly json: unknown;
  readonly stream: boolean;
  /** The number of blocks for the cache, and of marks. */
  readonly blocks: number;
  readonly marks: number;
  readonly use: CacheUse;
}

export interface ComputedUsage extends CacheUse {
  readonly output: number;
  readonly serviceTier: string | null;
}

export interface RequestRecord extends Omit<ReceivedRequest, 'use' | 'blocks' | 'marks'> {
  readonly status: number;
  /** Null for refused and failed requests, and for token counts. */
  readonly usage: ComputedUsage | null;
  readonly error: string | null;
}

/** Returns the reply to a request. The response and its cache entries begin when it resolves. */
export type ReplyHandler = (request: ReceivedRequest) => Reply | Failure | Promise<Reply | Failure>;

export interface CachingServerOptions {
  /** Default: one model, `practice`, without limits. */
  readonly models?: readonly ModelOptions[];
  /** The valid keys. Default: all. Each key has its own caches. */
  readonly key?: string | readonly string[];
  /** Default: a text with the sizes. */
  readonly reply?: ReplyHandler;
  readonly counter?: TokenCounter;
  /** In ms. Default: a clock that moves only with `advance`. */
  readonly now?: () => number;
}
