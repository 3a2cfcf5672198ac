import type { Prices } from '../../engine/accounting/price.js';
import { isIn, periodAt } from '../../engine/accounting/periods.js';
import type { LocalTime } from '../../engine/accounting/usedAttempt.js';
import { TTL_SECONDS } from '../../engine/cache/cacheRules.js';
import { chargedMore, type ChargeChange, type Charges } from '../../engine/watchdog/charges.js';
import type { Change, Finding } from '../../engine/watchdog/finding.js';
import type { Trial } from '../../engine/watchdog/trial.js';
import { lostCost } from '../../engine/watchdog/lostCost.js';
import { otherwiseCost, type ToldOtherwise } from '../../engine/watchdog/toldOtherwise.js';
import type { Observations } from '../../engine/watchdog/watchdog.js';
import { counted, price, tokens } from '../../protocol/numbers.js';
import type { ObservationView } from '../../protocol/observation.js';
import { shareInWords } from '../models/modelTexts.js';

export interface ObservedModel {
  readonly label: string;
  /** What is billed; null without prices, and when they are not billed. */
  readonly prices: Prices | null;
}

export interface When {
  readonly now: number;
  readonly localTime: LocalTime;
}

export interface Observed extends Observations {
  readonly charges: Charges | null;
}

/** What a provider did for a model, in words; null where nothing was observed that tells of a lifetime, a minimum or a change. */
export function observationView(observed: Observed, model: ObservedModel, when: When): ObservationView | null {
  const { findings } = observed;
  const [alarm] = alarmsOf(observed, model, when).toSorted((a, b) => b.since - a.since);
  if (alarm !== undefined) {
    const { text, proofs, isOfPrices } = alarm;
    return { text, isAlarm: true, isOfPrices, proofs: newestFirst(proofs) };
  }
  const [most] = findings.toSorted((a, b) => b.observations - a.observations);
  const text = most === undefined ? null : quietText(most, model);
  return most === undefined || text === null ? null : { text, isAlarm: false, isOfPrices: false, proofs: newestFirst(most.early) };
}

interface Alarm extends Pick<ObservationView, 'text' | 'isOfPrices'> {
  readonly since: number;
  /** In the order in which they were sent. */
  readonly proofs: readonly Pick<Trial, 'chatId' | 'attemptId'>[];
}

function alarmsOf({ findings, toldOtherwise, charges }: Observed, model: ObservedModel, when: When): readonly Alarm[] {
  const told = toldOtherwise.map((each) => ({ text: toldText(each, model, when), isOfPrices: false, ...since(each.proofs) }));
  const changed = findings.flatMap((finding) => {
    const { change } = finding;
    return change === null ? [] : [{ text: changeText({ finding, change }, model, when), isOfPrices: false, ...since(change.proofs) }];
  });
  const charged = charges?.change ?? null;
  return charged === null
    ? [...told, ...changed]
    : [
        ...told,
        ...changed,
        { text: chargedText(charged, charges?.share ?? 1, { model, when }), isOfPrices: true, ...since(charged.proofs) },
      ];
}

function since<T extends { readonly at: number }>(proofs: readonly T[]): { readonly since: number; readonly proofs: readonly T[] } {
  return { since: proofs[0]?.at ?? 0, proofs };
}

function newestFirst(requests: readonly Pick<Trial, 'chatId' | 'attemptId'>[]): ObservationView['proofs'] {
  return requests.toReversed().map(({ chatId, attemptId }) => ({ chatId, attemptId }));
}

function toldText(told: ToldOtherwise, { prices, label }: ObservedModel, when: When): string {
  const { asked, isChange, proofs } = told;
  const cost = prices === null ? 0 : otherwiseCost(told, ofToday(proofs, when), prices);
  return isChange
    ? `Since ${clock(proofs[0]?.at ?? 0, when)} the ${asked} mark is served as ${told.told}${moreToday(cost)}.`
    : `${label} serves the ${asked} mark as ${told.told}, by its own figures${moreToday(cost)}. ${counted(proofs.length, 'request')}.`;
}

function chargedText(change: ChargeChange, share: number, { model, when }: { readonly model: ObservedModel; readonly when: When }): string {
  const more = moreToday(chargedMore(change, ofToday(change.proofs, when)));
  return `Since ${clock(change.proofs[0]?.at ?? 0, when)} ${model.label} charges ${shareInWords(share / change.before)} than before${more}.`;
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
      ? ['About half of them ended early.']
      : early.length === 0
        ? []
        : [`${tokens(early.length)} of them ended early.`];
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

function changeText({ finding, change }: { finding: Finding; change: Change }, { prices }: ObservedModel, when: When): string {
  const cost = prices === null ? 0 : lostCost(ofToday(change.proofs, when), prices);
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
