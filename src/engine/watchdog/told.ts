import { inputTokens, type Figure, type Usage } from '../accounting/usage.js';

/** What a provider said that its cache did with a request, in tokens. */
export interface Told {
  readonly read: number;
  /** Null where it says nothing of writing. */
  readonly written: number | null;
  /** The whole input; null when it is not reported. */
  readonly input: number | null;
}

/** Null where the provider said nothing of its cache. What Loupe counted itself is no evidence. */
export function toldBy(usage: Usage | null): Told | null {
  const read = reported(usage?.cacheReadInputTokens ?? null);
  const written = reported(usage?.cacheCreationInputTokens ?? null);
  if (usage === null || (read === null && written === null)) {
    return null;
  }
  return { read: read ?? 0, written, input: inputTokens(usage) };
}

/** A count below 0 is none. */
function reported(figure: Figure | null): number | null {
  return figure?.source === 'reported' && figure.value >= 0 ? figure.value : null;
}
