import { BlockFactory } from '../../../../engine/request/blockFactory.js';
import type { Prompt } from '../../../../engine/model/prompt.js';
import { LoupeError, toErrorRecord, toLoupeError, type ErrorRecord } from '../../../../engine/errors.js';
import { billedUsage, isTurnedDown } from '../../../../engine/chat/billedUsage.js';
import type { UsageEntry } from '../../../../engine/chat/ledger.js';
import { chargeOf } from '../../../../engine/model/price.js';
import type { Usage } from '../../../../engine/model/usage.js';
import type { HttpExchange } from '../../../../engine/model/httpExchange.js';
import type { Model, ModelClient, StreamPart } from '../../../../engine/model/model.js';
import { ROUGH_COUNTER } from '../../../../engine/tokens/roughCounter.js';

const TEXT = 'Reply with the word "ready".';
/** Maximum output tokens of the test message: enough for a word after an introduction. Costs almost nothing. */
const MAX_OUTPUT_TOKENS = 32;

interface ModelTest {
  readonly client: ModelClient;
  readonly model: Model;
  readonly signal: AbortSignal;
  /** Receives the usage of each request, even of a failed request. Never rejects. */
  readonly used: (spent: UsageEntry) => Promise<void>;
}

/**
 * Sends a short message to a model. Returns a sentence with the usage of the reply. Throws the errors of the client.
 * Does not send `extraBody`, because its reasoning budget can exceed the small output limit.
 */
export async function tryModel(test: ModelTest): Promise<string> {
  const refused: string[] = [];
  for (;;) {
    const received: ReceivedTestReply = { exchange: null, usage: null, answeredBy: null, texts: [], hasContent: false };
    try {
      await receive(test, refused, received);
      await test.used(await spentOn(test, received, null));
      return usageText(received.usage);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      await test.used(await spentOn(test, received, toErrorRecord(error)));
      // Sends the message again without the member that the server refused, as a chat does.
      const member = thrown instanceof LoupeError ? thrown.refusedMember : null;
      if (member === null || refused.includes(member)) {
        throw thrown;
      }
      refused.push(member);
    }
  }
}

interface ReceivedTestReply {
  exchange: HttpExchange | null;
  usage: Usage | null;
  answeredBy: string | null;
  readonly texts: string[];
  hasContent: boolean;
}

async function receive({ client, model, signal }: ModelTest, refused: readonly string[], received: ReceivedTestReply): Promise<void> {
  const request = client.convert(model, PROMPT, { maxOutputTokens: MAX_OUTPUT_TOKENS, extraBody: {}, leftOut: refused }, new Map());
  const exchanged = (exchange: HttpExchange): void => {
    received.exchange = exchange;
  };
  for await (const part of client.stream(model, request, signal, exchanged)) {
    take(part, received);
  }
}

function take(part: StreamPart, received: ReceivedTestReply): void {
  if (part.type === 'usage' || part.type === 'end') {
    received.usage = part.usage ?? received.usage;
    received.answeredBy = part.answeredBy ?? received.answeredBy;
  } else if (part.type !== 'begin') {
    received.hasContent = true;
    received.texts.push('text' in part ? part.text : '');
  }
}

/** Returns the usage and cost of a request, computed as for attempts of a chat. */
async function spentOn(
  { model }: ModelTest,
  { usage: reported, exchange, answeredBy, texts, hasContent }: ReceivedTestReply,
  error: ErrorRecord | null,
): Promise<UsageEntry> {
  const estimate = { promptTokens: estimated(TEXT), completionTokens: estimated(texts.join('')) } as const;
  const outcome = error === null ? 'complete' : 'failed';
  const usage = await billedUsage({ outcome, hasContent, reported }, () => Promise.resolve(estimate));
  // Another model has replied, and its prices are unknown here.
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

/** The test message. The hash is empty, because Loupe does not record this request. */
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
