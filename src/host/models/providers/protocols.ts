import type { Capabilities } from '../../../engine/run/model.js';
import { ANTHROPIC_CAPABILITIES, ANTHROPIC_PROTOCOL } from '../../../providers/anthropic/defaults.js';
import type { Endpoint, EndpointClient } from '../../../providers/endpoint.js';
import { OPENAI_COMPATIBLE_CAPABILITIES, OPENAI_COMPATIBLE_PROTOCOL } from '../../../providers/openaiCompatible/defaults.js';
import type { ProtocolId } from './providerConfig.js';

/** What a protocol provides to its providers. */
export interface Protocol {
  /** The protocol id of models: reasoning is replayed to the same protocol only. */
  readonly protocol: string;
  readonly capabilities: Capabilities;
  /** Its name in the choice of protocols. */
  readonly label: string;
  readonly detail: string;
  /** The suggestion when a provider is added; the user may change it. */
  readonly suggestedLabel: string;
  readonly suggestedUrl: string;
  /** Loads the client's code at its first use. */
  loadClient(endpoint: Endpoint): Promise<EndpointClient>;
}

export const PROTOCOLS: Readonly<Record<ProtocolId, Protocol>> = {
  anthropic: {
    protocol: ANTHROPIC_PROTOCOL,
    capabilities: ANTHROPIC_CAPABILITIES,
    label: 'Anthropic Messages API',
    detail: 'Anthropic, and gateways with its API',
    suggestedLabel: 'Anthropic',
    suggestedUrl: 'https://api.anthropic.com',
    loadClient: async (endpoint) => new (await import('../../../providers/anthropic/anthropicClient.js')).AnthropicClient(endpoint),
  },
  'openai-compatible': {
    protocol: OPENAI_COMPATIBLE_PROTOCOL,
    capabilities: OPENAI_COMPATIBLE_CAPABILITIES,
    label: 'OpenAI-compatible chat completions',
    detail: 'OpenAI, OpenRouter, Groq, Mistral, vLLM, llama.cpp and many others',
    suggestedLabel: 'OpenAI',
    suggestedUrl: 'https://api.openai.com/v1',
    loadClient: async (endpoint) => {
      const { OpenAiCompatibleClient } = await import('../../../providers/openaiCompatible/openAiCompatibleClient.js');
      return new OpenAiCompatibleClient(endpoint);
    },
  },
};
