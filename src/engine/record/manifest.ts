import type { RecordedForecast } from '../cache/forecast.js';
import { type NotSelectedReason, type RequestContextItem, itemKey } from './item.js';
import { type Json, canonicalJson } from '../json.js';
import type { RequestParams } from '../model/model.js';
import type { RequestSize } from './requestSize.js';
import type { Adaptations } from './adaptations.js';
import type { Block, WirePart } from '../model/block.js';
import type { PlacedBreakpoint } from '../model/prompt.js';
import type { Comparison, Difference } from './difference.js';
import type { ToolNames } from './toolNames.js';
import type { ErrorRecord } from '../errors.js';

/** A block as the log stores it: without content that the log has elsewhere. */
export interface ManifestBlock extends Omit<Block, 'part' | 'breakpoint'> {
  /** Whether the block begins a wire message; false for tools and system. */
  readonly opens: boolean;
  /** Number of the first of the latest consecutive requests with this block and content (`contentHash`). */
  readonly since: number;
  /** The content of a `snapshot` block: inline, or the SHA-256 of the blob with its JSON. Null for message blocks. */
  readonly content: { readonly inline: WirePart } | { readonly blob: string } | null;
}

/** An item of the request context, or an item that was not selected. */
export interface ContextRecord {
  readonly item: RequestContextItem;
  /** Why the item was not selected; null when the request held the item. */
  readonly leftOut: NotSelectedReason | null;
  /** The part of the file in the request; missing when the request held the whole item. */
  readonly cut?: FileCut;
  /** How other files use the file. Present only in the first request of a chat, and only if known. */
  readonly link?: FileLink;
}

/** How a file is connected to the other files of the workspace. */
export interface FileLink {
  /** Number of other files that use a definition of the file. */
  readonly users: number;
  /**
   * The first path of the group of files that use each other, directly or through other files of the group. Null for a
   * file without such files.
   */
  readonly group: string | null;
}

/** The tool calls of a reply that a request does not send, with their results. */
export interface ForgottenTools {
  readonly messageId: string;
  /** The call that is not sent; missing when the request sends no call of the reply. */
  readonly callId?: string;
  /** The names of the tools, each once, in the order of the calls. */
  readonly tools: readonly string[];
  readonly calls: number;
  /** Tokens of calls and results by the model's counter. */
  readonly tokens: number;
  /** The chat setting for the number of turns after which requests omit calls. Null if the user excluded the calls. */
  readonly after: number | null;
}

/**
 * The record of a prompt. From the manifest, messages and blobs of a chat, Loupe rebuilds the request byte for byte.
 * The lists are differences to the lists of the attempt `base`. A rebuild follows the chain of bases. A full manifest
 * (`base` null) every `FULL_MANIFEST_EVERY` attempts limits this chain.
 */
export interface Manifest {
  readonly base: string | null;
  /** The number of the request among the reply requests of its branch, from 1. */
  readonly ordinal: number;
  readonly layout: string;
  readonly blocks: Difference<ManifestBlock>;
  readonly marks: readonly PlacedBreakpoint[];
  /** The request context after items were dropped, and the items that were not selected. */
  readonly context: Difference<ContextRecord>;
  /** How items were selected. Missing without an endpoint for embeddings, and without items to select from. */
  readonly picks?: SelectionRecord;
  /** The tool calls that the request does not send. Missing if the request sends all calls. */
  readonly forgotten?: Difference<ForgottenTools>;
  readonly toolNames: ToolNames;
  readonly params: RequestParams;
  readonly converterVersion: string;
  /** SHA-256 (hex) of the wire body. */
  readonly bodyHash: string;
  /** The `PrefixHash` of all blocks: equal for equal blocks in the same order, whatever the breakpoints. */
  readonly promptHash: string;
  readonly counter: string;
  readonly size: RequestSize;
  readonly adaptations: Adaptations;
  /** The expected cache use at the time of sending. Missing when it was unknown how the model caches. */
  readonly forecast?: RecordedForecast;
}

/** The full lists of a manifest, after its chain of differences is applied. */
export interface ManifestContent {
  readonly blocks: readonly ManifestBlock[];
  readonly context: readonly ContextRecord[];
  readonly forgotten: readonly ForgottenTools[];
}

/** Maximum length of a chain of manifests: a rebuild reads at most this many log lines. */
export const FULL_MANIFEST_EVERY = 50;

/** Content of a `snapshot` block over this many UTF-8 bytes of JSON goes to a blob, so that log lines stay short. */
export const INLINE_SNAPSHOT_BYTES = 16 * 1024;

/** Members that can change while the content of a block stays the same. */
const CHANGING = ['opens', 'tier', 'form', 'tokens'] as const;

/** Compares blocks by key. A block with changed content is stored again. */
export const BLOCK_COMPARISON: Comparison<ManifestBlock> = {
  key: ({ key }) => key,
  change: (before, after) => {
    const isSame = before.hash === after.hash && before.role === after.role && before.since === after.since;
    return isSame ? Object.fromEntries(CHANGING.flatMap((name) => (before[name] === after[name] ? [] : [[name, after[name]]]))) : null;
  },
};

export const FORGOTTEN_COMPARISON: Comparison<ForgottenTools> = {
  key: ({ messageId }) => messageId,
  change: (before, after) => (JSON.stringify(before) === JSON.stringify(after) ? {} : null),
};

export const CONTEXT_COMPARISON: Comparison<ContextRecord> = {
  key: ({ item }) => itemKey(item),
  change: (before, after) => (canonicalJson(before as unknown as Json) === canonicalJson(after as unknown as Json) ? {} : null),
};

/** A file that is only partly in a request. Its tokens are counted in the form that the file has in a prompt. */
export interface FileCut {
  /** SHA-256 (hex) of the whole content. */
  readonly hash: string;
  /** The number of lines in the request, from the first line on; 0 when the file was dropped. */
  readonly lines: number;
  readonly ofLines: number;
  readonly tokens: number;
  /** Tokens of the whole file; `tokens` counts the part in the request. */
  readonly ofTokens: number;
}

/** How items were selected for a message, when an endpoint for embeddings is set. */
export type SelectionRecord =
  /** By words and meaning. `model` is `provider/model`; `texts` is the number of texts sent to this model. */
  | { readonly by: 'meaning'; readonly model: string; readonly texts: number }
  /** By words alone, because the endpoint failed. */
  | { readonly by: 'words'; readonly model: string; readonly failure: ErrorRecord };
