import { isThinking, kindOf, type Document, type Turn } from './anthropicDocument.js';
import { isCount, isLoose, isText, type Located, type Loose } from './loose.js';

/*
 * Thinking: https://platform.claude.com/docs/en/build-with-claude/thinking, and the API's error messages. Missing rule:
 * models with "preserved thinking" also check that nothing before a thinking block has changed
 * (.../preserved-thinking/prefix-checks). A single body cannot show that.
 */

/** Whether this model made the signature for exactly this text. Null for redacted thinking. */
export type IsOwnSignature = (signature: string, text: string | null) => boolean;

const MODES: readonly unknown[] = ['enabled', 'disabled', 'adaptive', 'between_tools'];
/** "Must be at least 1024 and less than `max_tokens`." */
const LEAST_BUDGET = 1_024;

export function thinkingFaults({ body, turns }: Document, isOwnSignature: IsOwnSignature): string[] {
  const thinking = body['thinking'];
  return [
    ...(thinking === undefined ? [] : configFaults(thinking, body)),
    ...turns.flatMap(({ blocks }) => blocks.flatMap((block) => signatureFaults(block, isOwnSignature))),
    ...turns.filter(({ role }) => role === 'assistant').flatMap(placeFaults),
    ...openTurnFaults(thinking, turns),
  ];
}

function configFaults(thinking: unknown, body: Loose): string[] {
  if (!isLoose(thinking) || !MODES.includes(thinking['type'])) {
    return ['thinking.type: is none of enabled, disabled, adaptive, between_tools'];
  }
  return thinking['type'] === 'enabled' ? manualFaults(thinking['budget_tokens'], body) : [];
}

/** With a budget, thinking excludes other sampling and forced tools. */
function manualFaults(budget: unknown, { max_tokens: most, temperature, top_k: topK, tool_choice: choice }: Loose): string[] {
  const forced: readonly unknown[] = ['any', 'tool'];
  return [
    ...(isCount(budget, LEAST_BUDGET) ? [] : [`thinking.budget_tokens: is not at least ${LEAST_BUDGET}`]),
    // `max_tokens must be greater than thinking.budget_tokens`
    ...(typeof budget === 'number' && typeof most === 'number' && most <= budget
      ? ['max_tokens: is not greater than thinking.budget_tokens']
      : []),
    // `temperature may only be set to 1 when thinking is enabled`, `top_k must be unset when thinking is enabled`
    ...(temperature === undefined || temperature === 1 ? [] : ['temperature: may only be 1 while thinking is enabled']),
    ...(topK === undefined ? [] : ['top_k: may not be set while thinking is enabled']),
    // `Thinking may not be enabled when tool_choice forces tool use.`
    ...(isLoose(choice) && forced.includes(choice['type']) ? ['tool_choice: may not force a tool while thinking is enabled'] : []),
  ];
}

/** `messages.1.content.0.thinking.signature: Field required`, `Invalid signature in thinking block` */
function signatureFaults(block: Located, isOwnSignature: IsOwnSignature): string[] {
  const { signature, thinking, data } = block.value;
  if (kindOf(block) !== 'thinking') {
    // `Invalid data in redacted_thinking block`
    return isThinking(block) && isText(data) && data !== '' && !isOwnSignature(data, null)
      ? [`${block.at}.data: is not of this model`]
      : [];
  }
  if (!isText(signature) || signature === '') {
    return [`${block.at}.signature: is missing`];
  }
  return isText(thinking) && !isOwnSignature(signature, thinking) ? [`${block.at}.signature: is not of this model and text`] : [];
}

/**
 * `If an assistant message contains any thinking blocks, the first block must be thinking or redacted_thinking.`
 * `The final block in an assistant message cannot be thinking.`
 */
function placeFaults({ at, blocks }: Turn): string[] {
  const last = blocks.at(-1);
  return [
    ...(blocks.some(isThinking) && !isThinking(blocks[0]!) ? [`${at}: holds thinking, but does not start with it`] : []),
    ...(last !== undefined && isThinking(last) ? [`${at}: ends with thinking`] : []),
  ];
}

/**
 * A reply and its tool results are one assistant turn. It is open while the request ends with tool results. With
 * thinking enabled, an open turn must start with thinking (`Expected thinking or redacted_thinking, but found tool_use.
 * When thinking is enabled, a final assistant message must start with a thinking block`). With thinking disabled, it
 * must have none (`When thinking is disabled, an assistant message in the final position cannot contain thinking`).
 * Only the first message of the turn must start with it: without interleaved thinking the later ones have none. Whether
 * a request without a `thinking` member counts as disabled depends on the model.
 */
function openTurnFaults(thinking: unknown, turns: readonly Turn[]): string[] {
  const open = openTurn(turns);
  const mode = isLoose(thinking) ? thinking['type'] : undefined;
  const [first] = open;
  if (mode === 'enabled' && first !== undefined) {
    const [start] = first.blocks;
    return start === undefined || isThinking(start) ? [] : [`${first.at}: the open turn does not start with thinking`];
  }
  return mode === 'disabled'
    ? open.filter(({ blocks }) => blocks.some(isThinking)).map(({ at }) => `${at}: holds thinking while thinking is disabled`)
    : [];
}

/** The assistant messages after the last user message that has more than tool results. */
function openTurn(turns: readonly Turn[]): Turn[] {
  const start = turns.findLastIndex(
    ({ role, blocks }) => role === 'user' && !(blocks.length > 0 && blocks.every((block) => kindOf(block) === 'tool_result')),
  );
  return turns.slice(start + 1).filter(({ role }) => role === 'assistant');
}
