import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReasoningReplay, StopReason } from '../../../src/engine/model/model.js';
import type { Loose } from './loose.js';

/** The expected reply of a file in `test/fixtures/dialects`, and the source of its format. See the README there. */
export interface ExpectedReply {
  readonly source: readonly string[];
  readonly says: string;
  /** Invented parts other than words, ids and figures. */
  readonly madeUp?: string;
  readonly reasoningReplay?: ReasoningReplay;
  /** Whether the price list of the model has no cache prices. */
  readonly noCachePrices?: true;
  readonly reply: readonly string[];
  readonly stop: StopReason;
  readonly finishReason?: string;
  /** Uncached input, cache read, cache write, output. */
  readonly usage: readonly (number | null)[] | 'estimated';
  readonly isMoreBilled?: true;
  readonly isCharged?: true;
  readonly sources?: readonly string[];
  /** US dollars, and how the price was calculated by hand. */
  readonly usd: number | null;
  readonly byHand: string;
  readonly returns: Loose;
}

export interface Dialect {
  readonly name: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly expected: ExpectedReply;
}

/** Relative to the repository, where the tests run. */
const FOLDER = 'test/fixtures/dialects';
const EXPECTED = '.expected.json';
const CONTENT_TYPES = { '.sse': 'text/event-stream; charset=utf-8', '.json': 'application/json' } as const;

export function dialectServers(): string[] {
  return readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

export function dialects(): Dialect[] {
  return dialectServers().flatMap((server) => {
    const files = readdirSync(join(FOLDER, server));
    return files
      .filter((file) => file.endsWith(EXPECTED))
      .map((file): Dialect => {
        const name = file.slice(0, -EXPECTED.length);
        const ending = files.includes(`${name}.sse`) ? '.sse' : '.json';
        return {
          name: `${server}/${name}`,
          contentType: CONTENT_TYPES[ending],
          body: readFileSync(join(FOLDER, server, name + ending)),
          expected: JSON.parse(readFileSync(join(FOLDER, server, file), 'utf8')) as ExpectedReply,
        };
      });
  });
}
