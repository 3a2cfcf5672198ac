import { sumOfCacheParts } from '../../../src/protocol/forecast.js';
import type { BlockView } from '../../../src/protocol/panel/requestRows.js';
import type { RowSize } from './rowFigures.js';

export function sizeOf(blocks: readonly BlockView[]): RowSize {
  return { tokens: blocks.reduce((sum, { tokens }) => sum + tokens, 0), cache: sumOfCacheParts(blocks.map(({ cache }) => cache)) };
}
