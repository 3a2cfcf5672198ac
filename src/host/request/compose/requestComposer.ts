import { setImmediate } from 'node:timers/promises';
import { failure, type LoupeError } from '../../../engine/errors.js';
import type { ChatConfig } from '../../../engine/chat/settings/config.js';
import { isLimitAssumed, promptBudget } from '../../../engine/budget/budget.js';
import { replyTokens } from '../../../engine/run/replyTokens.js';
import type { UsageEstimate } from '../../../engine/chat/billedUsage.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { SentMessage } from '../../../engine/chat/message/message.js';
import { recordedForecast } from '../../../engine/cache/forecast.js';
import { excludedParts } from '../../../engine/chat/excludedParts.js';
import { responseBefore } from '../../../engine/diagnosis/requestBefore.js';
import { openMessages } from '../../../engine/compaction/range.js';
import { agentPrompt } from '../../../engine/context/agentProfile.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import type { FileReader } from '../../../engine/context/fileContents.js';
import { pickLimits } from '../../../engine/context/select.js';
import type { Score } from '../../../engine/context/rank/lexical.js';
import type { Clock, Sha256, TokenCounter } from '../../../engine/ports.js';
import type { PreparedRequest } from '../../../engine/run/input.js';
import type { Model, ModelClient, WireRequest } from '../../../engine/model/model.js';
import { UNCALIBRATED, type Calibration } from '../../../engine/tokens/calibration.js';
import { countedBy, ROUGH_COUNTER } from '../../../engine/tokens/roughCounter.js';
import { lastBreakpoints, lastReplyAttempt, manifestBase } from '../../../engine/request/base.js';
import type { ArrangeInput } from '../../../engine/request/arrange.js';
import { BlockFactory, measureParts } from '../../../engine/request/blockFactory.js';
import { LAYOUTS } from '../../../engine/request/layout/layouts.js';
import type { Situation } from '../../../engine/request/layout/situation.js';
import { record, type RecordInput } from '../../../engine/request/record.js';
import type { ResultTexts } from '../../../engine/request/resultText.js';
import { refusedMembersOf, type UnmeasuredRequest } from '../../../engine/request/request.js';
import { forgottenReplies, heldParts, toolMemoryOf } from '../../../engine/request/toolMemory.js';
import { previousShownLines } from '../../../engine/request/shownFiles.js';
import type { Blobs } from '../../../storage/blobs.js';
import { sha256InBackground } from '../../../storage/files/sha256.js';
import type { ModelRegistry, Provider } from '../../models/registry.js';
import { CountsByProvider, type BackgroundCount, type Countable } from './backgroundCount.js';
import type { RequestExtras } from './asking.js';
import { agentRemarks, chatAgent } from './chatAgent.js';
import type { ComposedRequest } from '../composed.js';
import { Histories, type History } from './histories.js';
import { KeptRequest } from './keptRequest.js';
import type { ModelLearning } from './learned.js';
import { Situations } from './situations.js';
import { TEXT_DIFFERENCES } from './textDifferences.js';
import { BlobTexts } from './blobTexts.js';
import { CHARACTERS_PER_TOKEN, mayHaveRoom } from './mayHaveRoom.js';
import { overBudget } from '../overBudget.js';
import type { MeaningRanker, SendRanking, Ranking } from '../../context/catalog/meaningRanker.js';
import type { CatalogSource, RankingScope } from '../../context/catalog/workspaceCatalog.js';
import { OfferedTools } from '../../tools/offeredTools.js';
import type { Toolbox } from '../../tools/toolbox.js';
import { contextRecords, resolveContext } from '../../context/resolveContext.js';

/** What is recorded with a request: the attempt, and how catalog items were selected. */
type RecordKey = { readonly attemptId: string } & Pick<RecordInput, 'picks'>;

/** The tokens of each message by the model's counter, without the tokens between messages. */
export interface MessageTokens {
  readonly tokens: readonly number[];
  readonly results: ResultTexts;
  readonly counter: TokenCounter;
}

export interface RequestComposerPorts {
  readonly models: ModelRegistry;
  readonly files: FileReader;
  readonly catalog: CatalogSource;
  readonly toolbox: Pick<Toolbox, 'servers' | 'resources'>;
  readonly meaning: Pick<MeaningRanker, 'rank'>;
  readonly sha256: Sha256;
  readonly blobs: Blobs;
  readonly learned: ModelLearning;
  readonly counting: BackgroundCount;
  readonly clock: Clock;
  logError(error: LoupeError): void;
}

/** Composes the requests of one chat. Caches measured blocks per token counter, so that the next request is fast. */
export class RequestComposer {
  readonly #ports: RequestComposerPorts;
  readonly #blobs: BlobTexts;
  readonly #situations: Situations;
  readonly #offered: OfferedTools;
  readonly #histories = new Histories();
  readonly #kept = new KeptRequest();
  readonly #factories = new Map<string, BlockFactory>();

  constructor(ports: RequestComposerPorts) {
    this.#ports = ports;
    this.#blobs = new BlobTexts(ports);
    this.#situations = new Situations(this.#blobs, ports.sha256);
    this.#offered = new OfferedTools(ports.toolbox);
  }

  /**
   * Composes a request from the loaded conversation and `asking`. Of a conversation far above the budget, only the end
   * is used. Omits unreadable content. Rejects with `modelGone`.
   */
  compose(state: ChatState, asking: RequestExtras): Promise<ComposedRequest> {
    return this.#compose(state, asking, false);
  }

  /** Works like `compose`, but stores the request. All callers get this request until an input changes. */
  composeDraft(state: ChatState, asking: RequestExtras): Promise<ComposedRequest> {
    return this.#compose(state, asking, true);
  }

  async #compose(state: ChatState, asking: RequestExtras, isDraft: boolean): Promise<ComposedRequest> {
    const { model } = await this.#ports.models.find(state.config.model);
    const situation = await this.#situations.at(state, this.#ports.clock.now());
    for (let characters = promptBudget(state.config, model) * CHARACTERS_PER_TOKEN; ; characters *= 2) {
      const history = this.#histories.of(state, characters);
      const composed = await this.#composeOf(state, { history, situation, isDraft }, asking);
      if (history.isLoaded) {
        return { ...composed, isPartial: history.lacksSome };
      }
      if (!mayHaveRoom(composed)) {
        return { ...composed, isPartial: true };
      }
    }
  }

  /** Returns the tools of MCP servers that the chat can use. Never rejects. */
  async knownTools({ config }: Pick<ChatState, 'config'>): Promise<readonly CatalogItem[]> {
    return [...(await this.#ports.catalog.ofChat(config)).values()].filter(({ type }) => type === 'tool');
  }

  /** Ranks catalog items by their match with a draft. Compares words only, not meaning. Rejects with `modelGone`. */
  async rank(message: string, { config }: Pick<ChatState, 'config'>): Promise<readonly Score[]> {
    return this.#ports.catalog.rank(message, config.pickCandidates, await this.#ranked(config));
  }

  /** Ranks catalog items by their match with a sent message, once per run. Rejects with `modelGone`. */
  async rankSent(message: string, state: ChatState, asking: Pick<SendRanking, 'signal' | 'maySpend'>): Promise<Ranking> {
    return this.#ports.meaning.rank(message, state, { ...(await this.#ranked(state.config)), ...asking });
  }

  /** Returns whether the chat's model supports tools. Rejects with `modelGone`. */
  async takesTools({ config }: Pick<ChatState, 'config'>): Promise<boolean> {
    return (await this.#ports.models.find(config.model)).model.capabilities.tools;
  }

  async #ranked(chat: ChatConfig): Promise<RankingScope> {
    const { model } = await this.#ports.models.find(chat.model);
    return { chat, loadsTools: model.capabilities.toolsOnDemand };
  }

  async #composeOf(
    chat: ChatState,
    { history, situation, isDraft }: ComposeBasis,
    { fragments, scores, newMessages, tools, instruction }: RequestExtras,
  ): Promise<Omit<ComposedRequest, 'isPartial'>> {
    const { state, checkpoint, records } = history;
    const { config, attempts } = state;
    const { provider, client, counter, model, isLimitLearned } = await this.#found(config);
    const picking = scores === null ? null : { scores, limits: pickLimits(config) };
    const context = await resolveContext(state, { picking, tools, model }, this.#ports);
    const said = saidIn(history, newMessages);
    const factory = this.#factory(counter);
    const { images, ...outside } = await this.#blobs.of(said.messages);
    const agent = await chatAgent(config, this.#ports.catalog);
    const systemPrompt = agentPrompt(agent.profile, config.systemPrompt);
    const { standing, picked, files } = context;
    const sources = { ...this.#offered.of(context), standing, picked, files, systemPrompt, fragments, checkpoint, ...said, instruction };
    const convert = ({ prompt, cacheParams }: UnmeasuredRequest, maxOutputTokens: number | null): WireRequest =>
      client.convert(model, prompt, { maxOutputTokens, extraBody: model.extraBody, ...cacheParams, ...refusedMembersOf(model) }, images);
    const counting = countingProvider(provider, model);
    // The user can switch off counts by the provider.
    const isCounted = counting?.countsTokens === true;
    const newCounts = new CountsByProvider(this.#ports.counting, (draft) =>
      isCounted ? this.#countable(model, client, (limit) => convert(draft, limit)) : null,
    );
    const ofCache = {
      ...{ cacheMode: config.cacheMode, cacheLifetime: config.cacheLifetime },
      // A fork uses the cache key of the original chat, because that chat paid for the cached prefix.
      cacheKey: lastReplyAttempt(state)?.manifest.params.cacheKey ?? state.chatId,
      previousResponseId: () => responseBefore([...attempts.values()], model.ref),
      frozenBreakpoints: instruction === null ? null : lastBreakpoints(state),
    };
    const inputs = {
      ...{ ...sources, ...outside, ...ofCache, model, attempts, client, isCounted },
      layout: LAYOUTS[config.cacheMode === 'cached' ? config.layout : 'plain'],
      ...{ situation, config, layoutOptions: config, calibration: this.#calibration(model) },
      differences: TEXT_DIFFERENCES,
      // A request for a summary must reuse the cached prefix, so it is never rebuilt.
      mustRebuild: state.relayoutAsked && instruction === null,
      toolMemory: toolMemoryOf(state),
      shownLines: previousShownLines(records, files, this.#ports.sha256),
    };
    const { request, counts } = await this.#kept.of(inputs, newCounts, { factory, keeps: isDraft });
    const offered = request.offersTools ? context.tools : [];
    const remarks = [...context.remarks, ...agentRemarks(agent.profile, context.catalog)];
    return {
      ...request,
      client,
      situation,
      context: { ...context, tools: offered, remarks },
      records: contextRecords(context, request),
      ...{ agent: agent.name, missingAgent: agent.missing, isLimitLearned, isLimitAssumed: isLimitAssumed(config, model) },
      ...{ messages: history.messages, pinned: state.pinned },
      answered: said.messages.findLast(({ role }) => role === 'user')?.id ?? null,
      ...{ countable: counts.wanted, counting },
      ...this.#ports.learned.expected(request, chat, offered.length > 0),
      wire: () => convert(request, request.params.maxOutputTokens),
    };
  }

  /** Returns the chat's model, corrected by what Loupe learned from earlier requests. */
  async #found(config: ChatConfig): Promise<FoundModel> {
    const { provider, model: configured, client } = await this.#ports.models.find(config.model);
    const limited = this.#ports.learned.taught(configured);
    const counter = await this.#ports.models.counter(limited.capabilities.counter);
    return { provider, client, counter, model: countedBy(limited, counter), isLimitLearned: limited !== configured };
  }

  /**
   * Returns the form of the request that the provider should count. The output limit is the model's own limit: the
   * limit that will be sent depends on the count, and providers do not count the limit.
   */
  #countable(model: Model, client: ModelClient, convert: (limit: number | null) => WireRequest): Countable {
    const wire = convert(model.maxOutputTokens);
    return { model, client, wire, hash: this.#ports.sha256(wire.body) };
  }

  /** Returns how many tokens a request of the chat may have. Rejects with `modelGone`. */
  async budget({ config }: ChatState): Promise<number> {
    const { model } = await this.#ports.models.find(config.model);
    return promptBudget(config, this.#ports.learned.taught(model));
  }

  /**
   * Returns the tokens of messages by the chat's model, and the texts of large tool results. Content that the next
   * request drops or the user excluded has 0 tokens.
   */
  async weigh(state: ChatState, messages: readonly SentMessage[]): Promise<MessageTokens> {
    const { model } = await this.#ports.models.find(state.config.model);
    const counter = await this.#ports.models.counter(model.capabilities.counter);
    const factory = this.#factory(counter);
    const results = await this.#blobs.results(messages);
    await measureParts(messages, results, factory, setImmediate);
    const open = openMessages(state);
    const left = excludedParts({ pinned: [], messages: open }, state);
    const forgotten = forgottenReplies(open, toolMemoryOf(state), false);
    const tokens = heldParts(messages, forgotten, left.calls).map(({ id: messageId, role, parts }) => {
      const sent = left.messages.has(messageId) ? [] : parts;
      const blocks = sent.map(({ index, part }) => factory.messageBlock({ messageId, index, role, part }, results));
      return blocks.reduce((sum, block) => sum + (block?.tokens ?? 0), 0);
    });
    return { tokens, results, counter };
  }

  /**
   * Returns a request that is ready to send, with its record. Throws `contextOverflow` when the request is too long.
   * Stores blobs before the manifest with their names is logged.
   */
  async prepare(composed: ComposedRequest, state: ChatState, { attemptId, picks }: RecordKey): Promise<PreparedRequest> {
    const problem = overBudget(composed);
    if (problem !== null) {
      throw failure('request.overBudget', { problem });
    }
    const { model, client } = composed;
    // Pause for other work, because each step takes a while with thousands of blocks.
    await setImmediate();
    const wire = composed.wire();
    await setImmediate();
    const bodyHash = await sha256InBackground(Buffer.from(wire.body, 'utf8'));
    const forecast = composed.forecast === null ? {} : { forecast: recordedForecast(composed.forecast) };
    const { manifest, blobs } = record(
      { request: composed, context: composed.records, picks, wire, bodyHash, forecast, base: manifestBase(state) },
      this.#ports.sha256,
    );
    for (const json of blobs.values()) {
      await this.#ports.blobs.put(Buffer.from(json, 'utf8'));
    }
    const counter = await this.#ports.models.counter(model.capabilities.counter);
    return {
      attemptId,
      model,
      client,
      manifest,
      wire,
      cacheControlIndex: manifest.marks.at(-1)?.at ?? null,
      pricesOf: (id) => this.#ports.models.pricesOf(model.ref.provider, id),
      estimateUsage: async (reply) => this.#estimateUsage(composed, await replyTokens(reply, counter, setImmediate)),
    };
  }

  #estimateUsage({ size, model }: ComposedRequest, countedReply: number): UsageEstimate {
    const { factor } = this.#calibration(model);
    return {
      promptTokens: { value: size.tokens, source: 'estimated' },
      completionTokens: { value: Math.round(countedReply * factor), source: 'estimated' },
    };
  }

  /** Returns the correction of estimated counts, or no correction for a counter that it was not measured with. */
  #calibration({ ref, capabilities: { counter, counterIsExact } }: Model): Calibration {
    return counterIsExact || counter === ROUGH_COUNTER.id ? UNCALIBRATED : this.#ports.learned.calibration(ref);
  }

  #factory(counter: TokenCounter): BlockFactory {
    const factory = this.#factories.get(counter.id) ?? new BlockFactory(counter, this.#ports.sha256);
    this.#factories.set(counter.id, factory);
    return factory;
  }
}

/** Returns the messages that a request may contain, and which parts of them the user excluded. */
function saidIn({ state, said, pinned }: History, more: readonly SentMessage[]): Pick<ArrangeInput, 'messages' | 'excluded'> {
  const messages = [...said, ...more];
  return { messages: [...pinned, ...messages], excluded: excludedParts({ pinned, messages }, state) };
}

/** Returns the provider, if it can count tokens for this model and Loupe's counter is not exact. */
function countingProvider(provider: Provider, { capabilities }: Model): Provider | null {
  return capabilities.countsTokens && !capabilities.counterIsExact ? provider : null;
}

interface FoundModel {
  readonly provider: Provider;
  readonly client: ModelClient;
  readonly counter: TokenCounter;
  readonly model: Model;
  /** Whether a limit or a rejected parameter of the model was learned from a failed request. */
  readonly isLimitLearned: boolean;
}

interface ComposeBasis {
  readonly isDraft: boolean;
  readonly history: History;
  readonly situation: Situation;
}
