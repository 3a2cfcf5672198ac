import { type Prices, billedPrices } from '../../../engine/model/price.js';
import { isIn, periodAt } from '../../../engine/accounting/periods.js';
import type { LocalTime } from '../../../engine/accounting/usedAttempt.js';
import type { Finding, Observations } from '../../../engine/cacheMonitor/cacheMonitor.js';
import { chargedMore, type ChargeChange, type Charges } from '../../../engine/cacheMonitor/charges.js';
import { lostCost, otherLifetimeCost, type OtherLifetime } from '../../../engine/cacheMonitor/otherLifetimes.js';
import type { MonitoredRequest } from '../../../engine/cacheMonitor/trials.js';
import { counted, countedAs, price, tokens } from '../../../protocol/numbers.js';
import type { ObservationView } from '../../../protocol/forecast.js';
import { shareInWords } from '../../models/modelTexts.js';
import { modelKey, type ModelRef } from '../../../engine/model/modelRef.js';
import type { Clock } from '../../../engine/ports.js';
import type { ModelRegistry } from '../../models/registry.js';
import type { ExpectedCaches } from '../../../engine/cacheMonitor/expectedCaches.js';

export interface ObservedModel {
  readonly label: string;
  /** The prices that the provider bills. Null when unknown, or when the model is free. */
  readonly prices: Prices | null;
}

export interface ViewTime {
  readonly now: number;
  readonly localTime: LocalTime;
}

export interface CacheObservations extends Observations {
  readonly charges: Charges | null;
}

/** Returns a description of how the provider's cache behaved for a model, or null when nothing was observed. */
function observationView(observed: CacheObservations, model: ObservedModel, when: ViewTime): ObservationView | null {
  const [alarm] = alarmsOf(observed, model, when).toSorted((a, b) => b.at - a.at);
  if (alarm !== undefined) {
    const { text, proofs, isOfPrices } = alarm;
    return { text, isAlarm: true, isOfPrices, proofs: newestFirst(proofs) };
  }
  // Without known rules, a request without a cache read says nothing about the cache.
  const known = observed.findings.filter(({ expected, read }) => expected !== null || read > 0);
  const [most] = known.toSorted((a, b) => b.all - a.all).toSorted((a, b) => b.early.length - a.early.length);
  return most === undefined
    ? null
    : { text: quietText(most, model, when), isAlarm: false, isOfPrices: false, proofs: newestFirst(most.early) };
}

type Proof = Pick<MonitoredRequest, 'at' | 'chatId' | 'attemptId'>;

interface Alarm extends Pick<ObservationView, 'text' | 'isOfPrices'> {
  /** In epoch milliseconds. The view shows only the latest alarm. */
  readonly at: number;
  readonly proofs: readonly Proof[];
}

function alarmsOf(
  { findings, otherLifetimes, refused, charges }: CacheObservations,
  model: ObservedModel,
  when: ViewTime,
): readonly Alarm[] {
  const change = charges?.change ?? null;
  return [
    ...otherLifetimes.map((each) => alarm(otherText(each, model, when), each.proofs)),
    ...findings.filter(({ isLatestEarly }) => isLatestEarly).map((each) => alarm(earlyText(each, model, when), each.early)),
    ...(refused.length === 0 ? [] : [alarm(refusedText(refused.length, model), refused)]),
    ...(change === null ? [] : [{ ...alarm(chargedText(change, charges?.share ?? 1, { model, when }), change.proofs), isOfPrices: true }]),
  ];
}

function alarm(text: string, proofs: readonly Proof[]): Alarm {
  return { text, isOfPrices: false, at: proofs.at(-1)?.at ?? 0, proofs };
}

function newestFirst(requests: readonly Proof[]): ObservationView['proofs'] {
  return requests.toReversed().map(({ chatId, attemptId }) => ({ chatId, attemptId }));
}

function otherText(other: OtherLifetime, { prices }: ObservedModel, when: ViewTime): string {
  const { asked, actual, proofs } = other;
  const cost = prices === null ? 0 : otherLifetimeCost(other, ofToday(proofs, when), prices);
  return `Since ${clock(proofs[0]?.at ?? 0, when)} the provider caches a ${asked} breakpoint for ${actual}${moreToday(cost)}.`;
}

function refusedText(requests: number, { label }: ObservedModel): string {
  return `The last ${counted(requests, 'request')} read nothing from the cache of ${label} and wrote nothing to it, although they have breakpoints.`;
}

function chargedText(
  change: ChargeChange,
  share: number,
  { model, when }: { readonly model: ObservedModel; readonly when: ViewTime },
): string {
  const more = moreToday(chargedMore(change, ofToday(change.proofs, when)));
  return `Since ${clock(change.proofs[0]?.at ?? 0, when)} ${model.label} charges ${shareInWords(share / change.before)} than before${more}.`;
}

function ofToday<T extends { readonly at: number }>(requests: readonly T[], { now, localTime }: ViewTime): readonly T[] {
  const today = periodAt('day', localTime(now));
  return requests.filter(({ at }) => isIn(localTime(at), today));
}

function moreToday(cost: number): string {
  return cost > 0 ? `: ${price(cost)} more today` : '';
}

function earlyText(finding: Finding, { prices }: ObservedModel, when: ViewTime): string {
  const { early, asked, expected, inTime } = finding;
  const cost = prices === null ? 0 : lostCost(ofToday(early, when), prices);
  const what = asked === null ? 'prefixes' : 'breakpoints';
  const last = early.length === 1 ? 'after' : 'the last one after';
  const although = expected === null ? '' : `, although ${span(expected)} was ${basisOf(finding)}`;
  return `${tokens(early.length)} of ${tokens(inTime)} ${what} expired too early, ${last} ${span(early.at(-1)?.gap ?? 0)}${although}${moreToday(cost)}.${shorterForecasts(finding)}`;
}

/** Returns a sentence about the shorter lifetime that forecasts use after early losses; empty if they use the usual. */
function shorterForecasts({ lifetime, expected }: Finding): string {
  return lifetime === null || expected === null || lifetime >= expected ? '' : ` Forecasts use ${span(lifetime)}.`;
}

function quietText(finding: Finding, model: ObservedModel, when: ViewTime): string {
  const { asked, lived, gone, expected, early, inTime, read, all } = finding;
  const { label } = model;
  if (asked === null && read === 0) {
    return `Requests repeated ${countedAs(all, 'prefix', 'prefixes')}, but read nothing from the cache of ${label}.`;
  }
  if (expected !== null && inTime > 0) {
    const kept = `The cache of ${label} works as promised (checked ${countedAs(inTime, 'time', 'times')}).`;
    return early.length === 0 ? kept : earlyText(finding, model, when);
  }
  const seen = [...(lived === null ? [] : [`still read after ${span(lived)}`]), ...(gone === null ? [] : [`lost after ${span(gone)}`])];
  const more =
    expected === null ? `${tokens(read)} of ${tokens(all)} prefixes were read again` : `${span(expected)} was ${basisOf(finding)}`;
  return `Cached content of ${label} was ${seen.join(' and ')}. ${more}.`;
}

/** Whether the lifetime was requested, or follows from the rules of the cache. */
function basisOf({ asked }: Finding): string {
  return asked === null ? 'expected' : 'requested';
}

/** Returns a duration, for example `4 min 50 s`, `5 min`, `1 h`, `1 h 20 min`. */
function span(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const named = hours > 0 ? [unit(hours, 'h'), unit(minutes, 'min')] : [unit(minutes, 'min'), unit(rest, 's')];
  const words = named.filter((word) => word !== '').join(' ');
  return words === '' ? '0 s' : words;
}

function unit(count: number, name: string): string {
  return count === 0 ? '' : `${String(count)} ${name}`;
}

/** Returns a time of day, for example `14:10`, with the date if it was not today. */
function clock(at: number, { now, localTime }: ViewTime): string {
  const [local, today] = [at, now].map((time) => new Date(localTime(time)).toISOString());
  const [date = '', time = ''] = [local?.slice(0, 10), local?.slice(11, 16)];
  return today?.startsWith(date) === true ? time : `${date} ${time}`;
}

export interface ObservedCachesPorts {
  readonly chats: { readonly has: (chatId: string) => boolean };
  readonly caches: Pick<ExpectedCaches, 'observations' | 'charges'>;
  readonly models: Pick<ModelRegistry, 'list'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly localTime: LocalTime;
}

/** How the caches of models behaved in the requests of all chats, also of other workspaces. */
export class ObservedCaches {
  readonly #ports: ObservedCachesPorts;

  constructor(ports: ObservedCachesPorts) {
    this.#ports = ports;
  }

  /** Returns a description of the model's cache behavior, or null when nothing was observed. */
  of(ref: ModelRef): ObservationView | null {
    const { chats, caches, models, clock, localTime } = this.#ports;
    const key = modelKey(ref);
    const model = models.list().find((each) => modelKey(each.ref) === key);
    const prices = billedPrices(model?.prices ?? null);
    const observations = caches.observations(ref);
    const view = { label: model?.label ?? key, prices };
    const charges = model === undefined ? null : caches.charges(model);
    const when = { now: clock.now(), localTime };
    if (observations === null) {
      return null;
    }
    const { findings, otherLifetimes, refused } = observations;
    const shown = observationView({ findings, otherLifetimes, refused, charges }, view, when);
    // This window cannot show requests of other workspaces and of deleted chats.
    return shown === null ? null : { ...shown, proofs: shown.proofs.filter(({ chatId }) => chats.has(chatId)) };
  }
}
