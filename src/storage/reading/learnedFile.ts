import { join } from 'node:path';
import type { LearnedChat } from '../../engine/next/learnedChat.js';
import { readRecord, writeRecord } from '../files/record.js';

/*
 * What a closed chat teaches about models, derived from its log. Most requests contain the same blocks, so the file has
 * each block once, and each request has only its blocks after those that it shares with the request before.
 */

type RecordedRequest = LearnedChat['requests'][number][1][number];

interface StoredRequest extends Omit<RecordedRequest, 'blocks'> {
  /** The number of blocks that are the same as in the request before. */
  readonly same: number;
  /** Indexes in `LearnedValue.blocks`. */
  readonly rest: readonly number[];
}

interface LearnedValue extends Pick<LearnedChat, 'lessons' | 'turns'> {
  readonly fingerprint: string;
  readonly blocks: readonly (readonly [hash: string, tokens: number])[];
  readonly requests: readonly (readonly [model: string, readonly StoredRequest[]])[];
}

const FILE = 'learned.json';

/** Returns what the chat in a folder taught. Null if that is not stored, or if the log has changed since. */
export async function readLearned(folder: string, fingerprint: () => Promise<string>): Promise<LearnedChat | null> {
  const value = await storedValue(folder);
  return value !== null && value.fingerprint === (await fingerprint()) ? learnedOf(value) : null;
}

/** Returns what a chat of another workspace taught when a window of that workspace last stored it. Null if missing. */
export async function storedLearned(folder: string): Promise<LearnedChat | null> {
  const value = await storedValue(folder);
  return value === null ? null : learnedOf(value);
}

/** Writes the file. Does not create the folder, so that a deleted chat stays deleted. Throws Node's system errors. */
export function writeLearned(folder: string, fingerprint: string, { lessons, turns, requests }: LearnedChat): Promise<void> {
  const blocks = new Map<string, number>();
  const stored = requests.map(([model, sent]) => [model, sent.map((request, at) => storedRequest(request, sent[at - 1], blocks))] as const);
  const table = [...blocks.keys()].map((text) => JSON.parse(text) as LearnedValue['blocks'][number]);
  return writeRecord(join(folder, FILE), { fingerprint, lessons, turns, blocks: table, requests: stored } satisfies LearnedValue);
}

async function storedValue(folder: string): Promise<LearnedValue | null> {
  // The checksum and the version guarantee the shape.
  return (await readRecord(join(folder, FILE))) as LearnedValue | null;
}

function storedRequest(
  { blocks, ...request }: RecordedRequest,
  before: RecordedRequest | undefined,
  known: Map<string, number>,
): StoredRequest {
  const isOther = (block: RecordedRequest['blocks'][number], at: number): boolean => {
    const same = before?.blocks[at];
    return same === undefined || same.hash !== block.hash || same.tokens !== block.tokens;
  };
  const first = blocks.findIndex(isOther);
  const same = first === -1 ? blocks.length : first;
  const rest = blocks.slice(same).map(({ hash, tokens }) => {
    const text = JSON.stringify([hash, tokens]);
    const index = known.get(text) ?? known.size;
    known.set(text, index);
    return index;
  });
  return { ...request, same, rest };
}

function learnedOf({ lessons, turns, blocks, requests }: LearnedValue): LearnedChat {
  const table = blocks.map(([hash, tokens]) => ({ hash, tokens }));
  return {
    lessons,
    turns,
    requests: requests.map(([model, stored]) => {
      let before: RecordedRequest['blocks'] = [];
      const sent = stored.map(({ same, rest, ...request }) => {
        before = [...before.slice(0, same), ...rest.flatMap((index) => table[index] ?? [])];
        return { ...request, blocks: before };
      });
      return [model, sent];
    }),
  };
}
