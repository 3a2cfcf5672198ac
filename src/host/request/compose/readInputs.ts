import { isLimitAssumed, promptBudget } from '../../../engine/budget/budget.js';
import type { ChatConfig } from '../../../engine/chat/settings/config.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { excludedParts } from '../../../engine/chat/excludedParts.js';
import type { SentMessage } from '../../../engine/chat/message/message.js';
import { UntilChange } from '../../../engine/chat/untilChange.js';
import { agentPrompt } from '../../../engine/context/agentProfile.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import type { FileReader } from '../../../engine/context/fileContents.js';
import type { Score } from '../../../engine/context/rank/lexical.js';
import { pickLimits } from '../../../engine/context/select.js';
import { responseBefore } from '../../../engine/diagnosis/requestBefore.js';
import type { LoupeError } from '../../../engine/errors.js';
import type { Clock, Sha256, TokenCounter } from '../../../engine/ports.js';
import type { Model, ModelClient } from '../../../engine/model/model.js';
import type { ArrangeInput } from '../../../engine/request/arrange.js';
import { lastBreakpoints, lastAttempt, isRead, lastReplyAttempt } from '../../../engine/request/base.js';
import { BlockFactory } from '../../../engine/request/blockFactory.js';
import type { SystemPiece } from '../../../engine/request/gather.js';
import { LAYOUTS } from '../../../engine/request/layout/layouts.js';
import type { Situation } from '../../../engine/request/layout/situation.js';
import { manifestBlocksOf } from '../../../engine/request/rebuild.js';
import { previousShownLines } from '../../../engine/request/shownFiles.js';
import { toolMemoryOf } from '../../../engine/request/toolMemory.js';
import { type Calibration, UNCALIBRATED } from '../../../engine/tokens/calibration.js';
import { countedBy, ROUGH_COUNTER } from '../../../engine/tokens/roughCounter.js';
import type { Blobs } from '../../../storage/blobs.js';
import type { MeaningRanker, Ranking, SendRanking } from '../../context/catalog/meaningRanker.js';
import type { CatalogSource, RankingScope } from '../../context/catalog/workspaceCatalog.js';
import { resolveContext } from '../../context/resolveContext.js';
import type { ModelRegistry, Provider } from '../../models/registry.js';
import { OfferedTools } from '../../tools/offeredTools.js';
import type { Toolbox } from '../../tools/toolbox.js';
import { BlobTexts } from './blobTexts.js';
import type { ChatAgent, RequestInputs } from '../../../engine/next/inputs.js';
import { Histories, type History } from '../../../engine/next/histories.js';
import type { ModelLearning } from '../../../engine/next/learned.js';
import { copiesOf, type LastSent, sentBlocks, situationAt, type TurnTimes, turnTimes } from '../../../engine/next/situation.js';
import { TEXT_DIFFERENCES } from './textDifferences.js';

/** The parts of a request that do not come from the chat. */
export interface RequestExtras {
  readonly fragments: readonly SystemPiece[];
  /** How well each catalog item matches the newest message. Null for a request without automatically selected items. */
  readonly scores: readonly Score[] | null;
  /** Messages that are not in the chat yet. */
  readonly newMessages: readonly SentMessage[];
  /** The tools that the chat could use when the run began. Null for the tools that it can use now. */
  readonly tools: readonly CatalogItem[] | null;
  /** The text after the conversation in a request for Loupe's own purposes. Null in a request for a reply. */
  readonly instruction: string | null;
  /** Whether the request has the draft or its sent message. The composer reuses such a request for the next request. */
  readonly isDraft: boolean;
}

export interface InputPorts {
  readonly models: ModelRegistry;
  readonly files: FileReader;
  readonly catalog: CatalogSource;
  readonly toolbox: Pick<Toolbox, 'servers' | 'resources'>;
  readonly meaning: Pick<MeaningRanker, 'rank'>;
  readonly sha256: Sha256;
  readonly blobs: Blobs;
  readonly learned: ModelLearning;
  readonly clock: Clock;
  logError(error: LoupeError): void;
}

interface FoundModel {
  readonly provider: Provider;
  readonly client: ModelClient;
  readonly counter: TokenCounter;
  readonly model: Model;
  /** Whether a limit or a rejected parameter of the model was learned from a failed request. */
  readonly isLimitLearned: boolean;
}

/**
 * Real text has far fewer characters per token (English prose: four). A conversation with more characters than this per
 * token of the budget does not fit. The rest is not tokenized, which would block for seconds in a long chat. If the
 * text still fits, such as pages of spaces, the request is composed again with twice as many characters.
 */
const CHARACTERS_PER_TOKEN = 8;

/** Reads the inputs of one chat's requests: catalog, files, tools, blobs, model, time. Its caches change no result. */
export class InputReader {
  readonly blobs: BlobTexts;
  readonly #ports: InputPorts;
  readonly #offered: OfferedTools;
  readonly #histories = new Histories();
  readonly #turns = new UntilChange<TurnTimes>();
  readonly #factories = new Map<string, BlockFactory>();
  #lastSent: LastSent | null = null;

  constructor(ports: InputPorts) {
    this.#ports = ports;
    this.blobs = new BlobTexts(ports);
    this.#offered = new OfferedTools(ports.toolbox);
  }

  /** Reads the inputs of a request with at most this many characters of the conversation. Rejects with `modelGone`. */
  async read(chat: ChatState, extras: RequestExtras, characters: number): Promise<RequestInputs> {
    const { fragments, scores, newMessages, tools, instruction } = extras;
    const { sha256, catalog } = this.#ports;
    const history = this.#histories.of(chat, characters);
    const { state, checkpoint, records } = history;
    const { config, attempts } = state;
    const { provider, client, counter, model, isLimitLearned } = await this.#found(config);
    const situation = await this.#situation(chat);
    const picking = scores === null ? null : { scores, limits: pickLimits(config) };
    const context = await resolveContext(state, { picking, tools, model }, this.#ports);
    const said = saidIn(history, newMessages);
    const outside = await this.blobs.of(said.messages);
    const agent = await chatAgent(config, catalog);
    const { standing, picked, files } = context;
    const counting = model.capabilities.countsTokens && !model.capabilities.counterIsExact ? provider : null;
    return {
      ...{ ...this.#offered.of(context), standing, picked, files, fragments, checkpoint, ...said, instruction, ...outside },
      systemPrompt: agentPrompt(agent.profile, config.systemPrompt),
      ...{ model, client, attempts, situation, config, layoutOptions: config, calibration: this.calibration(model) },
      ...{ cacheMode: config.cacheMode, cacheLifetime: config.cacheLifetime },
      // A fork uses the cache key of the original chat, because that chat paid for the cached prefix.
      cacheKey: lastReplyAttempt(state)?.manifest.params.cacheKey ?? state.chatId,
      previousResponseId: () => responseBefore([...attempts.values()], model.ref),
      frozenBreakpoints: instruction === null ? null : lastBreakpoints(state),
      layout: LAYOUTS[config.cacheMode === 'cached' ? config.layout : 'plain'],
      differences: TEXT_DIFFERENCES,
      // A request for a summary must reuse the cached prefix, so its layout is never rebuilt.
      mustRebuild: state.relayoutAsked && instruction === null,
      toolMemory: toolMemoryOf(state),
      shownLines: previousShownLines(records, files, sha256),
      factory: this.factory(counter),
      // The user can switch off counts by the provider.
      isCounted: counting?.countsTokens === true,
      facts: {
        ...{ context, agent, counting, isLimitLearned, isLimitAssumed: isLimitAssumed(config, model) },
        ...{ messages: history.messages, pinned: state.pinned },
        ...{ isLoaded: history.isLoaded, isPartial: !history.isLoaded || history.lacksSome },
      },
    };
  }

  /** Returns how many characters of the conversation to read first. Rejects with `modelGone`. */
  async characters({ config }: Pick<ChatState, 'config'>): Promise<number> {
    return promptBudget(config, (await this.#ports.models.find(config.model)).model) * CHARACTERS_PER_TOKEN;
  }

  /** Returns the tools that the chat can use. Never rejects. */
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

  /** Returns the maximum number of tokens in a request of the chat. Rejects with `modelGone`. */
  async budget({ config }: Pick<ChatState, 'config'>): Promise<number> {
    const { model } = await this.#ports.models.find(config.model);
    return promptBudget(config, this.#ports.learned.taught(model));
  }

  /** Returns the counter of the chat's model. Rejects with `modelGone`. */
  async counter({ config }: Pick<ChatState, 'config'>): Promise<TokenCounter> {
    const { model } = await this.#ports.models.find(config.model);
    return this.#ports.models.counter(model.capabilities.counter);
  }

  /** Returns the correction of estimated counts. Corrects neither exact counts nor counts of the rough counter. */
  calibration({ ref, capabilities: { counter, counterIsExact } }: Model): Calibration {
    return counterIsExact || counter === ROUGH_COUNTER.id ? UNCALIBRATED : this.#ports.learned.calibration(ref);
  }

  /** Returns the factory that keeps the blocks which this counter has measured. */
  factory(counter: TokenCounter): BlockFactory {
    const factory = this.#factories.get(counter.id) ?? new BlockFactory(counter, this.#ports.sha256);
    this.#factories.set(counter.id, factory);
    return factory;
  }

  async #ranked(chat: ChatConfig): Promise<RankingScope> {
    const { model } = await this.#ports.models.find(chat.model);
    return { chat, loadsTools: model.capabilities.toolsOnDemand };
  }

  /** Returns the chat's model, corrected by what Loupe learned from earlier requests. */
  async #found(config: ChatConfig): Promise<FoundModel> {
    const { provider, model: configured, client } = await this.#ports.models.find(config.model);
    const limited = this.#ports.learned.taught(configured);
    const counter = await this.#ports.models.counter(limited.capabilities.counter);
    return { provider, client, counter, model: countedBy(limited, counter), isLimitLearned: limited !== configured };
  }

  /** Never rejects: logs an unreadable copy, and treats the copy as not sent. */
  async #situation(state: ChatState): Promise<Situation> {
    const last = lastAttempt(state, isRead);
    const sent = last === null ? null : await this.#sent(last, state);
    const turns = this.#turns.of(state, () => turnTimes(state.attempts));
    return situationAt(this.#ports.clock.now(), sent, turns, state);
  }

  async #sent(attempt: AttemptState, { attempts }: ChatState): Promise<LastSent | null> {
    const recorded = this.#lastSent?.attempt.manifest === attempt.manifest ? null : manifestBlocksOf(attempt, attempts);
    if (recorded !== null) {
      const texts = await this.blobs.load('copy', copiesOf(recorded));
      this.#lastSent = { attempt, blocks: sentBlocks(recorded, texts, this.#ports.sha256) };
    }
    return this.#lastSent?.attempt.manifest === attempt.manifest ? this.#lastSent : null;
  }
}

/** Returns the messages that a request may contain, and which parts of them the user excluded. */
function saidIn({ state, said, pinned }: History, more: readonly SentMessage[]): Pick<ArrangeInput, 'messages' | 'excluded'> {
  const messages = [...said, ...more];
  return { messages: [...pinned, ...messages], excluded: excludedParts({ pinned, messages }, state) };
}

async function chatAgent({ agent }: Pick<ChatConfig, 'agent'>, catalog: Pick<CatalogSource, 'profiles'>): Promise<ChatAgent> {
  const profile = agent === '' ? null : ((await catalog.profiles()).get(agent) ?? null);
  const isMissing = agent !== '' && (profile === null || profile.problem !== null);
  return { profile, name: isMissing || agent === '' ? null : agent, missing: isMissing ? agent : null };
}
