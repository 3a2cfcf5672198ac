export type { ExclusionPrice, ExclusionPrices } from '../../engine/next/exclusionPrices.js';

export interface ExcludedTurnView {
  /** Id of the user message that begins the turn. */
  readonly id: string;
  /** The beginning of the user message, on one line. */
  readonly label: string;
  readonly tokens: number;
  /** Whether requests still contain the turn, until the prompt is rebuilt. */
  readonly isHeld: boolean;
}

export interface ExcludedTurns {
  readonly total: number;
  /** The newest turns, newest first, at most `MOST_LISTED_ITEMS`. */
  readonly first: readonly ExcludedTurnView[];
}
