import type { Capabilities } from '../../../engine/model/model.js';
import type { ProtocolId } from './providerConfig.js';

/** A provider whose protocol and address are known. */
export interface Preset {
  readonly label: string;
  readonly protocol: ProtocolId;
  /** As the provider documents it. */
  readonly baseUrl: string;
  /** What its models can do beyond the protocol's own capabilities. The settings keep it with each model that is added. */
  readonly capabilities: Partial<Capabilities>;
  /** Whether it documents that counting tokens is free. That holds at this address alone, so no model keeps it. */
  readonly freeCounts: boolean;
}

/** The providers that a user only has to give a key for, in the order in which they are offered. */
export const PRESETS: readonly Preset[] = [
  {
    label: 'OpenAI',
    protocol: 'openai-compatible',
    baseUrl: 'https://api.openai.com/v1',
    capabilities: { cacheKey: true },
    freeCounts: false,
  },
  {
    label: 'Anthropic',
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    capabilities: {
      // All of its models since 4.5, of November 2025: https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
      toolsOnDemand: true,
      // "Claude API only", without a beta header, for all of its models: https://platform.claude.com/docs/en/build-with-claude/cache-diagnostics
      cacheDiagnostics: true,
    },
    // "Token counting is free to use": https://platform.claude.com/docs/en/build-with-claude/token-counting
    freeCounts: true,
  },
  {
    label: 'Google Gemini',
    protocol: 'openai-compatible',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    capabilities: {},
    freeCounts: false,
  },
  { label: 'OpenRouter', protocol: 'openai-compatible', baseUrl: 'https://openrouter.ai/api/v1', capabilities: {}, freeCounts: false },
  { label: 'Mistral', protocol: 'openai-compatible', baseUrl: 'https://api.mistral.ai/v1', capabilities: {}, freeCounts: false },
  { label: 'DeepSeek', protocol: 'openai-compatible', baseUrl: 'https://api.deepseek.com', capabilities: {}, freeCounts: false },
  { label: 'Groq', protocol: 'openai-compatible', baseUrl: 'https://api.groq.com/openai/v1', capabilities: {}, freeCounts: false },
];

/** What is known of the models at an address. */
export function capabilitiesAt(baseUrl: string): Partial<Capabilities> {
  return PRESETS.find((preset) => preset.baseUrl === baseUrl)?.capabilities ?? {};
}

/** Whether the provider at an address documents that counting tokens is free. */
export function countsForFree(baseUrl: string): boolean {
  return PRESETS.some((preset) => preset.baseUrl === baseUrl && preset.freeCounts);
}
