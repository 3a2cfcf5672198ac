import type { Endpoint } from '../../../src/providers/endpoint.js';

/** An endpoint for tests, with the key `the-key` and a limit on silence that no test reaches. */
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
