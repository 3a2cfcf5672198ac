import type { ChatState } from '../chat/state.js';
import { modelKey } from '../model/modelRef.js';
import { reportedInput } from '../tokens/calibration.js';
import { figureValue, type Usage } from '../model/usage.js';

/*
 * What the turn that a message sets off will cost, from the record of earlier ones. Each of them is played again on the next request: with
 * its number of steps, what each step added to the input, and the length of each reply; at the prices of today, and with what the cache
 * serves of a step that follows at once. The band is a conformal prediction interval of these costs: of n turns, and the one to come among
 * them, each place in the order is as likely as any other, so 8 of 10 fall between the places (n + 1) / 10 and 9 (n + 1) / 10. Turns of
 * this chat weigh more than those of others (Barber, Candes, Ramdas and Tibshirani, "Conformal prediction beyond exchangeability", 2023).
 */

/** A request of a turn, in tokens. */
export interface TurnStep {
  readonly input: number;
  readonly output: number;
}

/** What a message set off. */
export interface RecordedTurn {
  /** The key of the model that answered last. */
  readonly model: string;
  /** At least one. */
  readonly steps: readonly TurnStep[];
}

/** What a step that is not the first is paid at, in US dollars a token. */
export interface StepRates {
  /** What the step before it had. */
  readonly before: number;
  /** What it adds. */
  readonly added: number;
  readonly output: number;
}

/** The next request. */
export interface FirstStep {
  readonly input: number;
  /** What its input costs in US dollars. */
  readonly inputCost: number;
}

export interface TurnBand {
  /** In US dollars. */
  readonly low: number;
  readonly high: number;
}

/** Of fewer turns a band says nothing. */
const FEWEST_TURNS = 5;

/** Turns looked back on: a chat's turns change as it goes on. */
const LATEST = 60;

/** A turn of this chat says more of the next one than three of others. */
const OWN_WEIGHT = 3;

const LOW = 0.1;
const HIGH = 0.9;

/** The latest turns of a chat that came to their end, oldest first. Those with an unknown input tell nothing. */
export function recordedTurns({ attempts, runs }: Pick<ChatState, 'attempts' | 'runs'>): readonly RecordedTurn[] {
  return [...runs.values()].slice(-LATEST).flatMap(({ status, userMessageId, attemptIds }): RecordedTurn[] => {
    if (status !== 'committed' || userMessageId === null) {
      return [];
    }
    const replies = attemptIds
      .flatMap((id) => attempts.get(id) ?? [])
      .filter(({ purpose, end }) => purpose === 'reply' && end?.outcome === 'complete');
    const steps = replies.flatMap(({ end }) => stepOf(end?.usage ?? null) ?? []);
    const last = replies.at(-1);
    return last === undefined || steps.length < replies.length ? [] : [{ model: modelKey(last.model), steps }];
  });
}

function stepOf(usage: Usage | null): TurnStep | null {
  const input = usage === null ? null : reportedInput(usage);
  const output = figureValue(usage?.completionTokens ?? null);
  return input === null || output === null ? null : { input, output };
}

/** The band that holds what the turn costs in 8 of 10 cases; null where too few turns are known. */
export function turnBand(
  own: readonly RecordedTurn[],
  others: readonly RecordedTurn[],
  next: FirstStep,
  rates: StepRates,
): TurnBand | null {
  const played = [
    ...own.slice(-LATEST).map((turn) => ({ cost: playedOn(turn, next, rates), weight: OWN_WEIGHT })),
    ...others.slice(-LATEST).map((turn) => ({ cost: playedOn(turn, next, rates), weight: 1 })),
  ].toSorted((a, b) => a.cost - b.cost);
  if (played.length < FEWEST_TURNS) {
    return null;
  }
  // The turn to come is one of this chat, unless the chat has none yet.
  const all = played.reduce((sum, { weight }) => sum + weight, 0) + (own.length > 0 ? OWN_WEIGHT : 1);
  return { low: costAt(LOW * all, played), high: costAt(HIGH * all, played) };
}

/** What a turn would cost that begins with the next request and goes on like an earlier one. */
function playedOn({ steps }: RecordedTurn, { input, inputCost }: FirstStep, rates: StepRates): number {
  const start = steps[0]?.input ?? 0;
  let before = start;
  let cost = inputCost;
  for (const [at, step] of steps.entries()) {
    const added = Math.max(0, step.input - before);
    const whole = Math.max(0, input + step.input - start);
    cost += step.output * rates.output + (at === 0 ? 0 : (whole - added) * rates.before + added * rates.added);
    before = step.input;
  }
  return cost;
}

interface Played {
  readonly cost: number;
  readonly weight: number;
}

/** The cost at a place in the order, by weight: between two costs in proportion, and no further than the least and the most. */
function costAt(place: number, sorted: readonly Played[]): number {
  let upTo = 0;
  let before: { readonly cost: number; readonly place: number } | null = null;
  for (const { cost, weight } of sorted) {
    upTo += weight;
    if (upTo >= place) {
      return before === null ? cost : before.cost + ((cost - before.cost) * (place - before.place)) / (upTo - before.place);
    }
    before = { cost, place: upTo };
  }
  return before?.cost ?? 0;
}
