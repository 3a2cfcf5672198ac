import type { Capabilities } from '../../../engine/model/model.js';
import { anthropicCapabilities, ANTHROPIC_PROTOCOL } from '../../../providers/anthropic/defaults.js';
import type { Endpoint, EndpointClient } from '../../../providers/endpoint.js';
import { OPENAI_COMPATIBLE_CAPABILITIES, OPENAI_COMPATIBLE_PROTOCOL } from '../../../providers/openaiCompatible/defaults.js';
import type { ProtocolId } from './providerConfig.js';

export interface Protocol {
  /** Id of the wire protocol. Loupe sends reasoning back only to models with the same protocol id. */
  readonly protocol: string;
  readonly capabilities: (modelId: string) => Capabilities;
  /** The menu entry that adds a server without a preset. */
  readonly label: string;
  readonly detail: string;
  loadClient(endpoint: Endpoint): Promise<EndpointClient>;
}

export const PROTOCOLS: Readonly<Record<ProtocolId, Protocol>> = {
  anthropic: {
    protocol: ANTHROPIC_PROTOCOL,
    capabilities: anthropicCapabilities,
    label: 'Other server with the Anthropic API',
    detail: 'Messages API: gateways and others',
    loadClient: async (endpoint) => new (await import('../../../providers/anthropic/anthropicClient.js')).AnthropicClient(endpoint),
  },
  'openai-compatible': {
    protocol: OPENAI_COMPATIBLE_PROTOCOL,
    capabilities: () => OPENAI_COMPATIBLE_CAPABILITIES,
    label: 'Other server with the OpenAI API',
    detail: 'Chat Completions: vLLM, llama.cpp, LiteLLM, gateways and many others',
    loadClient: async (endpoint) => {
      const { OpenAiCompatibleClient } = await import('../../../providers/openaiCompatible/openAiCompatibleClient.js');
      return new OpenAiCompatibleClient(endpoint);
    },
  },
};
