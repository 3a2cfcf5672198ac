import { inputTokens, type Usage } from '../../../engine/model/usage.js';
import { reportedLifetimes } from '../../../engine/cache/toldLifetimes.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import { GOOD_FORECAST } from '../../../engine/diagnosis/forecastAccuracy.js';
import { isCut, isSound } from '../../../engine/tokens/calibration.js';
import { lessonOf } from '../../../engine/chat/lesson.js';
import { signedTokens, tokens } from '../../../protocol/numbers.js';
import { isObject, type Json } from '../../../engine/json.js';

/* Sentences about unusual usage figures of a provider, for the details of a verdict. */

/** Returns a text if the reported input differs from Loupe's count, with the effect on later counts. */
export function miscount(attempt: AttemptState, usage: Usage): readonly string[] {
  const { size } = attempt.manifest;
  const input = inputTokens(usage);
  if (input === null || Math.abs(size.tokens - input) <= GOOD_FORECAST * input) {
    return [];
  }
  return [`Loupe counted ${tokens(size.tokens)} tokens, the provider reported ${tokens(input)}. ${effectOnLaterCounts(attempt)}`];
}

/** Describes how a wrong count changes later counts. */
function effectOnLaterCounts(attempt: AttemptState): string {
  const { samples } = lessonOf(attempt);
  if (samples.some(isSound)) {
    return 'Loupe corrects later counts.';
  }
  if (samples.some(isCut)) {
    return 'The server has probably cut the request, so Loupe does not correct later counts.';
  }
  if (attempt.manifest.size.basis === 'exact') {
    return 'Loupe does not correct later counts, because the counter of the model is set as exact.';
  }
  return samples.length > 0 ? 'The difference is too large to correct later counts.' : 'Loupe does not correct estimates from characters.';
}

/** Returns a text about breakpoints whose reported cache lifetime differs from the requested lifetime. */
export function servedOtherwise({ manifest: { marks } }: AttemptState, usage: Usage): readonly string[] {
  return reportedLifetimes(marks, usage)
    .filter((each) => each.actual !== each.asked)
    .map((each) => `The ${each.asked} breakpoint was cached for ${each.actual}.`);
}

/** Returns texts about impossible token counts, and about counts that the provider lowered during the reply. */
export function oddFigures({ end }: AttemptState): readonly string[] {
  const impossible = impossibleFigures(end?.rawUsage ?? null).map(
    ({ name, value }) => `The provider reported ${signedTokens(value)} for ${name}, an impossible value that Loupe ignores.`,
  );
  const shrunk = (end?.shrunk ?? []).map(({ name, earlier, later }) =>
    later < 0
      ? `The provider reported ${tokens(earlier)} and then ${signedTokens(later)} for ${name}. The last value is impossible, so Loupe uses the first.`
      : `The provider reported ${tokens(earlier)} and then ${tokens(later)} for ${name}. Loupe uses the last value.`,
  );
  return [...impossible, ...shrunk];
}

interface ImpossibleFigure {
  /** The path of the member in the provider's usage object, such as `prompt_tokens_details.cached_tokens`. */
  readonly name: string;
  readonly value: number;
}

/** Returns the impossible counts in a provider's usage object. Elsewhere Loupe treats these counts as unknown. */
export function impossibleFigures(raw: Json): readonly ImpossibleFigure[] {
  if (!isObject(raw)) {
    return [];
  }
  return Object.entries(raw).flatMap(([name, value]): readonly ImpossibleFigure[] => {
    if (typeof value === 'number') {
      return value < 0 ? [{ name, value }] : [];
    }
    return impossibleFigures(value).map((inner) => ({ ...inner, name: `${name}.${inner.name}` }));
  });
}
