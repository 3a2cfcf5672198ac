import { setImmediate } from 'node:timers/promises';
import type { SentMessage } from '../../../engine/chat/message/message.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { Forecast } from '../../../engine/cache/forecast.js';
import { measureParts } from '../../../engine/request/blockFactory.js';
import type { PreparedRequest } from '../../../engine/run/input.js';
import type { BackgroundCount } from '../../../engine/next/backgroundCount.js';
import type { ComposedRequest, Composition, FindCount } from '../../../engine/next/compose.js';
import { compose, composedRequest, offeredTools, withKnownNewest } from '../../../engine/next/compose.js';
import type { RequestInputs } from '../../../engine/next/inputs.js';
import type { ModelLearning } from '../../../engine/next/learned.js';
import { withSentTools } from '../../../engine/next/sentTools.js';
import { mayHaveRoom, messageTokens } from '../../../engine/next/room.js';
import { withoutNewEntries } from '../../../engine/next/withoutNewEntries.js';
import type { Request } from '../../../engine/request/request.js';
import type { RepeatedResult } from '../../../engine/request/adapt/repeats.js';
import type { MessageTokens } from '../../../engine/compaction/neededAgainReader.js';
import { type PrepareOptions, prepare } from './prepare.js';
import { sameStart } from '../../../engine/same.js';
import type { RequestExtras } from '../../../engine/next/chatInputs.js';
import type { Blobs } from '../../../storage/blobs.js';
import { InputReader, type InputPorts } from './readInputs.js';

export interface RequestComposerPorts extends InputPorts {
  readonly blobs: Blobs;
  readonly counting: Pick<BackgroundCount, 'find'>;
}

/** Composes the requests of one chat. Keeps the draft's request, to compose the next request from it. */
export class RequestComposer {
  readonly reader: InputReader;
  readonly #ports: RequestComposerPorts;
  readonly #find: FindCount;
  #kept: Composition | null = null;
  /** The same request with the tools of the last request. */
  #keptWithSentTools: Composition | null = null;

  constructor(ports: RequestComposerPorts) {
    this.#ports = ports;
    this.#find = ports.counting.find.bind(ports.counting);
    this.reader = new InputReader(ports);
  }

  /**
   * Composes a request from the loaded conversation and `asking`. Uses only the end of a conversation far above the
   * budget. Omits unreadable content. Rejects with `modelGone`.
   */
  async compose(chat: ChatState, asking: RequestExtras): Promise<ComposedRequest> {
    for (let limit = await this.reader.limit(chat); ; limit = { ...limit, characters: limit.characters * 2 }) {
      const inputs = withKnownNewest(await this.reader.read(chat, asking, limit), this.#kept);
      const measured = this.#kept?.inputs.factory === inputs.factory ? sameStart(this.#kept.inputs.messages, inputs.messages) : 0;
      await measureParts(inputs.messages.slice(measured), inputs.resultTexts, inputs.factory, setImmediate);
      const composition = compose(inputs, this.#kept, this.#find);
      this.#kept = asking.isDraft ? composition : this.#kept;
      const hasTools = offeredTools(inputs, composition.request).length > 0;
      const expected = (made: Request): ReturnType<ModelLearning['expected']> => this.#ports.learned.expected(made, chat, hasTools);
      const request =
        asking.instruction === null ? composition.request : withoutNewEntries(composition.request, (made) => expected(made).forecast);
      const composed = composedRequest(
        { ...composition, request },
        { ...expected(request), forecastWithSentTools: () => this.#forecastWithSentTools(inputs, chat) },
      );
      if (inputs.facts.isLoaded || !mayHaveRoom(composed)) {
        return composed;
      }
    }
  }

  #forecastWithSentTools(inputs: RequestInputs, chat: ChatState): Forecast | null {
    const unchanged = withSentTools(inputs);
    if (unchanged === null) {
      return null;
    }
    this.#keptWithSentTools = compose(unchanged, this.#keptWithSentTools, this.#find);
    return this.#ports.learned.forecast(this.#keptWithSentTools.request, chat);
  }

  /** Composes a request that contains only `instruction`, without the conversation. Rejects with `modelGone`. */
  composeAlone(state: ChatState, instruction: string): Promise<ComposedRequest> {
    const nothing = { timeline: [], context: new Map(), compactions: new Map(), pinned: new Set<string>() };
    const config = { ...state.config, systemPrompt: '' };
    const nothingElse = { fragments: [], scores: null, workspace: [], newMessages: [], tools: [], at: null, isDraft: false };
    return this.compose({ ...state, ...nothing, config }, { ...nothingElse, instruction });
  }

  /** See `prepare`. */
  prepare(composed: ComposedRequest, state: ChatState, options: PrepareOptions): Promise<PreparedRequest> {
    return prepare(composed, state, options, this.#ports);
  }

  /**
   * Returns the tokens of messages by the chat's model, and the texts of large tool results. Content that the next
   * request drops or the user excluded has 0 tokens. `repeated`: the results that count as references.
   */
  async weigh(state: ChatState, messages: readonly SentMessage[], repeated: readonly RepeatedResult[]): Promise<MessageTokens> {
    const { counter, factory } = await this.reader.measuring(state);
    const results = await this.reader.blobs.results(messages);
    await measureParts(messages, results, factory, setImmediate);
    return { tokens: messageTokens(state, messages, { results, factory }, repeated), results, counter };
  }
}
