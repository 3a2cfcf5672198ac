import { BlockFactory } from '../../../../engine/request/blockFactory.js';
import type { Prompt } from '../../../../engine/request/prompt.js';
import { LoupeError } from '../../../../engine/errors.js';
import type { Usage } from '../../../../engine/accounting/usage.js';
import { UNRECORDED } from '../../../../engine/run/exchange.js';
import type { Model, ModelClient } from '../../../../engine/run/model.js';
import { ROUGH_COUNTER } from '../../../../engine/tokens/roughCounter.js';

const TEXT = 'Reply with the word "ready".';
/** Enough for a word, also for models that begin with a line of their own. Costs next to nothing. */
const MAX_OUTPUT_TOKENS = 32;

/**
 * Sends a small message to a model, waits for its reply and returns the usage as a sentence. Throws as the client does.
 * Omits the extra members of the request body: a reasoning budget may not fit into so few tokens.
 */
export async function tryModel(client: ModelClient, model: Model, signal: AbortSignal): Promise<string> {
  const leftOut: string[] = [];
  for (;;) {
    try {
      return await replyOf(client, model, leftOut, signal);
    } catch (thrown) {
      // As in a chat: what the server refuses is left out, each member once.
      const member = thrown instanceof LoupeError ? thrown.refusedMember : null;
      if (member === null || leftOut.includes(member)) {
        throw thrown;
      }
      leftOut.push(member);
    }
  }
}

async function replyOf(client: ModelClient, model: Model, leftOut: readonly string[], signal: AbortSignal): Promise<string> {
  const request = client.convert(model, PROMPT, { maxOutputTokens: MAX_OUTPUT_TOKENS, extraBody: {}, leftOut }, new Map());
  let usage: Usage | null = null;
  for await (const part of client.stream(model, request, signal, UNRECORDED)) {
    if (part.type === 'usage' || part.type === 'end') {
      usage = part.usage ?? usage;
    }
  }
  return usageText(usage);
}

/** This request is not recorded, so nothing is looked up by its hash. */
const MESSAGE = new BlockFactory(ROUGH_COUNTER, () => '').snapshotBlock(
  { key: 'message:test/0', role: 'user', category: 'conversation', item: null },
  { type: 'text', text: TEXT },
);
const PROMPT: Prompt = { tools: [], system: [], messages: [{ role: 'user', blocks: [MESSAGE] }] };

function usageText(usage: Usage | null): string {
  const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens } = usage ?? {};
  const input = [promptTokens, cacheReadInputTokens, cacheCreationInputTokens].reduce((sum, figure) => sum + (figure?.value ?? 0), 0);
  return promptTokens && completionTokens ? `Test: ${input} tokens in, ${completionTokens.value} out.` : 'The provider reported no usage.';
}
