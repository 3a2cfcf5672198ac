import type { EndpointClient } from '../../../providers/endpoint.js';
import { endpointOf } from '../configuredProviders.js';
import { draftProvider, type Draft, type SetupPorts } from './draft.js';

/** The client of the provider that the draft describes, with the draft's key, or the one stored for its address. */
export async function connect(draft: Draft, { protocols, keys }: SetupPorts): Promise<EndpointClient> {
  const provider = draftProvider(draft, []);
  const key = async (): Promise<string | null> => {
    const isStored = draft.key === null && draft.existing !== null && (await keys.has(provider));
    return isStored ? keys.get(provider) : draft.key;
  };
  return protocols[draft.protocol].loadClient(endpointOf(provider, key));
}
