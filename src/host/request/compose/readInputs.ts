import { promptBudget } from '../../../engine/budget/budget.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import type { Score } from '../../../engine/context/rank/lexical.js';
import type { LoupeError } from '../../../engine/errors.js';
import type { Model } from '../../../engine/model/model.js';
import { Histories, newestMessage, type RequestExtras, requestInputs, saidIn } from '../../../engine/next/chatInputs.js';
import type { RequestInputs } from '../../../engine/next/inputs.js';
import type { ModelLearning } from '../../../engine/next/learned.js';
import { resolveRepository, type RepositorySource } from '../../../engine/next/repository.js';
import { type LastSent, lastSent, situationOf } from '../../../engine/next/situation.js';
import type { Clock, TokenCounter } from '../../../engine/ports.js';
import { BlockFactory } from '../../../engine/request/blockFactory.js';
import { isSame } from '../../../engine/same.js';
import { countedBy } from '../../../engine/tokens/roughCounter.js';
import type { MeaningRanker, Ranking, SendRanking } from '../../context/catalog/meaningRanker.js';
import type { RankingScope } from '../../context/catalog/workspaceCatalog.js';
import { ContextReader, type ContextSources } from '../../context/resolveContext.js';
import type { ModelRegistry } from '../../models/registry.js';
import { OfferedTools } from '../../tools/offeredTools.js';
import type { Toolbox } from '../../tools/toolbox.js';
import { BlobTexts } from './blobTexts.js';
import { TEXT_DIFFERENCES } from './textDifferences.js';

export interface InputPorts extends ContextSources {
  readonly models: ModelRegistry;
  readonly toolbox: Pick<Toolbox, 'servers' | 'resources'>;
  readonly repository: RepositorySource;
  readonly meaning: Pick<MeaningRanker, 'rank'>;
  readonly learned: ModelLearning;
  readonly clock: Clock;
  logError(error: LoupeError): void;
}

/**
 * Real text has far fewer characters per token (English prose: four). A conversation with more characters than this per
 * token of the budget does not fit. The rest is not tokenized, which would block for seconds in a long chat. If the
 * text still fits, such as pages of spaces, the request is composed again with twice as many characters.
 */
const CHARACTERS_PER_TOKEN = 8;

type Settings = Pick<ChatState, 'config'>;

type FoundModel = Awaited<ReturnType<ModelRegistry['find']>>;

/** The model of a request, and the maximum number of characters of the conversation to read for it. */
interface ReadLimit extends FoundModel {
  readonly characters: number;
}

/** A factory, and what its measurements depend on. */
interface KeptFactory extends Pick<Model['capabilities'], 'imageTokens'> {
  /** Id of the token counter. */
  readonly counter: string;
  readonly factory: BlockFactory;
}

/** Reads the inputs of one chat's requests: catalog, files, tools, blobs, model, time. Its caches change no result. */
export class InputReader {
  readonly blobs: BlobTexts;
  readonly #ports: InputPorts;
  readonly #offered: OfferedTools;
  readonly #context: ContextReader;
  readonly #histories = new Histories();
  readonly #factories: KeptFactory[] = [];
  #lastSent: LastSent | null = null;

  constructor(ports: InputPorts) {
    this.#ports = ports;
    this.blobs = new BlobTexts(ports);
    this.#context = new ContextReader(ports);
    this.#offered = new OfferedTools(ports.toolbox);
  }

  /** Reads the inputs of a request with at most this many characters of the conversation. */
  async read(
    chat: ChatState,
    extras: RequestExtras,
    { provider, client, model: configured, characters }: ReadLimit,
  ): Promise<RequestInputs> {
    const { sha256, clock, catalog, learned, models } = this.#ports;
    const history = this.#histories.of(chat, characters);
    const { config } = history.state;
    const limited = learned.taught(configured);
    const counter = await models.counter(limited.capabilities.counter);
    const model = countedBy(limited, counter);
    const last = await lastSent(chat, this.#lastSent, (names) => this.blobs.load('copy', names), sha256);
    // A request without the conversation has no last request, but the next request with it does.
    this.#lastSent = last ?? this.#lastSent;
    const at = extras.at ?? clock.now();
    const situation = situationOf(last, history, chat.config.model, (sent) => learned.caches.cachedBlocks(sent, model, chat, at));
    const said = saidIn(history, extras);
    const resolved = await this.#context.read(history.state, { model, scores: extras.scores, tools: extras.tools });
    const repository = await resolveRepository(
      {
        budget: promptBudget(config, model),
        ...{ config, model, situation, counter },
        mustRebuild: chat.relayoutAsked,
        hasInstruction: extras.instruction !== null,
        message: newestMessage(said.messages),
        files: new Set(resolved.files.keys()),
      },
      this.#ports.repository,
    );
    const context = { repository, ...resolved };
    const { images, missingImages, resultTexts } = await this.blobs.of(said.messages);
    const { tools, onDemand } = this.#offered.of(context);
    return requestInputs(history, said, extras, {
      facts: { context, isLimitLearned: limited !== configured },
      profiles: config.agent === '' ? null : await catalog.profiles(),
      model,
      client,
      situation,
      provider,
      images,
      missingImages,
      resultTexts,
      tools,
      onDemand,
      calibration: learned.correction(model),
      differences: TEXT_DIFFERENCES,
      factory: this.#factory(counter, model),
    });
  }

  /** Returns the chat's model, and how many characters of the conversation to read first. Rejects with `modelGone`. */
  async limit(chat: Settings): Promise<ReadLimit> {
    const found = await this.#model(chat);
    return { ...found, characters: promptBudget(chat.config, found.model) * CHARACTERS_PER_TOKEN };
  }

  /** Returns the tools that the chat can use. Never rejects. */
  async knownTools({ config }: Settings): Promise<readonly CatalogItem[]> {
    return [...(await this.#ports.catalog.ofChat(config)).values()].filter(({ type }) => type === 'tool');
  }

  /** Ranks catalog items by their match with a draft. Compares words only, not meaning. Rejects with `modelGone`. */
  async rank(message: string, chat: Settings): Promise<readonly Score[]> {
    return this.#ports.catalog.rank(message, chat.config.pickCandidates, await this.#ranked(chat));
  }

  /** Ranks catalog items by their match with a sent message, once per run. Rejects with `modelGone`. */
  async rankSent(message: string, state: ChatState, asking: Pick<SendRanking, 'signal' | 'maySpend'>): Promise<Ranking> {
    return this.#ports.meaning.rank(message, state, { ...(await this.#ranked(state)), ...asking });
  }

  /** Returns whether the chat's model supports tools. Rejects with `modelGone`. */
  async takesTools(chat: Settings): Promise<boolean> {
    return (await this.#model(chat)).model.capabilities.tools;
  }

  /** Returns the maximum number of tokens in a request of the chat. Rejects with `modelGone`. */
  async budget(chat: Settings): Promise<number> {
    return promptBudget(chat.config, this.#ports.learned.taught((await this.#model(chat)).model));
  }

  /** Returns the counter of the chat's model. Rejects with `modelGone`. */
  async counter(chat: Settings): Promise<TokenCounter> {
    return this.#ports.models.counter((await this.#model(chat)).model.capabilities.counter);
  }

  /** Returns what measures messages for the chat's model. Rejects with `modelGone`. */
  async measuring(chat: Settings): Promise<{ readonly counter: TokenCounter; readonly factory: BlockFactory }> {
    const { model } = await this.#model(chat);
    const counter = await this.#ports.models.counter(model.capabilities.counter);
    return { counter, factory: this.#factory(counter, model) };
  }

  /** Returns the factory that keeps the blocks which this counter and rule of images have measured. */
  #factory(counter: TokenCounter, { capabilities: { imageTokens } }: Model): BlockFactory {
    const known = this.#factories.find((each) => each.counter === counter.id && isSame(each.imageTokens, imageTokens));
    if (known !== undefined) {
      return known.factory;
    }
    const factory = new BlockFactory(counter, this.#ports.sha256, imageTokens);
    this.#factories.push({ counter: counter.id, imageTokens, factory });
    return factory;
  }

  #model({ config }: Settings): ReturnType<ModelRegistry['find']> {
    return this.#ports.models.find(config.model);
  }

  async #ranked(chat: Settings): Promise<RankingScope> {
    return { chat: chat.config, loadsTools: (await this.#model(chat)).model.capabilities.toolsOnDemand };
  }
}
