import type { Endpoint } from '../../../src/providers/endpoint.js';

/** An endpoint with the key `the-key`. No test reaches its limit on silence. */
export function endpointAt(baseUrl: string): Endpoint {
  return {
    id: 'weather',
    label: 'Weather AI',
    baseUrl,
    headers: {},
    keyHeader: null,
    silenceMs: 60_000,
    key: () => Promise.resolve('the-key'),
  };
}
