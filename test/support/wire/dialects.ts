import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReasoningReplay, StopReason } from '../../../src/engine/model/model.js';
import type { Loose } from './loose.js';

/** What is expected of a reply in `test/fixtures/dialects`, and where its form was read. See the README there. */
export interface ExpectedReply {
  readonly source: readonly string[];
  readonly says: string;
  /** What is made up beside words, ids and figures. */
  readonly madeUp?: string;
  readonly reasoningReplay?: ReasoningReplay;
  /** Whether the model's price list has no prices for its cache. */
  readonly noCachePrices?: true;
  readonly reply: readonly string[];
  readonly stop: StopReason;
  readonly finishReason?: string;
  /** Fresh input, read, written, output. */
  readonly usage: readonly (number | null)[] | 'estimated';
  readonly isMoreBilled?: true;
  /** The server says what it has charged. */
  readonly isCharged?: true;
  readonly sources?: readonly string[];
  /** Kinds of the images beside the reply. */
  readonly images?: readonly string[];
  /** The price in US dollars, and how it was worked out by hand. */
  readonly usd: number | null;
  readonly byHand: string;
  /** The reply as the next request has it. */
  readonly returns: Loose;
}

export interface Dialect {
  /** `server/name`. */
  readonly name: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly expected: ExpectedReply;
}

/** The tests run in the repository's folder. */
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
