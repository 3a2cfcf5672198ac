import type { Model } from '../../../src/engine/model/model.js';
import { fixedSource, type ProviderSource } from '../../../src/host/models/registry.js';
import { OpenAiCompatibleClient } from '../../../src/providers/openaiCompatible/openAiCompatibleClient.js';
import { endpointAt } from './compatibleServer.js';

export function houseAt(origin: string, model: Model): ProviderSource {
  const loadClient = (): Promise<OpenAiCompatibleClient> => Promise.resolve(new OpenAiCompatibleClient(endpointAt(origin, {})));
  return fixedSource([{ id: 'house', label: 'House', countsTokens: false, models: [model], loadClient }]);
}
