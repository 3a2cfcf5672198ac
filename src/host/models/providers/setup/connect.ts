import type { EndpointClient } from '../../../../providers/endpoint.js';
import { endpointOf } from '../configuredProviders.js';
import { providerOf, type Answers, type SetupPorts } from './answers.js';

/** The client of the drafted provider, with the key of the answers or the one stored for its address. */
export async function connect(answers: Answers, { protocols, keys }: SetupPorts): Promise<EndpointClient> {
  const provider = providerOf(answers, []);
  const key = async (): Promise<string | null> => {
    const isStored = answers.key === null && answers.existing !== null && (await keys.has(provider));
    return isStored ? keys.get(provider) : answers.key;
  };
  return protocols[answers.protocol].loadClient(endpointOf(provider, key));
}
