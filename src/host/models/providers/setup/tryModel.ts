import { BlockFactory } from '../../../../engine/request/blockFactory.js';
import type { Prompt } from '../../../../engine/model/prompt.js';
import { LoupeError, toErrorRecord, toLoupeError, type ErrorRecord } from '../../../../engine/errors.js';
import { billedUsage, isTurnedDown } from '../../../../engine/chat/billedUsage.js';
import type { Spent } from '../../../../engine/chat/ledger.js';
import { chargeOf } from '../../../../engine/model/price.js';
import type { Usage } from '../../../../engine/model/usage.js';
import type { Exchange } from '../../../../engine/model/exchange.js';
import type { Model, ModelClient, StreamPart } from '../../../../engine/model/model.js';
import { ROUGH_COUNTER } from '../../../../engine/tokens/roughCounter.js';

const TEXT = 'Reply with the word "ready".';
/** Enough for a word, also for models that begin with a line of their own. Costs next to nothing. */
const MAX_OUTPUT_TOKENS = 32;

/** A test message. */
interface Test {
  readonly client: ModelClient;
  readonly model: Model;
  readonly signal: AbortSignal;
  /** Gets what each request used, also of one that failed. Never rejects. */
  readonly used: (spent: Spent) => Promise<void>;
}

/**
 * Sends a small message to a model, waits for its reply and returns the usage as a sentence. Throws as the client does.
 * Omits the extra members of the request body: a reasoning budget may not fit into so few tokens.
 */
export async function tryModel(test: Test): Promise<string> {
  const leftOut: string[] = [];
  for (;;) {
    const received: Received = { exchange: null, usage: null, answeredBy: null, texts: [], hasContent: false };
    try {
      await receive(test, leftOut, received);
      await test.used(await spentOn(test, received, null));
      return usageText(received.usage);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      await test.used(await spentOn(test, received, toErrorRecord(error)));
      // As in a chat: what the server refuses is left out, each member once.
      const member = thrown instanceof LoupeError ? thrown.refusedMember : null;
      if (member === null || leftOut.includes(member)) {
        throw thrown;
      }
      leftOut.push(member);
    }
  }
}

/** What has arrived of a reply. */
interface Received {
  exchange: Exchange | null;
  usage: Usage | null;
  answeredBy: string | null;
  readonly texts: string[];
  hasContent: boolean;
}

async function receive({ client, model, signal }: Test, leftOut: readonly string[], received: Received): Promise<void> {
  const request = client.convert(model, PROMPT, { maxOutputTokens: MAX_OUTPUT_TOKENS, extraBody: {}, leftOut }, new Map());
  const exchanged = (exchange: Exchange): void => {
    received.exchange = exchange;
  };
  for await (const part of client.stream(model, request, signal, exchanged)) {
    take(part, received);
  }
}

function take(part: StreamPart, received: Received): void {
  if (part.type === 'usage' || part.type === 'end') {
    received.usage = part.usage ?? received.usage;
    received.answeredBy = part.answeredBy ?? received.answeredBy;
  } else if (part.type !== 'begin') {
    received.hasContent = true;
    received.texts.push('text' in part ? part.text : '');
  }
}

/** What a request has used, as an attempt of a chat has it. */
async function spentOn(
  { model }: Test,
  { usage: reported, exchange, answeredBy, texts, hasContent }: Received,
  error: ErrorRecord | null,
): Promise<Spent> {
  const estimate = { promptTokens: estimated(TEXT), completionTokens: estimated(texts.join('')) } as const;
  const outcome = error === null ? 'complete' : 'failed';
  const usage = await billedUsage({ outcome, hasContent, reported }, () => Promise.resolve(estimate));
  // The prices of another model that answered are not known here.
  const prices = answeredBy === null ? model.prices : null;
  return {
    usage,
    cost: usage === null ? null : chargeOf(usage, prices, () => null),
    isUnbilled: error !== null && isTurnedDown({ error, exchange, usage, hasContent }),
  };
}

function estimated(text: string) {
  return { value: ROUGH_COUNTER.count(text), source: 'estimated' } as const;
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
