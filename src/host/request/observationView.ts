import type { Rates } from '../../engine/accounting/price.js';
import { isIn, periodAt } from '../../engine/accounting/periods.js';
import type { LocalTime } from '../../engine/accounting/usedAttempt.js';
import { TTL_SECONDS } from '../../engine/cache/cacheRules.js';
import type { Change, Finding } from '../../engine/watchdog/finding.js';
import type { Trial } from '../../engine/watchdog/trial.js';
import { lostCost } from '../../engine/watchdog/lostCost.js';
import { otherwiseCost, type ToldOtherwise } from '../../engine/watchdog/toldOtherwise.js';
import type { Observations } from '../../engine/watchdog/watchdog.js';
import { counted, price, tokens } from '../../protocol/numbers.js';
import type { ObservationView } from '../../protocol/observation.js';

export interface ObservedModel {
  readonly label: string;
  /** What is billed; null without prices, and where nobody bills them. */
  readonly rates: Rates | null;
}

export interface When {
  readonly now: number;
  readonly localTime: LocalTime;
}

/** What the cache of a model did, in words; null where nothing was observed that tells of a lifetime or a minimum. */
export function observationView({ findings, toldOtherwise }: Observations, model: ObservedModel, when: When): ObservationView | null {
  // What the provider itself says needs no other proof.
  const [told] = toldOtherwise.toSorted((a, b) => lastOf(b) - lastOf(a));
  if (told !== undefined) {
    return { text: toldText(told, model, when), isAlarm: true, proofs: newestFirst(told.proofs) };
  }
  const changed = findings.flatMap((finding) => (finding.change === null ? [] : [{ finding, change: finding.change }]));
  const [latest] = changed.toSorted((a, b) => b.change.since - a.change.since);
  if (latest !== undefined) {
    return { text: changeText(latest, model, when), isAlarm: true, proofs: newestFirst(latest.change.proofs) };
  }
  const [most] = findings.toSorted((a, b) => b.observations - a.observations);
  const text = most === undefined ? null : quietText(most, model);
  return most === undefined || text === null ? null : { text, isAlarm: false, proofs: newestFirst(most.early) };
}

function newestFirst(requests: readonly Pick<Trial, 'chatId' | 'attemptId'>[]): ObservationView['proofs'] {
  return requests.toReversed().map(({ chatId, attemptId }) => ({ chatId, attemptId }));
}

function lastOf({ proofs }: ToldOtherwise): number {
  return proofs.at(-1)?.at ?? 0;
}

function toldText(told: ToldOtherwise, { rates, label }: ObservedModel, when: When): string {
  const { asked, isChange, proofs } = told;
  const cost = rates === null ? 0 : otherwiseCost(told, ofToday(proofs, when), rates);
  return isChange
    ? `Since ${clock(proofs[0]?.at ?? 0, when)} the ${asked} mark is served as ${told.told}${moreToday(cost)}.`
    : `${label} serves the ${asked} mark as ${told.told}, by its own figures${moreToday(cost)}. ${counted(proofs.length, 'request')}.`;
}

function ofToday<T extends { readonly at: number }>(requests: readonly T[], { now, localTime }: When): readonly T[] {
  const today = periodAt('day', localTime(now));
  return requests.filter(({ at }) => isIn(localTime(at), today));
}

function moreToday(cost: number): string {
  return cost > 0 ? `: ${price(cost)} more today` : '';
}

function quietText(finding: Finding, { label }: ObservedModel): string | null {
  const { observations, served, early } = finding;
  const whole = `${tokens(observations)} ${observations === 1 ? 'observation' : 'observations'}.`;
  if (served?.minimum === Infinity) {
    return finding.expected === null && !finding.isOther
      ? null
      : `Nothing is kept in the cache of ${label} here, though it should be. ${whole}`;
  }
  const lived = livedText(finding);
  if (lived === null) {
    return null;
  }
  const lost =
    served?.isErratic === true
      ? [`About half of them ended early.`]
      : early.length === 0
        ? []
        : [`${counted(early.length, 'of them').replace(/s$/u, '')} ended early.`];
  return [`Caches of ${label} ${lived}${askedText(finding)}.`, ...minimumText(finding), ...lost, whole].join(' ');
}

/** Between the longest time that one lived and the shortest after which one was gone, as far as they were seen. */
function livedText({ lived, gone }: Finding): string | null {
  if (lived === null) {
    return gone === null ? null : `ended within ${span(gone)} here`;
  }
  return gone === null
    ? `lived at least ${span(lived)} here`
    : `lived ${span(Math.min(lived, gone))} to ${span(Math.max(lived, gone))} here`;
}

function askedText(finding: Finding): string {
  const { expected, served, asked } = finding;
  if (expected === null || served === null) {
    return '';
  }
  if (served.lifetime === expected.lifetime) {
    return asked === null ? ', as expected' : ', as asked';
  }
  return `, where ${expectedText(finding)}`;
}

function expectedText({ asked, expected }: Finding): string {
  return asked === null ? `${span(expected?.lifetime ?? 0)} was expected` : `${span(TTL_SECONDS[asked] * 1_000)} was asked`;
}

function minimumText({ served, expected }: Finding): readonly string[] {
  return served === null || expected === null || served.minimum === expected.minimum
    ? []
    : [`Only what has ${tokens(Math.round(served.minimum))} tokens or more is kept, where ${tokens(expected.minimum)} were expected.`];
}

function changeText({ finding, change }: { finding: Finding; change: Change }, { rates }: ObservedModel, when: When): string {
  const cost = rates === null ? 0 : lostCost(ofToday(change.proofs, when), rates);
  return `Since ${clock(change.since, when)} ${whatChanged(finding, change)}${moreToday(cost)}.`;
}

function whatChanged(finding: Finding, { before }: Change): string {
  const { served, gone, asked, expected } = finding;
  if (served?.isErratic === true) {
    return 'about half of what is cached ends early';
  }
  if (served === null || served.minimum === Infinity) {
    return 'nothing is kept in the cache';
  }
  if (served.minimum > before.minimum && served.lifetime >= before.lifetime) {
    return `only what has ${tokens(Math.round(served.minimum))} tokens or more is kept in the cache`;
  }
  const after = served.lifetime > 0 ? served.lifetime : (gone ?? 0);
  const usual = asked === null || expected?.lifetime !== before.lifetime ? `${span(before.lifetime)} was usual` : expectedText(finding);
  return `caches end after ${span(after)} where ${usual}`;
}

/** `4 min 50 s`, `5 min`, `1 h`, `1 h 20 min`. */
function span(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) {
    return 'longer';
  }
  const seconds = Math.round(milliseconds / 1_000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const named = hours > 0 ? [unit(hours, 'h'), unit(minutes, 'min')] : [unit(minutes, 'min'), unit(rest, 's')];
  const words = named.filter((word) => word !== '').join(' ');
  return words === '' ? '0 s' : words;
}

function unit(count: number, name: string): string {
  return count === 0 ? '' : `${String(count)} ${name}`;
}

/** `14:10`; before today with its date. */
function clock(at: number, { now, localTime }: When): string {
  const [local, today] = [at, now].map((time) => new Date(localTime(time)).toISOString());
  const [date = '', time = ''] = [local?.slice(0, 10), local?.slice(11, 16)];
  return today?.startsWith(date) === true ? time : `${date} ${time}`;
}
