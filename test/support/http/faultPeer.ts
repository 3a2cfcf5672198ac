import type { Endpoint } from '../../../src/providers/endpoint.js';
import { endpointAt } from './endpoints.js';
import { FaultServer } from './faultServer.js';

export interface FaultPeer {
  readonly server: FaultServer;
  readonly endpoint: Endpoint;
}

/** Registers the hooks that start and stop a server for each test. `begin` gets the server. */
export function useFaultServer(begin: (peer: FaultPeer) => void): void {
  let server: FaultServer;
  beforeEach(async () => {
    server = await FaultServer.start();
    begin({ server, endpoint: endpointAt(server.url) });
  });
  afterEach(() => server.close());
}
