import type { LogNormal } from './random.js';

/** A kind of chat. Probabilities are per turn by default. */
export interface TraceSettings {
  /** No turn begins after this many requests. Those for titles and summaries do not count. */
  readonly requests: number;
  readonly files: number;
  readonly references: number;
  readonly rules: number;
  /** For each turn, `chosen` of these rules are picked by its topic. */
  readonly pool: number;
  readonly chosen: number;
  /** Requests per turn, minimum and maximum. */
  readonly calls: readonly [number, number];
  readonly parallel: LogNormal;
  /** Seconds between turns. */
  readonly pause: LogNormal;
  /** Seconds of a reply, minimum and maximum. */
  readonly reply: readonly [number, number];
  readonly edited: number;
  /** Per tool call: it edits a file. */
  readonly editedByTool: number;
  readonly added: number;
  readonly dropped: number;
  readonly retried: number;
  readonly mapChanged: number;
  /** Tokens of the conversation that start a summary. */
  readonly limit: number;
}

const PAIR_PROGRAMMING: TraceSettings = {
  requests: 120,
  files: 8,
  references: 2,
  rules: 3,
  pool: 0,
  chosen: 0,
  calls: [1, 5],
  parallel: parallel(1.2, 0.5),
  pause: pause(90, 0.9, 10, 400),
  reply: [4, 25],
  edited: 0.35,
  editedByTool: 0.35,
  added: 0.12,
  dropped: 0.06,
  retried: 0.05,
  mapChanged: 0.05,
  limit: 100_000,
};

/**
 * The kinds of chats. Their numbers are invented, except pauses and calls per turn in measured-chat: a log-normal
 * distribution with median 86 s and sigma 2.1, fitted to 357,161 calls of 43 developers (TraceLab, arXiv 2606.30560).
 * 27 % of these pauses exceed five minutes, and 4 % an hour.
 */
export const TRACES: Readonly<Record<string, TraceSettings>> = {
  'qa-short': {
    ...PAIR_PROGRAMMING,
    requests: 30,
    files: 4,
    references: 1,
    rules: 2,
    calls: [1, 2],
    parallel: parallel(1, 0.5),
    pause: pause(70, 0.8, 8, 280),
    reply: [4, 15],
    edited: 0.05,
    editedByTool: 0.03,
    dropped: 0.04,
    retried: 0.06,
    mapChanged: 0.02,
    limit: 90_000,
  },
  'pair-programming': PAIR_PROGRAMMING,
  'agentic-long': {
    ...PAIR_PROGRAMMING,
    requests: 300,
    files: 3,
    references: 1,
    calls: [5, 15],
    parallel: parallel(2.2, 0.8),
    pause: pause(120, 0.9, 15, 900),
    reply: [3, 40],
    edited: 0.1,
    editedByTool: 0.3,
    added: 0.05,
    dropped: 0.03,
    retried: 0.03,
    mapChanged: 0.03,
    limit: 130_000,
  },
  'measured-chat': {
    ...PAIR_PROGRAMMING,
    requests: 150,
    pause: pause(86, 2.1, 3, 1_000_000),
    retried: 0.06,
    mapChanged: 0.02,
    limit: 90_000,
  },
  'idle-gaps': {
    ...PAIR_PROGRAMMING,
    requests: 60,
    files: 10,
    calls: [1, 4],
    pause: pause(420, 0.7, 60, 1_200),
    edited: 0.3,
    editedByTool: 0.25,
    added: 0.1,
    dropped: 0.05,
    retried: 0.03,
  },
  'semantic-rules': { ...PAIR_PROGRAMMING, pool: 40, chosen: 6 },
  'retry-edit-heavy': { ...PAIR_PROGRAMMING, retried: 0.3 },
};

/** Chats above 100,000 tokens with measured pauses. Only for the costs of waiting: they take as long as all others. */
export const LONG_TRACES: Readonly<Record<string, TraceSettings>> = {
  'measured-long': {
    ...PAIR_PROGRAMMING,
    requests: 300,
    pause: pause(86, 2.1, 3, 1_000_000),
    retried: 0.06,
    mapChanged: 0.02,
    limit: 400_000,
  },
};

/** Throws a RangeError for an unknown kind. */
export function settingsOf(kind: string): TraceSettings {
  const settings = TRACES[kind] ?? LONG_TRACES[kind];
  if (settings === undefined) {
    throw new RangeError(`There are no chats of the kind ${kind}.`);
  }
  return settings;
}

function parallel(median: number, sigma: number): LogNormal {
  return { median, sigma, least: 1, most: 14 };
}

function pause(median: number, sigma: number, least: number, most: number): LogNormal {
  return { median, sigma, least, most };
}
