import { priceText } from '../accounting/dollars.js';
import { figureValue, inputTokens, type Usage } from '../accounting/usage.js';
import { modelKey } from './config.js';
import type { AttemptState } from './slices/attempts.js';

/** In Swedish a date is written as in ISO 8601: `2026-11-21 14:02`. */
const TIME = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' });
const TOKENS = new Intl.NumberFormat('en-US');

/**
 * A line of Markdown about a reply: its model, when it was asked, tokens and price. Figures that are not known are not
 * in it; empty without a record of the request.
 */
export function exportedFigures(attempt: AttemptState | undefined): string[] {
  if (attempt === undefined) {
    return [];
  }
  const { model, startedAt, end } = attempt;
  const cost = end?.cost ?? null;
  const figures = [...tokens(end?.usage ?? null), ...(cost === null ? [] : [priceText(cost.usd)])];
  return [`*${[modelKey(model), `${TIME.format(startedAt)} UTC`, ...figures].join(' · ')}*`];
}

function tokens(usage: Usage | null): string[] {
  if (usage === null) {
    return [];
  }
  const figures: readonly (readonly [count: number | null, what: string])[] = [
    [inputTokens(usage), 'in'],
    [figureValue(usage.cacheReadInputTokens), 'cached'],
    [figureValue(usage.cacheCreationInputTokens), 'written'],
    [figureValue(usage.completionTokens), 'out'],
  ];
  return figures.flatMap(([count, what]) => (count === null ? [] : [`${TOKENS.format(count)} ${what}`]));
}
