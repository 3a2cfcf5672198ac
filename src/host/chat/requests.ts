import { failure, type LoupeError } from '../../engine/errors.js';
import { promptBudget } from '../../engine/budget/budget.js';
import { replyTokens } from '../../engine/tokens/replyTokens.js';
import type { UsageEstimate } from '../../engine/accounting/billedUsage.js';
import { findMessage } from '../../engine/chat/branch.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { type ChatState, conversationIn } from '../../engine/chat/state.js';
import { contentText, type Message, type SentMessage } from '../../engine/chat/message.js';
import { contentsOf } from '../../engine/chat/contents.js';
import { lastOf } from '../../engine/chat/lastOf.js';
import { transcript } from '../../engine/chat/transcript.js';
import type { FileReader } from '../../engine/context/fileContext.js';
import type { Sha256, TokenCounter } from '../../engine/ports.js';
import type { PreparedRequest } from '../../engine/run/input.js';
import type { Model, ModelClient, PromptImages, WireRequest } from '../../engine/run/model.js';
import type { StoredText } from '../../engine/chat/storedText.js';
import { storedText } from '../../engine/run/largeTexts.js';
import { UNCALIBRATED, type Calibration } from '../../engine/tokens/calibration.js';
import { countedBy, ROUGH_COUNTER } from '../../engine/tokens/roughCounter.js';
import { manifestBase } from '../../engine/request/base.js';
import type { WirePart, WireResultContent } from '../../engine/request/block.js';
import { BlockFactory } from '../../engine/request/blockFactory.js';
import type { SystemPiece } from '../../engine/request/gather.js';
import { LAYOUTS } from '../../engine/request/layout/layouts.js';
import { promptBlocks, type Prompt } from '../../engine/request/prompt.js';
import { manifestBlocksOf, rebuildPrompt } from '../../engine/request/rebuild.js';
import { record } from '../../engine/request/record.js';
import { utf8ForModel } from '../../engine/request/resultText.js';
import { draftRequest, measuredRequest, type Request } from '../../engine/request/request.js';
import type { Blobs } from '../../storage/blobs.js';
import type { Converter } from '../converters.js';
import { modelKey } from '../../engine/chat/config.js';
import type { ModelRegistry } from '../models.js';
import type { BackgroundCount, Countable } from './backgroundCount.js';
import { LatestBlobs } from './latestBlobs.js';
import type { Learned } from './learned.js';
import { overBudget, type Judged } from './overBudget.js';
import { contextRecord, resolveContext, type ResolvedContext } from './resolveContext.js';

/** A request as it would be sent now: the same value feeds preview, meter, record and wire. */
export interface Composed extends Request, Judged {
  readonly client: ModelClient;
  readonly context: ResolvedContext;
  /** Messages of people and models that it was composed of. */
  readonly messages: number;
  /** The request for its provider to count; null when this model's provider need not or cannot. */
  readonly countable: Countable | null;
  /** Made when it is asked for: a preview shows figures, and seldom the bytes. */
  wire(): WireRequest;
}

export interface RequestPorts {
  readonly models: ModelRegistry;
  readonly files: FileReader;
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

/**
 * Far more than a token has in any text that people write, four in English prose: a conversation with more of them than
 * the budget has tokens is over it. Counting all of a long one would hold up everything for seconds. What is not over
 * the budget for all that, such as pages of blanks, is composed of twice as much.
 */
const CHARACTERS_PER_TOKEN = 8;

/** Characters of images in memory, in Base64: some dozens of large pictures, about what providers take in a request. */
const KEPT_OF_IMAGES = 64 * 1024 * 1024;

/** Characters of results that stay in memory: several windows of a million tokens, beyond which nothing can be sent. */
const KEPT_OF_RESULTS = 16 * 1024 * 1024;

/** Composes the requests of one chat, and keeps what makes the next one cheap: measured blocks, by counter. */
export class Requests {
  readonly #ports: RequestPorts;
  readonly #parts: RequestParts;
  /** Images in Base64. */
  readonly #images: LatestBlobs;
  /** Texts of tools as they are sent, so that a preview at each key reads nothing. */
  readonly #results: LatestBlobs;
  readonly #factories = new Map<string, BlockFactory>();

  constructor(ports: RequestPorts, parts: RequestParts) {
    this.#ports = ports;
    this.#parts = parts;
    const from = { blobs: parts.blobs, logError: ports.logError.bind(ports) };
    this.#images = new LatestBlobs({ ...from, kept: KEPT_OF_IMAGES, form: base64 });
    this.#results = new LatestBlobs({ ...from, kept: KEPT_OF_RESULTS, form: utf8ForModel });
  }

  /** Keeps content for later requests, and gives its SHA-256. On the disk when it resolves; rejects with `storage`. */
  keepBlob(bytes: Uint8Array): Promise<string> {
    return this.#parts.blobs.put(bytes);
  }

  /** Saved content by its SHA-256. Rejects with `storage` when it is missing or damaged. */
  blob(sha: string): Promise<Uint8Array> {
    return this.#parts.blobs.get(sha);
  }

  /** A text that is given with an item of the context, as it is logged: outside the log when it is large. */
  keepGiven(text: string): Promise<StoredText> {
    return storedText(text, { keepBlob: this.keepBlob.bind(this), reportError: this.#ports.logError.bind(this.#ports) });
  }

  /** All that a tool answered to a call. Rejects with `storage` when it cannot be read, with `invalidInput` without such an answer. */
  async resultText(state: ChatState, messageId: string, callId: string): Promise<string> {
    const message = findMessage(state, messageId);
    const part = message?.role === 'tool-results' ? message.parts.find((each) => each.callId === callId) : undefined;
    if (part === undefined) {
      throw failure('chat.resultGone');
    }
    const texts = part.content.map(async (item) => (item.type === 'blob' ? this.#text(item.blob) : contentText(item)));
    return (await Promise.all(texts)).join('\n');
  }

  /**
   * The request made of the conversation, as far as it is here, and `more`; of a conversation that is far over the budget
   * it holds the end. Rejects with `modelGone`; what cannot be read is left out.
   */
  async compose(state: ChatState, fragments: readonly SystemPiece[], more: readonly SentMessage[]): Promise<Composed> {
    const { model } = await this.#ports.models.find(state.config.model);
    for (let characters = promptBudget(state.config, model) * CHARACTERS_PER_TOKEN; ; characters *= 2) {
      const timeline = lastOf(state.timeline, characters);
      const composed = await this.#composeOf({ ...state, timeline }, fragments, more);
      if (timeline.length === state.timeline.length) {
        return { ...composed, isPartial: state.extent === 'end' && state.earlier.messages > 0 };
      }
      if (!mayHaveRoom(composed)) {
        return { ...composed, isPartial: true };
      }
    }
  }

  async #composeOf(
    state: ChatState,
    fragments: readonly SystemPiece[],
    more: readonly SentMessage[],
  ): Promise<Omit<Composed, 'isPartial'>> {
    const { config, attempts } = state;
    const { model: configured, client } = await this.#ports.models.find(config.model);
    const limited = this.#parts.learned.withLimit(configured);
    const context = await resolveContext(state.context, this.#ports.files, { sha256: this.#ports.sha256, blobs: this.#parts.blobs });
    const counter = await this.#ports.models.counter(limited.capabilities.counter);
    const model = countedBy(limited, counter);
    const factory = this.#factory(counter);
    const messages = [...transcript(state).messages, ...more];
    const imageNames = blobNames(messages, 'image');
    const images = await this.#images.load(imageNames);
    const missingImages = new Set([...imageNames].filter((name) => !images.has(name)));
    const outside = { missingImages, resultTexts: await this.#results.load(blobNames(messages, 'blob')) };
    const { cacheMode, systemPrompt } = config;
    // Nothing offers tools yet: see `NO_TOOLS`.
    const sources = { tools: [], systemPrompt, fragments, files: context.files, messages };
    const draft = draftRequest({ ...sources, ...outside, model, attempts, cacheMode, layout: LAYOUTS.plain }, factory);
    const convert = (maxOutputTokens: number | null): WireRequest =>
      client.convert(model, draft.prompt, { maxOutputTokens, extraBody: model.extraBody }, images);
    const countable = this.#countable(model, client, convert);
    const byProvider = countable === null ? null : this.#parts.counting.find(countable.hash);
    const request = measuredRequest(draft, config, { byProvider, calibration: this.#calibration(model) });
    const wire = (): WireRequest => convert(request.params.maxOutputTokens);
    const composed = conversationIn(state.timeline);
    return { ...request, client, context, isLimitLearned: limited !== configured, messages: composed, countable, wire };
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

  /**
   * Records a composed request. Throws `contextOverflow` when it is over the budget: then nothing is sent. Blobs
   * are stored before the manifest that names them is logged.
   */
  async prepare(composed: Composed, state: ChatState, attemptId: string): Promise<PreparedRequest> {
    const problem = overBudget(composed);
    if (problem !== null) {
      throw failure('request.overBudget', { problem });
    }
    const { model, client } = composed;
    const wire = composed.wire();
    const context = composed.context.resolved.map(contextRecord);
    const { manifest, blobs } = record({ request: composed, context, wire, base: manifestBase(state) }, this.#ports.sha256);
    for (const json of blobs.values()) {
      await this.#parts.blobs.put(Buffer.from(json, 'utf8'));
    }
    const counter = await this.#ports.models.counter(model.capabilities.counter);
    return {
      attemptId,
      model,
      client,
      manifest,
      wire,
      cacheControlIndex: manifest.marks.at(-1)?.at ?? null,
      estimateUsage: (reply) => this.#estimateUsage(composed, replyTokens(reply, counter)),
    };
  }

  #estimateUsage({ size, model }: Composed, countedReply: number): UsageEstimate {
    const { factor } = this.#calibration(model);
    return {
      promptTokens: { value: size.tokens, source: 'estimated' },
      completionTokens: { value: Math.round(countedReply * factor), source: 'estimated' },
    };
  }

  /** Measured with the model's tokenizer: it says nothing of counts by another. */
  #calibration({ ref, capabilities: { counter, counterIsExact } }: Model): Calibration {
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
      attempts: state.attempts,
      message: (id: string) => logged.get(id),
      blob: this.#text.bind(this),
    };
    const prompt = await rebuildPrompt(attempt, sources, sha256);
    const { protocol } = attempt;
    const converter = await this.#ports.loadConverter(protocol);
    if (converter === null) {
      throw failure('rebuild.unknownForm', { protocol });
    }
    const known = models.list().find((each) => modelKey(each.ref) === modelKey(attempt.model) && each.protocol === protocol);
    const { capabilities } = known ?? converter;
    const images = await this.#promptImages(prompt);
    const wire = converter.convert({ ref: attempt.model, capabilities }, prompt, attempt.manifest.params, images);
    const isExact = sha256(wire.body) === attempt.manifest.bodyHash;
    return { prompt, body: wire.body, note: isExact ? null : differenceNote(attempt, wire, known !== undefined) };
  }

  async #text(sha: string): Promise<string> {
    return Buffer.from(await this.#parts.blobs.get(sha)).toString('utf8');
  }

  /** Rejects with `storage` when one is missing. */
  async #promptImages(prompt: Prompt): Promise<PromptImages> {
    const contents = promptBlocks(prompt).flatMap(({ part }): readonly (WirePart | WireResultContent)[] =>
      part.type === 'toolResult' ? part.content : [part],
    );
    const names = new Set(contents.flatMap((content) => (content.type === 'image' ? [content.blob] : [])));
    const images = [...names].map(async (name) => [name, base64(await this.#parts.blobs.get(name))] as const);
    return new Map(await Promise.all(images));
  }

  #factory(counter: TokenCounter): BlockFactory {
    const factory = this.#factories.get(counter.id) ?? new BlockFactory(counter, this.#ports.sha256);
    this.#factories.set(counter.id, factory);
    return factory;
  }
}

/** The blobs of the images of messages, or of the texts of tools that are kept as blobs; those in results included. */
function blobNames(messages: readonly SentMessage[], type: 'image' | 'blob'): ReadonlySet<string> {
  return new Set(contentsOf(messages).flatMap((part) => (part.type === type ? [part.blob] : [])));
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
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
  const blocks = attempt === undefined ? null : manifestBlocksOf(attempt, state.attempts);
  const logged = loggedMessages(state);
  return blocks?.every(({ source }) => source.from !== 'message' || logged.has(source.messageId)) === true;
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
export function mayHaveRoom({ size, budget, countable }: Pick<Composed, 'size' | 'budget' | 'countable'>): boolean {
  return size.tokens <= budget * (countable === null ? 1 : ESTIMATE_MARGIN);
}
