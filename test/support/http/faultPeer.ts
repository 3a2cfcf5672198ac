import type { Endpoint } from '../../../src/providers/endpoint.js';
import { endpointAt } from './endpoints.js';
import { FaultServer } from './faultServer.js';

/** A server of its own for each test, and the endpoint there. */
export interface FaultPeer {
  readonly server: FaultServer;
  readonly endpoint: Endpoint;
}

/** Registers the hooks that start and close the server of each test of a suite. `begin` gets it. */
export function useFaultServer(begin: (peer: FaultPeer) => void): void {
  let server: FaultServer;
  beforeEach(async () => {
    server = await FaultServer.start();
    begin({ server, endpoint: endpointAt(server.url) });
  });
  afterEach(() => server.close());
}
