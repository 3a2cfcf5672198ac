import type { RateFigures } from '../engine/model/price.js';

/**
 * Fills in missing rates. Null without an input price or output price. Cache prices default to the input price, because
 * providers without cache prices bill cached tokens as input. The price of a one-hour write defaults to the price of a
 * five-minute write, because a provider with a single write price uses this price for both.
 */
export function fullRates(known: { readonly [K in keyof RateFigures]?: number | null | undefined }): RateFigures | null {
  const { input, output } = known;
  if (typeof input !== 'number' || typeof output !== 'number') {
    return null;
  }
  const cacheWrite5m = known.cacheWrite5m ?? input;
  return { input, output, cacheRead: known.cacheRead ?? input, cacheWrite5m, cacheWrite1h: known.cacheWrite1h ?? cacheWrite5m };
}

/** Returns the rates without the cache prices that `fullRates` fills in. */
export function statedRates({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: RateFigures): Partial<RateFigures> {
  return {
    input,
    output,
    ...(cacheRead === input ? {} : { cacheRead }),
    ...(cacheWrite5m === input ? {} : { cacheWrite5m }),
    ...(cacheWrite1h === cacheWrite5m ? {} : { cacheWrite1h }),
  };
}
