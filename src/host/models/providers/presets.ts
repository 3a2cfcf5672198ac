import type { ProtocolId } from './providerConfig.js';

/** A provider whose protocol and address are known. */
export interface Preset {
  readonly label: string;
  readonly protocol: ProtocolId;
  /** As the provider documents it. */
  readonly baseUrl: string;
}

/** The providers that a user only has to give a key for, in the order in which they are offered. */
export const PRESETS: readonly Preset[] = [
  { label: 'OpenAI', protocol: 'openai-compatible', baseUrl: 'https://api.openai.com/v1' },
  { label: 'Anthropic', protocol: 'anthropic', baseUrl: 'https://api.anthropic.com' },
  { label: 'Google Gemini', protocol: 'openai-compatible', baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  { label: 'OpenRouter', protocol: 'openai-compatible', baseUrl: 'https://openrouter.ai/api/v1' },
  { label: 'Mistral', protocol: 'openai-compatible', baseUrl: 'https://api.mistral.ai/v1' },
  { label: 'DeepSeek', protocol: 'openai-compatible', baseUrl: 'https://api.deepseek.com' },
  { label: 'Groq', protocol: 'openai-compatible', baseUrl: 'https://api.groq.com/openai/v1' },
];
