import type { Diagnostics, Fingerprints } from './anthropicDiagnostics.js';
import { anthropicEvents, anthropicMessage } from './anthropicReply.js';
import { readAnthropicPrompt } from './anthropicPrompt.js';
import type { AutomaticCache } from './automaticCache.js';
import { documentedMinimum } from './documentedMinimum.js';
import type { MarkedCache } from './markedCache.js';
import { chatChunks, chatCompletion } from './openaiReply.js';
import { readOpenAIPrompt } from './openaiPrompt.js';
import type { ComputedUsage, Failure, ModelOptions, Protocol, ReceivedRequest, Reply, ReplyHandler } from './options.js';
import { type PendingUse, type Prompt, totalTokens } from './prompt.js';
import { invalid, Refusal } from './refusal.js';
import { finish, type FinishedReply } from './replies.js';
import type { TokenCounter } from './tokens.js';
import { isTrue, member, stringMember, type WireNode } from './wireJson.js';

export interface Service {
  readonly models: readonly ModelOptions[];
  readonly counter: TokenCounter;
  readonly reply: ReplyHandler;
  readonly marked: MarkedCache;
  readonly automatic: AutomaticCache;
  readonly fingerprints: Fingerprints;
  now(): number;
}

export interface Incoming extends Omit<ReceivedRequest, 'model' | 'blocks' | 'marks' | 'use'> {
  readonly node: WireNode;
  readonly number: number;
}

export interface Answer {
  readonly usage: ComputedUsage | null;
  readonly body: object | readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly halfWay: FinishedReply['halfWay'];
}

const LOOKBACK = 20;
const STEP_TOKENS = 128;
const IDLE_LIFETIME = 600_000;

/** POST /v1/messages/count_tokens. No cache, but invalid marks are refused. */
export function countTokens(incoming: Incoming, service: Service): Answer {
  const model = findModel(incoming, service.models);
  const prompt = readAnthropicPrompt(incoming.node, model, service.counter);
  return { usage: null, body: { input_tokens: totalTokens(prompt) }, headers: {}, halfWay: null };
}

/** Answers a request for a reply in either protocol. Throws a `Refusal`. */
export async function answer(incoming: Incoming, service: Service): Promise<Answer> {
  const model = findModel(incoming, service.models);
  const isAnthropic = incoming.protocol === 'anthropic';
  if (isAnthropic && member(incoming.node, 'max_tokens')?.kind !== 'literal') {
    throw invalid('max_tokens: Field required');
  }
  const read = isAnthropic ? readAnthropicPrompt : readOpenAIPrompt;
  const prompt = read(incoming.node, model, service.counter);
  checkLength(incoming.protocol, totalTokens(prompt), model);
  const diagnostics = isAnthropic ? diagnose(incoming, prompt, service) : null;
  const pending = lookUp(incoming, { prompt, model, service });
  const reply = await requestReply(incoming, { prompt, model, pending, service });
  // "A cache entry only becomes available after the first response begins."
  pending.begin();
  const usage = { ...pending.use, output: reply.output, serviceTier: reply.serviceTier };
  return {
    usage,
    body: bodyOf(incoming, { reply, usage, model, diagnostics, now: service.now() }),
    headers: reply.headers,
    halfWay: reply.halfWay,
  };
}

function findModel({ node, protocol }: Incoming, models: readonly ModelOptions[]): ModelOptions {
  const id = stringMember(node, 'model');
  if (id === undefined) {
    throw protocol === 'anthropic' ? invalid('model: Field required') : invalid('you must provide a model parameter');
  }
  const model = models.find((known) => known.id === id);
  if (model === undefined) {
    const message = protocol === 'anthropic' ? `model: ${id}` : `The model \`${id}\` does not exist or you do not have access to it.`;
    throw new Refusal(404, message, { code: 'model_not_found', param: null });
  }
  return model;
}

function checkLength(protocol: Protocol, tokens: number, { maxInputTokens }: ModelOptions): void {
  if (maxInputTokens === undefined || tokens <= maxInputTokens) {
    return;
  }
  throw protocol === 'anthropic'
    ? invalid(`prompt is too long: ${tokens} tokens > ${maxInputTokens} maximum`)
    : new Refusal(
        400,
        `This model's maximum context length is ${maxInputTokens} tokens. However, your messages resulted in ${tokens} ` +
          'tokens. Please reduce the length of the messages.',
        { code: 'context_length_exceeded', param: 'messages' },
      );
}

function lookUp(incoming: Incoming, { prompt, model, service }: { prompt: Prompt; model: ModelOptions; service: Service }): PendingUse {
  const owner = JSON.stringify([incoming.key, model.id]);
  const minimumTokens = model.minimumTokens ?? documentedMinimum(model.id);
  if (incoming.protocol === 'anthropic' || model.chatCache === 'marks') {
    const { lifetimes, given } = model;
    const hidden = { ...(lifetimes === undefined ? {} : { lifetimes }), ...(given === undefined ? {} : { given }) };
    const rules = { minimumTokens, lookback: LOOKBACK, toolRunsShareAPosition: true, ...hidden };
    return service.marked.use(prompt, owner, rules, service.now());
  }
  return service.automatic.use(prompt, owner, {
    cacheKey: stringMember(incoming.node, 'prompt_cache_key') ?? '',
    rules: { minimumTokens, stepTokens: STEP_TOKENS, idleLifetime: IDLE_LIFETIME },
    now: service.now(),
  });
}

async function requestReply(
  incoming: Incoming,
  { prompt, model, pending, service }: { prompt: Prompt; model: ModelOptions; pending: PendingUse; service: Service },
): Promise<FinishedReply> {
  const { node: _, number, ...request } = incoming;
  const reply = await service.reply({
    ...request,
    model: model.id,
    blocks: prompt.blocks.length,
    marks: prompt.blocks.filter(({ mark }) => mark !== null).length,
    use: pending.use,
  });
  if (isFailure(reply)) {
    throw new ScriptedFailure(reply);
  }
  return finish(reply, number, service.counter);
}

export class ScriptedFailure extends Refusal {
  readonly headers: Readonly<Record<string, string>>;

  constructor({ status, message, headers }: Failure) {
    super(status, message, { code: null, param: null });
    this.headers = headers ?? {};
  }
}

function isFailure(reply: Reply | Failure): reply is Failure {
  return 'status' in reply;
}

function diagnose({ number, key, node, headers }: Incoming, prompt: Prompt, { fingerprints }: Service): Diagnostics {
  return fingerprints.of({ id: messageId(number), key, node, betas: String(headers['anthropic-beta'] ?? ''), prompt });
}

function messageId(number: number): string {
  return `msg_${number}`;
}

interface Answering {
  readonly reply: FinishedReply;
  readonly usage: ComputedUsage;
  readonly model: ModelOptions;
  readonly diagnostics: Diagnostics;
  readonly now: number;
}

function bodyOf(
  { protocol, stream, number, node }: Incoming,
  { reply, usage, model, diagnostics, now }: Answering,
): object | readonly string[] {
  if (protocol === 'anthropic') {
    const envelope = { id: messageId(number), model: model.id, usage, diagnostics };
    return stream ? anthropicEvents(reply, envelope) : anthropicMessage(reply, envelope);
  }
  const tellsWrites = model.chatCache === 'marks';
  const envelope = {
    id: `chatcmpl-${number}`,
    model: model.id,
    usage,
    created: Math.floor(now / 1000),
    tellsWrites,
    charged: model.charge?.(usage) ?? null,
  };
  // Routers always report it ("Full usage details are now always included", OpenRouter's "Usage Accounting").
  const includeUsage = tellsWrites || isTrue(member(node, 'stream_options'), 'include_usage');
  return stream ? chatChunks(reply, envelope, includeUsage) : chatCompletion(reply, envelope);
}
