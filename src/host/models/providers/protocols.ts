import type { Capabilities } from '../../../engine/model/model.js';
import { ANTHROPIC_CAPABILITIES, ANTHROPIC_PROTOCOL } from '../../../providers/anthropic/defaults.js';
import type { Endpoint, EndpointClient } from '../../../providers/endpoint.js';
import { OPENAI_COMPATIBLE_CAPABILITIES, OPENAI_COMPATIBLE_PROTOCOL } from '../../../providers/openaiCompatible/defaults.js';
import type { ProtocolId } from './providerConfig.js';

/** What a protocol provides to its providers. */
export interface Protocol {
  /** The protocol id of models: reasoning is replayed to the same protocol only. */
  readonly protocol: string;
  readonly capabilities: Capabilities;
  /** How a server of this protocol is offered that Loupe has no address of. */
  readonly label: string;
  readonly detail: string;
  /** Loads the client's code at its first use. */
  loadClient(endpoint: Endpoint): Promise<EndpointClient>;
}

export const PROTOCOLS: Readonly<Record<ProtocolId, Protocol>> = {
  anthropic: {
    protocol: ANTHROPIC_PROTOCOL,
    capabilities: ANTHROPIC_CAPABILITIES,
    label: 'Other server with the Anthropic API',
    detail: 'Messages API: gateways and others',
    loadClient: async (endpoint) => new (await import('../../../providers/anthropic/anthropicClient.js')).AnthropicClient(endpoint),
  },
  'openai-compatible': {
    protocol: OPENAI_COMPATIBLE_PROTOCOL,
    capabilities: OPENAI_COMPATIBLE_CAPABILITIES,
    label: 'Other server with the OpenAI API',
    detail: 'Chat Completions: vLLM, llama.cpp, LiteLLM, gateways and many others',
    loadClient: async (endpoint) => {
      const { OpenAiCompatibleClient } = await import('../../../providers/openaiCompatible/openAiCompatibleClient.js');
      return new OpenAiCompatibleClient(endpoint);
    },
  },
};
