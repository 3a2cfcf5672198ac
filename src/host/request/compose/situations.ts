import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { parseJson } from '../../../engine/json.js';
import type { Sha256 } from '../../../engine/ports.js';
import { isCopy } from '../../../engine/diagnosis/layoutReplay.js';
import { isRead, lastReadAttempt } from '../../../engine/request/base.js';
import type { WirePart } from '../../../engine/model/block.js';
import { blockHash } from '../../../engine/request/blockFactory.js';
import type { SentRequest, Situation } from '../../../engine/request/layout/situation.js';
import type { ManifestBlock } from '../../../engine/record/manifest.js';
import { manifestBlocksOf } from '../../../engine/request/rebuild.js';
import type { BlobTexts } from './blobTexts.js';

/** Returns what a request layout may use about earlier requests of a chat. Caches the content of the last request. */
export class Situations {
  readonly #blobs: BlobTexts;
  readonly #sha256: Sha256;
  #turns: ReadTurns | null = null;
  #known: { readonly attempt: AttemptState['manifest']; readonly blocks: SentRequest['blocks'] } | null = null;

  constructor(blobs: BlobTexts, sha256: Sha256) {
    this.#blobs = blobs;
    this.#sha256 = sha256;
  }

  /** Returns the situation at `now` (epoch ms). Never rejects: an unreadable copy is logged and treated as not sent. */
  async at(state: ChatState, now: number): Promise<Situation> {
    const last = lastReadAttempt(state);
    const blocks = last === null ? null : await this.#blocksOf(last, state);
    const { latest, pauses } = this.#turnsOf(state.attempts);
    return {
      last: last === null || blocks === null ? null : sentRequest(last, blocks, state),
      // The system clock may have been set back.
      idleMs: Math.max(0, now - latest),
      pauses,
      // A file of the chat may be unreadable for a moment, while a program writes it. It must not be dropped then.
      staying: new Set([...state.leaving.keys(), ...state.context.keys()]),
    };
  }

  /** Returns the turns. Reads the attempts again only if one was added or has ended: a long chat has thousands. */
  #turnsOf(attempts: ChatState['attempts']): ReadTurns {
    const known = this.#turns;
    if (known?.attempts === attempts && known.size === attempts.size && known.open.every((id) => attempts.get(id)?.end === null)) {
      return known;
    }
    const replies = [...attempts.values()].filter((attempt) => attempt.purpose === 'reply' && isRead(attempt));
    const latest = replies.reduce((found, { startedAt }) => Math.max(found, startedAt), 0);
    const open = replies.filter(({ end }) => end === null).map(({ id }) => id);
    this.#turns = { attempts, size: attempts.size, open, latest, pauses: pausesOf(replies) };
    return this.#turns;
  }

  async #blocksOf(attempt: AttemptState, { attempts }: ChatState): Promise<SentRequest['blocks'] | null> {
    if (this.#known?.attempt === attempt.manifest) {
      return this.#known.blocks;
    }
    const recorded = manifestBlocksOf(attempt, attempts);
    if (recorded === null) {
      return null;
    }
    const names = recorded.flatMap((block) =>
      isCopy(block) && block.content !== null && 'blob' in block.content ? [block.content.blob] : [],
    );
    const texts = await this.#blobs.load('copy', new Set(names));
    const blocks = recorded.map((block) => ({ ...block, part: isCopy(block) ? this.#partOf(block, texts) : null }));
    this.#known = { attempt: attempt.manifest, blocks };
    return blocks;
  }

  /** Returns the content of a block as it was sent, or null when the stored copy is unreadable. */
  #partOf({ content, role, hash }: ManifestBlock, texts: ReadonlyMap<string, string>): WirePart | null {
    if (content === null) {
      return null;
    }
    const json = 'blob' in content ? texts.get(content.blob) : undefined;
    const part = 'inline' in content ? content.inline : json === undefined ? null : ((parseJson(json) ?? null) as WirePart | null);
    return part !== null && blockHash(role, part, this.#sha256) === hash ? part : null;
  }
}

/** When the turns of a chat happened, derived from its attempts. */
interface ReadTurns {
  readonly attempts: ChatState['attempts'];
  readonly size: number;
  readonly open: readonly string[];
  /** When the last request for a reply was sent, in epoch ms. 0 before the first request. */
  readonly latest: number;
  /** The pauses between turns, in ms. */
  readonly pauses: readonly number[];
}

function sentRequest({ manifest, model }: AttemptState, blocks: SentRequest['blocks'], { config }: ChatState): SentRequest {
  return { blocks, marks: manifest.marks, ordinal: manifest.ordinal, isSameModel: modelKey(model) === modelKey(config.model) };
}

function pausesOf(replies: readonly AttemptState[]): number[] {
  return replies.flatMap(({ runId, startedAt }, at) => {
    const before = replies[at - 1];
    return before === undefined || before.runId === runId || startedAt < before.startedAt ? [] : [startedAt - before.startedAt];
  });
}
