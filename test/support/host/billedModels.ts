import type { Prices } from '../../../src/engine/model/price.js';
import type { Model } from '../../../src/engine/model/model.js';
import { PRACTICE_MODELS } from '../../../src/providers/practice/models.js';

export const BILLED_PRICES: Prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };

export const BILLED_MODELS: readonly Model[] = PRACTICE_MODELS.map((model) => ({ ...model, prices: BILLED_PRICES }));
