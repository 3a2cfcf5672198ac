import type { Usage } from '../../engine/accounting/usage.js';
import { outputLimit, promptBudget } from '../../engine/budget/budget.js';
import { findMessage } from '../../engine/chat/branch.js';
import type { ModelRef } from '../../engine/chat/config.js';
import type { AttemptState, ChatState } from '../../engine/chat/fold.js';
import type { Message, SentMessage } from '../../engine/chat/message.js';
import { isWhole } from '../../engine/chat/snapshot.js';
import { transcript } from '../../engine/chat/transcript.js';
import type { FileReader } from '../../engine/context/fileContext.js';
import type { GivenContent } from '../../engine/context/item.js';
import { LoupeError } from '../../engine/errors.js';
import type { Clock, Sha256, TokenCounter } from '../../engine/ports.js';
import { assemble, type Assembled } from '../../engine/prompt/assemble.js';
import { promptBlocks, type Prompt, type WirePart, type WireResultContent } from '../../engine/prompt/block.js';
import { BlockFactory } from '../../engine/prompt/blockFactory.js';
import type { SystemPiece } from '../../engine/prompt/fragments.js';
import { manifestBlocksOf, manifestDepth, rebuildPrompt } from '../../engine/prompt/rebuild.js';
import { recordManifest, type ManifestBase } from '../../engine/prompt/record.js';
import type { PreparedRequest } from '../../engine/run/input.js';
import { givenContent } from '../../engine/run/largeTexts.js';
import type { Model, ModelClient, PromptImages, RequestParams, WireRequest } from '../../engine/run/model.js';
import { UNCALIBRATED, type Calibration } from '../../engine/tokens/calibration.js';
import { replyTokens } from '../../engine/tokens/replyTokens.js';
import type { RequestSize } from '../../engine/tokens/requestSize.js';
import { countedBy, ROUGH_COUNTER } from '../../engine/tokens/roughCounter.js';
import type { Blobs } from '../../storage/blobs.js';
import type { Converter } from '../converters.js';
import { modelKey, type ModelRegistry } from '../models.js';
import type { BackgroundCount, Countable } from './backgroundCount.js';
import type { Learned } from './learned.js';
import { RequestImages } from './requestImages.js';
import { RequestResults } from './requestResults.js';
import { resolveContext, type ResolvedContext } from './resolveContext.js';

/** A request as it would be sent now: the same value feeds preview, meter, record and wire. */
export interface Composed {
  readonly model: Model;
  readonly client: ModelClient;
  readonly assembled: Assembled;
  /** What the whole request is taken to have: everything that has to do with its size goes by this. */
  readonly size: RequestSize;
  readonly context: ResolvedContext;
  /** Tokens the whole request may have. */
  readonly budget: number;
  /** The server has told a smaller input limit than the model is said to have. */
  readonly isLimitLearned: boolean;
  /** The conversation is longer than what was composed of it: the size is the least that the request would have. */
  readonly isPartial: boolean;
  readonly params: RequestParams;
  /** The request for its provider to count; null when this model's provider need not or cannot. */
  readonly countable: Countable | null;
  /** Made when it is asked for: a preview shows figures, and seldom the bytes. */
  wire(): WireRequest;
}

export interface RequestPorts {
  readonly models: ModelRegistry;
  readonly files: FileReader;
  readonly clock: Clock;
  readonly sha256: Sha256;
  /** What puts prompts into the form of a protocol; null for a protocol that is not known. */
  loadConverter(protocol: string): Promise<Converter | null>;
  logError(error: LoupeError): void;
}

/** What the requests of one chat rest on. */
export interface RequestParts {
  readonly blobs: Blobs;
  readonly learned: Learned;
  readonly counting: BackgroundCount;
}

/** Composes the requests of one chat, and keeps what makes the next one cheap: measured blocks, by counter. */
export class Requests {
  readonly #ports: RequestPorts;
  readonly #parts: RequestParts;
  readonly #images: RequestImages;
  readonly #results: RequestResults;
  readonly #factories = new Map<string, BlockFactory>();

  constructor(ports: RequestPorts, parts: RequestParts) {
    this.#ports = ports;
    this.#parts = parts;
    this.#images = new RequestImages(parts.blobs, ports.logError.bind(ports));
    this.#results = new RequestResults(parts.blobs, ports.logError.bind(ports));
  }

  /** Keeps content for later requests, and gives its SHA-256. On the disk when it resolves; rejects with `storage`. */
  keepBlob(bytes: Uint8Array): Promise<string> {
    return this.#parts.blobs.put(bytes);
  }

  /** A text that is given with an item of the context, as it is logged: outside the log when it is large. */
  keepGiven(text: string): Promise<GivenContent> {
    return givenContent(text, { keepBlob: this.keepBlob.bind(this), reportError: this.#ports.logError.bind(this.#ports) });
  }

  /** All that a tool answered to a call. Rejects with `storage` when it cannot be read, with `invalidInput` without such an answer. */
  resultText(state: ChatState, messageId: string, callId: string): Promise<string> {
    const message = findMessage(state, messageId);
    const part = message?.role === 'tool-results' ? message.parts.find((each) => each.callId === callId) : undefined;
    if (part === undefined) {
      throw new LoupeError('invalidInput', 'That result is not in the conversation any more.');
    }
    return this.#results.whole(part);
  }

  /** The request made of the conversation and `more`. Rejects with `modelGone`; what cannot be read is left out. */
  async compose(state: ChatState, fragments: readonly SystemPiece[], more: readonly SentMessage[]): Promise<Composed> {
    const { config } = state;
    const { model: configured, client } = await this.#ports.models.find(config.model);
    const limited = this.#parts.learned.withLimit(configured);
    const context = await resolveContext(state.context, this.#ports.files, { sha256: this.#ports.sha256, blobs: this.#parts.blobs });
    const counter = await this.#ports.models.counter(limited.capabilities.counter);
    const model = countedBy(limited, counter);
    const factory = this.#factory(counter);
    const messages = [...transcript(state).messages, ...more];
    const isPartial = !isWhole(state);
    const images = await this.#images.load(messages);
    const outside = { missingImages: images.missing, resultTexts: await this.#results.load(messages) };
    const { cacheMode, systemPrompt } = config;
    const input = { model, cacheMode, systemPrompt, fragments, messages, attempts: state.attempts };
    const assembled = assemble({ ...input, files: context.files, ...outside }, factory);
    const convert = (maxOutputTokens: number | null): WireRequest =>
      client.convert(model, assembled.prompt, { maxOutputTokens, extraBody: model.extraBody }, images.bytes);
    const countable = this.#countable(model, client, convert);
    const size = this.#size(model, assembled, countable);
    const params = { maxOutputTokens: outputLimit(model, size), extraBody: model.extraBody };
    const wire = (): WireRequest => convert(params.maxOutputTokens);
    const budget = promptBudget(config, model);
    const isLimitLearned = limited !== configured;
    return { model, client, assembled, size, context, budget, isLimitLearned, isPartial, params, countable, wire };
  }

  /**
   * The request as its provider counts it. Its output limit is the model's own: the one that is sent depends on the
   * count, and no provider counts it.
   */
  #countable(model: Model, client: ModelClient, convert: (limit: number | null) => WireRequest): Countable | null {
    if (!model.capabilities.countsTokens || model.capabilities.counterIsExact) {
      return null;
    }
    const wire = convert(model.maxOutputTokens);
    return { model, client, wire, hash: this.#ports.sha256(wire.body) };
  }

  #size({ ref, capabilities }: Model, { totalTokens: counted }: Assembled, countable: Countable | null): RequestSize {
    if (capabilities.counterIsExact) {
      return { tokens: counted, counted, basis: 'exact', error: null };
    }
    const byProvider = countable === null ? null : this.#parts.counting.find(countable.hash);
    if (byProvider !== null) {
      return { tokens: byProvider, counted, basis: 'providerCount', error: null };
    }
    const { factor, error } = this.#calibration(ref, capabilities);
    return { tokens: Math.round(counted * factor), counted, basis: 'estimate', error };
  }

  /**
   * Records a composed request. Throws `contextOverflow` when it is over the budget: then nothing is sent. Blobs
   * are stored before the manifest that names them is logged.
   */
  async prepare(composed: Composed, state: ChatState, attemptId: string): Promise<PreparedRequest> {
    const problem = overBudget(composed);
    if (problem !== null) {
      throw new LoupeError('contextOverflow', problem);
    }
    const { assembled, size, context, model, client, params } = composed;
    const wire = composed.wire();
    const recorded = recordManifest({ assembled, size, model, params, wire, base: lastManifest(state) }, this.#ports.sha256);
    for (const json of recorded.blobs.values()) {
      await this.#parts.blobs.put(Buffer.from(json, 'utf8'));
    }
    const counter = await this.#ports.models.counter(model.capabilities.counter);
    const marked = promptBlocks(assembled.prompt).findLastIndex((block) => block.breakpoint !== null);
    return {
      attemptId,
      model,
      client,
      manifest: recorded.manifest,
      wire,
      requestContext: { items: context.items, leftOut: context.leftOut, timestamp: this.#ports.clock.now() },
      cacheControlIndex: marked === -1 ? null : marked,
      estimateUsage: (reply) => this.#estimateUsage(composed, replyTokens(reply, counter)),
    };
  }

  #estimateUsage({ size, model }: Composed, countedReply: number): Usage {
    const { factor } = this.#calibration(model.ref, model.capabilities);
    return {
      promptTokens: { value: size.tokens, source: 'estimated' },
      cacheReadInputTokens: null,
      cacheCreationInputTokens: null,
      cacheCreation: null,
      completionTokens: { value: Math.round(countedReply * factor), source: 'estimated' },
    };
  }

  /** Measured with the model's tokenizer: it says nothing of counts by another. */
  #calibration(ref: ModelRef, { counter, counterIsExact }: Model['capabilities']): Calibration {
    return counterIsExact || counter === ROUGH_COUNTER.id ? UNCALIBRATED : this.#parts.learned.calibration(ref);
  }

  /**
   * The request behind an attempt, rebuilt from the log, whether or not its model is still there. Rejects with
   * `storage` when something of it is missing, with `protocol` when it is in a form that is not known.
   */
  async rebuild(state: ChatState, attempt: AttemptState): Promise<Rebuilt> {
    const { sha256, models } = this.#ports;
    const logged = loggedMessages(state);
    const sources = {
      attempt: (id: string) => state.attempts.get(id),
      message: (id: string) => logged.get(id),
      blob: async (sha: string) => Buffer.from(await this.#parts.blobs.get(sha)).toString('utf8'),
    };
    const prompt = await rebuildPrompt(attempt, sources, sha256);
    const converter = await this.#converter(attempt);
    const known = models.list().find(({ ref, protocol }) => modelKey(ref) === modelKey(attempt.model) && protocol === attempt.protocol);
    const { capabilities } = known ?? converter;
    const images = await this.#promptImages(prompt);
    const wire = converter.convert({ ref: attempt.model, capabilities }, prompt, attempt.manifest.params, images);
    const isExact = sha256(wire.body) === attempt.manifest.bodyHash;
    return { prompt, body: wire.body, note: isExact ? null : differenceNote(attempt, wire, known !== undefined) };
  }

  async #converter({ protocol }: AttemptState): Promise<Converter> {
    const converter = await this.#ports.loadConverter(protocol);
    if (converter === null) {
      throw new LoupeError('protocol', `The request cannot be rebuilt: its form ("${protocol}") is not known to this Loupe.`);
    }
    return converter;
  }

  /** Rejects with `storage` when one is missing. */
  async #promptImages(prompt: Prompt): Promise<PromptImages> {
    const contents = promptBlocks(prompt).flatMap(({ part }): readonly (WirePart | WireResultContent)[] =>
      part.type === 'toolResult' ? part.content : [part],
    );
    const names = new Set(contents.flatMap((content) => (content.type === 'image' ? [content.blob] : [])));
    const images = [...names].map(async (name) => {
      const bytes = await this.#parts.blobs.get(name);
      return [name, Buffer.from(bytes).toString('base64')] as const;
    });
    return new Map(await Promise.all(images));
  }

  #factory(counter: TokenCounter): BlockFactory {
    const factory = this.#factories.get(counter.id) ?? new BlockFactory(counter, this.#ports.sha256);
    this.#factories.set(counter.id, factory);
    return factory;
  }
}

export interface Rebuilt {
  readonly prompt: Prompt;
  readonly body: string;
  /** Why the body is not what was sent, byte for byte; null when it is. */
  readonly note: string | null;
}

function differenceNote({ manifest }: AttemptState, wire: WireRequest, modelIsKnown: boolean): string {
  if (wire.converterVersion !== manifest.converterVersion) {
    return `Rebuilt by a newer converter (${wire.converterVersion}) than the one that sent it (${manifest.converterVersion}).`;
  }
  const reason = modelIsKnown ? 'the settings of its model have changed since' : 'its model is gone, and with it its settings';
  return `The rebuilt request differs from the one that was sent: ${reason}.`;
}

/** The attempt of a reply, by the id of its message or its own. */
export function attemptBehind(state: ChatState, id: string): AttemptState | undefined {
  const message = findMessage(state, id);
  return state.attempts.get(message?.role === 'assistant' ? message.attemptId : id);
}

/** Whether all is here that the request behind a reply is rebuilt from, blobs apart. */
export function canRebuild(state: ChatState, id: string): boolean {
  const attempt = attemptBehind(state, id);
  const sources = { attempt: (each: string) => state.attempts.get(each) };
  if (attempt === undefined || manifestDepth(attempt, sources) === null) {
    return false;
  }
  const logged = loggedMessages(state);
  return manifestBlocksOf(attempt, sources).every(({ source }) => source.from !== 'message' || logged.has(source.messageId));
}

/** The messages of the log by id, also those of branches that were left. */
function loggedMessages(state: ChatState): ReadonlyMap<string, Message> {
  const timelines = [state.timeline, ...state.rewinds.values()];
  const items = timelines.flatMap((timeline) => timeline.filter((item) => item.kind === 'message'));
  return new Map(items.map(({ message }) => [message.id, message]));
}

/**
 * By how much an estimate may be over the budget so that the request may still have room, once its provider has
 * counted it: an uncalibrated one is seldom off by more. Only a request that is whole can be counted.
 */
const ESTIMATE_MARGIN = 1.5;

/** Whether a request made of a part of the conversation may have room for more of it. */
export function mayHaveRoom({ size, budget, countable }: Composed): boolean {
  return size.tokens <= budget * (countable === null ? 1 : ESTIMATE_MARGIN);
}

/** Why a request cannot be sent, naming its largest parts; null when it fits. */
export function overBudget({ assembled, size, budget, isLimitLearned, isPartial }: Composed): string | null {
  if (size.tokens <= budget) {
    return null;
  }
  const total = size.tokens.toLocaleString('en-US');
  const limit = budget.toLocaleString('en-US');
  if (isPartial) {
    // Its parts are those of its end, and none of them is what makes it too long.
    return `The conversation is too long: its end alone has over ${total} tokens, more than the ${limit} this chat may send. Start a new chat, fork this one at an earlier reply, or choose a model with a larger window.`;
  }
  const blocks = promptBlocks(assembled.prompt).toSorted((a, b) => b.tokens - a.tokens);
  const largest = blocks.slice(0, LARGEST_NAMED).map(({ key, tokens }) => `${blockName(key)} (${tokens.toLocaleString('en-US')})`);
  const isOneLarge = (blocks[0]?.tokens ?? 0) >= size.tokens * LARGE_SHARE;
  const remedy = isLimitLearned
    ? 'start a new chat, or choose another model: the server has refused more, which counts for an hour.'
    : 'start a new chat, or raise the limits in the chat settings.';
  return (
    `The request has ${total} tokens, more than the ${limit} this chat may send. ` +
    (isOneLarge
      ? `Its largest parts: ${largest.join(', ')}. Remove a file, ${remedy}`
      : `No part of it is large, it has ${String(blocks.length)}: ${remedy}`)
  );
}

/** A part with less of the whole changes little when it is removed. */
const LARGE_SHARE = 0.1;

/** Enough to see what to remove, few enough for one line. */
const LARGEST_NAMED = 3;

/** A block's source in words for the user. */
export function blockName(key: string): string {
  const [kind, ...rest] = key.split(':');
  switch (kind) {
    case 'file':
      return rest.join(':');
    case 'message':
      return 'a message';
    case 'system':
      return 'the system prompt';
    default:
      return key;
  }
}

/**
 * What the next manifest is written against. Null before the first request, and after one whose own chain is
 * broken by a damaged log line: the next record then is a full one and starts a new chain.
 */
function lastManifest(state: ChatState): ManifestBase | null {
  const last = [...state.attempts.values()].at(-1);
  if (last === undefined) {
    return null;
  }
  const sources = { attempt: (id: string) => state.attempts.get(id) };
  const depth = manifestDepth(last, sources);
  return depth === null ? null : { attemptId: last.id, blocks: manifestBlocksOf(last, sources), depth };
}
