import { attempts } from './attempts.js';
import { branch } from './branch.js';
import { compaction } from './compaction.js';
import { config } from './config.js';
import { context } from './context.js';
import { fragments } from './fragments.js';
import { idle } from './idle.js';
import { lessons } from './lessons.js';
import { marks } from './marks.js';
import { origin } from './origin.js';
import { participants } from './participants.js';
import { queue } from './queue.js';
import { runs } from './runs.js';
import { sessionFiles } from './sessionFiles.js';
import { sideRequests } from './sideRequests.js';
import { spendCap } from './spendCap.js';
import { title } from './title.js';

/**
 * All slices of a chat. Fold, snapshots, event order, search, export, forks and `isUntouched` are loops over this
 * table. If one event changes several slices, they change in this order. Exports and forks use this order, too.
 */
export const SLICES = {
  origin,
  config,
  title,
  context,
  participants,
  sessionFiles,
  fragments,
  attempts,
  sideRequests,
  runs,
  lessons,
  branch,
  compaction,
  marks,
  queue,
  spendCap,
  idle,
} as const;

export type SliceName = keyof typeof SLICES;

type StateOf<Name extends SliceName> = ReturnType<(typeof SLICES)[Name]['initial']>;

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void ? All : never;

/** Any event of a chat as the engine writes it. The journal adds the stamp. */
export type NewEvent = { readonly [Name in SliceName]: ReturnType<(typeof SLICES)[Name]['fork']>[number] }[SliceName];

export type EventType = NewEvent['type'];

/** The state of all slices, and members that are in no slice. */
export type ChatMembers = Intersection<{ readonly [Name in SliceName]: StateOf<Name> }[SliceName]> & {
  /** Time of the latest event in epoch milliseconds. `attempt-progress` and `requests-made` are ignored. */
  readonly updatedAt: number;
  /** Sentences about events that refer to something missing, because a line of the log is damaged. */
  readonly problems: readonly string[];
};

export type SlicesJson = { readonly [Name in SliceName]: ReturnType<(typeof SLICES)[Name]['snapshot']> };
