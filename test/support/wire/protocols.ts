import type { Prompt } from '../../../src/engine/model/prompt.js';
import type { Capabilities, Model } from '../../../src/engine/model/model.js';
import { convert as convertAnthropic } from '../../../src/providers/anthropic/convert.js';
import { ANTHROPIC_CAPABILITIES, ANTHROPIC_PROTOCOL } from '../../../src/providers/anthropic/defaults.js';
import { convert as convertOpenAi } from '../../../src/providers/openaiCompatible/convert.js';
import { OPENAI_COMPATIBLE_CAPABILITIES, OPENAI_COMPATIBLE_PROTOCOL } from '../../../src/providers/openaiCompatible/defaults.js';
import { OPEN_MODEL } from '../engine/models.js';
import { anthropicFaults } from './anthropicFaults.js';
import { anthropicItems } from './anthropicItems.js';
import { anthropicDifferences, openAiDifferences } from './differences.js';
import { isLoose, isText, type Loose } from './loose.js';
import { functionOf } from './openAiDocument.js';
import { openAiFaults } from './openAiFaults.js';
import { openAiItems } from './openAiItems.js';
import { promptItems } from './promptItems.js';
import { IMAGES } from './randomChats.js';
import { signature } from './signatures.js';

const ANTHROPIC: Model = {
  ...OPEN_MODEL,
  ref: { provider: 'a-house', model: 'thinker' },
  protocol: ANTHROPIC_PROTOCOL,
  capabilities: ANTHROPIC_CAPABILITIES,
};

const OPEN_AI: Model = {
  ...OPEN_MODEL,
  ref: { provider: 'o-house', model: 'talker' },
  protocol: OPENAI_COMPATIBLE_PROTOCOL,
  capabilities: OPENAI_COMPATIBLE_CAPABILITIES,
};

/** The models of the chats: both targets, and another one of each protocol. */
export const ORIGINS = [ANTHROPIC, OPEN_AI].flatMap(({ protocol, ref }) => [
  { protocol, model: ref.model },
  { protocol, model: 'another' },
]);

export interface Asked {
  readonly capabilities: Partial<Capabilities>;
  readonly extraBody: { readonly thinking?: { readonly type: string; readonly budget_tokens?: number } };
}

/** Whether thinking is disabled, its budget exceeds the output limit, or no tool may be called. */
function isWithoutReasoning({ thinking, max_tokens: most, tool_choice: choice }: Loose, { extraBody }: Asked): boolean {
  const budget = extraBody.thinking?.budget_tokens;
  const isDisabled = isLoose(thinking) && thinking['type'] === 'disabled';
  const isUnfit = budget !== undefined && budget >= Number(most);
  return isDisabled || isUnfit || (isLoose(choice) && choice['type'] === 'none');
}

/** A tool in a body. Its description is empty when missing or blank. */
export interface WireTool {
  readonly name: unknown;
  readonly description: unknown;
  readonly schema: unknown;
}

function described(description: unknown): unknown {
  return isText(description) && description.trim() !== '' ? description : '';
}

function toolsIn({ tools }: Loose): readonly Loose[] {
  return Array.isArray(tools) ? tools.filter(isLoose) : [];
}

/** A wire protocol: its converter, its validator, and the comparison of a body with its prompt. */
export interface Protocol {
  readonly name: string;
  readonly model: Model;
  readonly convert: typeof convertAnthropic;
  faults(body: Loose): string[];
  tools(body: Loose): readonly WireTool[];
  differences(prompt: Prompt, body: Loose, asked: Asked): string[];
}

export const PROTOCOLS: readonly Protocol[] = [
  {
    name: 'Anthropic',
    model: ANTHROPIC,
    convert: convertAnthropic,
    faults: (body) =>
      anthropicFaults(body, {
        isOwnSignature: (made, text) => made === signature({ protocol: ANTHROPIC.protocol, model: ANTHROPIC.ref.model }, text),
      }),
    tools: (body) =>
      toolsIn(body).map(({ name, description, input_schema: schema }) => ({ name, description: described(description), schema })),
    differences: (prompt, body, asked) =>
      anthropicDifferences(promptItems(prompt, IMAGES), anthropicItems(body), isWithoutReasoning(body, asked)),
  },
  {
    name: 'OpenAI-compatible',
    model: OPEN_AI,
    convert: convertOpenAi,
    faults: openAiFaults,
    tools: (body) =>
      toolsIn(body).map((tool) => {
        const { name, description, parameters: schema } = functionOf({ at: 'tools', value: tool });
        return { name, description: described(description), schema };
      }),
    differences: (prompt, body, { capabilities }) =>
      openAiDifferences(promptItems(prompt, IMAGES), openAiItems(body), capabilities.userContentAfterToolResults === true),
  },
];
