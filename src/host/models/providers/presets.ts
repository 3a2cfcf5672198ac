import type { Capabilities } from '../../../engine/model/model.js';
import type { ProtocolId } from './providerConfig.js';

type ToolCapabilities = Pick<Capabilities, 'toolNames' | 'toolSchemas' | 'mostTools' | 'callIds'>;

export interface Preset {
  readonly label: string;
  readonly protocol: ProtocolId;
  /** Base URL, from the provider's documentation. */
  readonly baseUrl: string;
  /** Capabilities that the provider's models add to the protocol's defaults. The settings store these per model. */
  readonly capabilities: Partial<Capabilities>;
  /** Rules for tools that differ from those of the protocol. Not stored with a model. */
  readonly tools?: Partial<ToolCapabilities>;
  /** Whether counting tokens is free, by the documentation of the address. Not stored with a model. */
  readonly freeCounts: boolean;
}

/** Providers that need only a key, in the order of the menu. */
export const PRESETS: readonly Preset[] = [
  {
    label: 'OpenAI',
    protocol: 'openai-compatible',
    baseUrl: 'https://api.openai.com/v1',
    capabilities: { cacheKey: true },
    // OpenAI accepts any first character of a name, and definitions in schemas.
    tools: {
      toolNames: { characters: 'a-zA-Z0-9_-', first: null, maxLength: 64 },
      toolSchemas: { unionsAtTop: false, references: true, propertyNames: null },
    },
    freeCounts: false,
  },
  {
    label: 'Anthropic',
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    capabilities: {
      // Documented for all models since 4.5 (November 2025):
      // https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
      toolsOnDemand: true,
      // Documented as "Claude API only", for all models, without a beta header:
      // https://platform.claude.com/docs/en/build-with-claude/cache-diagnostics
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
  {
    label: 'Mistral',
    protocol: 'openai-compatible',
    baseUrl: 'https://api.mistral.ai/v1',
    capabilities: {},
    // Mistral refuses other ids: "Tool call id was x but must be a-z, A-Z, 0-9, with a length of 9."
    tools: { callIds: 'nine' },
    freeCounts: false,
  },
  { label: 'DeepSeek', protocol: 'openai-compatible', baseUrl: 'https://api.deepseek.com', capabilities: {}, freeCounts: false },
  { label: 'Groq', protocol: 'openai-compatible', baseUrl: 'https://api.groq.com/openai/v1', capabilities: {}, freeCounts: false },
];

export function capabilitiesAt(baseUrl: string): Partial<Capabilities> {
  return PRESETS.find((preset) => preset.baseUrl === baseUrl)?.capabilities ?? {};
}

/** Returns the rules for tools at this address. The protocol's defaults supply the rest. */
export function toolRulesAt(baseUrl: string): Partial<ToolCapabilities> {
  return PRESETS.find((preset) => preset.baseUrl === baseUrl)?.tools ?? {};
}

/** Whether counting tokens is free at this address, by the provider's documentation. */
export function countsForFree(baseUrl: string): boolean {
  return PRESETS.some((preset) => preset.baseUrl === baseUrl && preset.freeCounts);
}
