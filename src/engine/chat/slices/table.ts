import { attempts } from './attempts.js';
import { branch } from './branch.js';
import { compaction } from './compaction.js';
import { config } from './config.js';
import { context } from './context.js';
import { lessons } from './lessons.js';
import { marks } from './marks.js';
import { origin } from './origin.js';
import { participants } from './participants.js';
import { queue } from './queue.js';
import { runs } from './runs.js';
import { sessionFiles } from './sessionFiles.js';
import { title } from './title.js';

/**
 * All that a chat knows. The fold, snapshots, the order of two writers, search, export, forks and "untouched" are loops
 * over this table. Where several slices change with an event, they do so in this order; exports and forks begin with
 * the first.
 */
export const SLICES = {
  origin,
  config,
  title,
  context,
  participants,
  sessionFiles,
  attempts,
  runs,
  lessons,
  branch,
  compaction,
  marks,
  queue,
} as const;

export type SliceName = keyof typeof SLICES;

type StateOf<Name extends SliceName> = ReturnType<(typeof SLICES)[Name]['initial']>;

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void ? All : never;

/** Everything that can happen to a chat, as the engine writes it: the journal adds the stamp. */
export type EventDraft = { readonly [Name in SliceName]: ReturnType<(typeof SLICES)[Name]['fork']>[number] }[SliceName];

export type EventType = EventDraft['type'];

/** The members of all slices, and what belongs to none. */
export type ChatMembers = Intersection<{ readonly [Name in SliceName]: StateOf<Name> }[SliceName]> & {
  /** Epoch milliseconds of the latest event, streaming text apart. */
  readonly updatedAt: number;
  /** Events that made no sense where they stood (their partner was on a damaged line), in plain words. */
  readonly problems: readonly string[];
};

/** Of each slice what a snapshot keeps. */
export type SlicesJson = { readonly [Name in SliceName]: ReturnType<(typeof SLICES)[Name]['snapshot']> };
