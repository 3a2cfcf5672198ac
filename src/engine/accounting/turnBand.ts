import type { ChatState } from '../chat/state.js';
import { modelKey } from '../model/modelRef.js';
import { reportedInput } from '../tokens/calibration.js';
import { figureValue, type Usage } from '../model/usage.js';

/*
 * Predicts the cost of the next turn from recorded turns. For each recorded turn, Loupe prices a turn that begins with
 * the next request. That turn has the same number of steps, the same added input per step, and the same lengths of
 * replies as the recorded turn. Prices are today's. Each step follows at once, so the input of the previous step is
 * priced as a cache read.
 *
 * The band is a conformal prediction interval of these costs. If n turns are recorded, the cost of the next turn is
 * equally likely at each of the n + 1 places in their order. So 8 of 10 turns fall between the places (n + 1) / 10 and
 * 9 (n + 1) / 10. Turns of this chat weigh more than turns of other chats (Barber, Candes, Ramdas and Tibshirani,
 * "Conformal prediction beyond exchangeability", 2023).
 */

/** One step of a turn, in tokens. */
export interface TurnStep {
  readonly input: number;
  readonly output: number;
}

export interface RecordedTurn {
  /** The id of the run. */
  readonly id: string;
  /** When the last reply ended, in epoch milliseconds. */
  readonly at: number;
  /** The key of the model that answered last. */
  readonly model: string;
  /** The steps of the turn; at least one. */
  readonly steps: readonly TurnStep[];
}

/** The prices of the second step of a turn and of all later steps, in US dollars per token. */
export interface StepRates {
  /** Price of input that the previous step already sent. */
  readonly before: number;
  /** Price of input that this step adds. */
  readonly added: number;
  readonly output: number;
}

/** The input of the next request, which is the first step of the next turn. */
export interface FirstStep {
  readonly input: number;
  /** In US dollars. */
  readonly inputCost: number;
}

export interface TurnBand {
  /** In US dollars. 8 of 10 turns cost between `low` and `high`. */
  readonly low: number;
  readonly high: number;
}

/** Minimum number of recorded turns for a band. Fewer turns do not allow a prediction. */
const FEWEST_TURNS = 5;

/** Number of latest turns to use. Older turns are ignored, because turns change during a chat. */
const LATEST = 60;

/** The weight of a turn of this chat. A turn of another chat has the weight 1. */
const OWN_WEIGHT = 3;

const LOW = 0.1;
const HIGH = 0.9;

/** Returns the latest completed turns of a chat, oldest first. Turns with an unknown input or output are ignored. */
export function recordedTurns({ attempts, runs }: Pick<ChatState, 'attempts' | 'runs'>): readonly RecordedTurn[] {
  return [...runs.values()].slice(-LATEST).flatMap(({ id, status, userMessageId, attemptIds }): RecordedTurn[] => {
    if (status !== 'committed' || userMessageId === null) {
      return [];
    }
    const replies = attemptIds
      .flatMap((id) => attempts.get(id) ?? [])
      .filter(({ purpose, end }) => purpose === 'reply' && end?.outcome === 'complete');
    const steps = replies.flatMap(({ end }) => stepOf(end?.usage ?? null) ?? []);
    const last = replies.at(-1);
    const at = last?.end?.at;
    return last === undefined || at === undefined || steps.length < replies.length ? [] : [{ id, at, model: modelKey(last.model), steps }];
  });
}

/** Joins the latest turns of chats, each once and oldest first. The order of calls makes no difference. */
export function latestTurns(a: readonly RecordedTurn[], b: readonly RecordedTurn[]): readonly RecordedTurn[] {
  const all = [...new Map([...a, ...b].map((turn) => [turn.id, turn])).values()];
  // Twice `LATEST`, because one chat has up to `LATEST` turns, and then needs as many of other chats.
  return all.toSorted((x, y) => (x.at === y.at ? (x.id < y.id ? -1 : 1) : x.at - y.at)).slice(-2 * LATEST);
}

function stepOf(usage: Usage | null): TurnStep | null {
  const input = usage === null ? null : reportedInput(usage);
  const output = figureValue(usage?.completionTokens ?? null);
  return input === null || output === null ? null : { input, output };
}

/** Returns the range that contains the next turn's cost in 8 of 10 cases. Null with fewer than `FEWEST_TURNS` turns. */
export function turnBand(
  own: readonly RecordedTurn[],
  others: readonly RecordedTurn[],
  next: FirstStep,
  rates: StepRates,
): TurnBand | null {
  const played = [
    ...own.slice(-LATEST).map((turn) => ({ cost: replayedCost(turn, next, rates), weight: OWN_WEIGHT })),
    ...others.slice(-LATEST).map((turn) => ({ cost: replayedCost(turn, next, rates), weight: 1 })),
  ].toSorted((a, b) => a.cost - b.cost);
  if (played.length < FEWEST_TURNS) {
    return null;
  }
  // The total includes the next turn. That turn weighs as much as a turn of this chat, or 1 if the chat has no turns.
  const all = played.reduce((sum, { weight }) => sum + weight, 0) + (own.length > 0 ? OWN_WEIGHT : 1);
  return { low: costAt(LOW * all, played), high: costAt(HIGH * all, played) };
}

/** Returns the cost of a turn that begins with the next request and continues like an earlier turn. */
function replayedCost({ steps }: RecordedTurn, { input, inputCost }: FirstStep, rates: StepRates): number {
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

/** Returns the cost at a place in the weighted order of costs. Interpolates between the two nearest costs. */
function costAt(place: number, sorted: readonly { readonly cost: number; readonly weight: number }[]): number {
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
