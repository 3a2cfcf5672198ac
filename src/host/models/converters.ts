import type { Convert, ConverterModel } from '../../engine/model/model.js';
import { ANTHROPIC_CAPABILITIES, ANTHROPIC_PROTOCOL } from '../../providers/anthropic/defaults.js';
import { OPENAI_COMPATIBLE_CAPABILITIES, OPENAI_COMPATIBLE_PROTOCOL } from '../../providers/openaiCompatible/defaults.js';
import { PRACTICE_PROTOCOL, PRACTICE_STANDARD } from '../../providers/practice/models.js';
import { LANGUAGE_MODEL_CAPABILITIES } from './languageModels/languageModelSource.js';
import { VSCODE_PROTOCOL } from './languageModels/wire.js';

/** Converts prompts to the wire format of a protocol, even without a configured model of this protocol. */
export interface Converter {
  readonly convert: Convert;
  /** The protocol's default capabilities, for a model with unknown capabilities. */
  readonly capabilities: ConverterModel['capabilities'];
}

/** The converters by protocol. A converter is loaded at its first use. */
const CONVERTERS: Readonly<Record<string, () => Promise<Converter>>> = {
  [ANTHROPIC_PROTOCOL]: async () => ({
    convert: (await import('../../providers/anthropic/convert.js')).convert,
    capabilities: ANTHROPIC_CAPABILITIES,
  }),
  [OPENAI_COMPATIBLE_PROTOCOL]: async () => ({
    convert: (await import('../../providers/openaiCompatible/convert.js')).convert,
    capabilities: OPENAI_COMPATIBLE_CAPABILITIES,
  }),
  [PRACTICE_PROTOCOL]: async () => ({
    convert: (await import('../../providers/practice/convert.js')).convert,
    capabilities: PRACTICE_STANDARD.capabilities,
  }),
  [VSCODE_PROTOCOL]: async () => ({
    convert: (await import('./languageModels/convert.js')).convert,
    capabilities: LANGUAGE_MODEL_CAPABILITIES,
  }),
};

export async function loadConverter(protocol: string): Promise<Converter | null> {
  return Object.hasOwn(CONVERTERS, protocol) ? (CONVERTERS[protocol]?.() ?? null) : null;
}
