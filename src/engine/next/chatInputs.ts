import { isLimitAssumed } from '../budget/budget.js';
import { type AuthorNames, authorNames } from '../chat/authors.js';
import { CompactedChat, type CompactedConversation } from '../chat/checkpoint.js';
import { excludedParts } from '../chat/excludedParts.js';
import type { SentMessage } from '../chat/message/message.js';
import { conversationIn, type ChatState } from '../chat/state.js';
import { endOfConversation, transcript } from '../chat/transcript.js';
import { UntilChange } from '../chat/untilChange.js';
import { agentPrompt, type AgentProfiles } from '../context/agentProfile.js';
import type { CatalogItem } from '../context/catalogItem.js';
import type { Score } from '../context/rank/lexical.js';
import { responseBefore } from '../diagnosis/requestBefore.js';
import type { ContextRecord } from '../record/manifest.js';
import type { OutsideContents } from '../request/adapt/adaptedParts.js';
import type { ArrangeInput } from '../request/arrange.js';
import { lastBreakpoints, lastRecords, lastReplyAttempt } from '../request/base.js';
import type { RequestSources, SystemPiece } from '../request/gather.js';
import { LAYOUTS } from '../request/layout/layouts.js';
import type { Situation } from '../request/layout/situation.js';
import { previousShownLines } from '../request/shownFiles.js';
import { usableFragments } from '../request/systemFragments.js';
import { type ToolMemory, toolMemoryOf } from '../request/toolMemory.js';
import { boundedWorkspace, type LongPart, validWorkspace, type WorkspacePart } from '../request/workspace.js';
import type { ChatAgent, RequestFacts, RequestInputs } from './inputs.js';
import { turnTimes, type TurnTimes } from './situation.js';

/** The parts of a request that do not come from the chat. */
export interface RequestExtras {
  readonly fragments: readonly SystemPiece[];
  /** How well each catalog item matches the newest message. Null for a request without automatically selected items. */
  readonly scores: readonly Score[] | null;
  /** The parts of the workspace message. A run keeps the parts that its beginning has read. */
  readonly workspace: readonly LongPart[];
  /** Messages that are not in the chat yet. */
  readonly newMessages: readonly SentMessage[];
  /** The tools that the chat could use when the run began. Null for the tools that it can use now. */
  readonly tools: readonly CatalogItem[] | null;
  /** The text after the conversation in a request for Loupe's own purposes. Null in a request for a reply. */
  readonly instruction: string | null;
  /** When the request would be sent, in epoch ms: the prompt layout plans for the cache of that time. Null for now. */
  readonly at: number | null;
  /** Whether the request has the draft or its sent message. The composer reuses such a request for the next request. */
  readonly isDraft: boolean;
}

/** The part of the conversation that a request is built from. */
export interface History extends Pick<CompactedConversation, 'checkpoint' | 'pinned'>, Pick<Situation, 'staying'> {
  /** The state of the chat. Its timeline has only the messages that the request uses. */
  readonly state: ChatState;
  readonly said: readonly SentMessage[];
  /** The number of user and assistant messages in `state`. */
  readonly messages: number;
  /** Which context items the last request contained, and why other items were not selected. */
  readonly records: readonly ContextRecord[];
  readonly turns: TurnTimes;
  readonly authors: AuthorNames;
  readonly toolMemory: ToolMemory;
  readonly cacheKey: string;
  /** Whether the request uses all loaded messages. `lacksSome`: the chat has older messages that are not loaded. */
  readonly isLoaded: boolean;
  readonly lacksSome: boolean;
}

/** Caches the histories of a chat until the chat changes, because each key press needs a history. */
export class Histories {
  readonly #compacted = new CompactedChat();
  readonly #known = new UntilChange<Map<number, History>>();

  /** Returns the history with at most this many characters, taken from the end of the conversation. */
  of(state: ChatState, characters: number): History {
    const known = this.#known.of(state, () => new Map<number, History>());
    const history = known.get(characters) ?? this.#read(state, characters);
    known.set(characters, history);
    return history;
  }

  #read(state: ChatState, characters: number): History {
    const { rest, checkpoint, pinned, lacksSome } = this.#compacted.of(state);
    const timeline = endOfConversation(rest, characters);
    const taken = { ...state, timeline };
    return {
      ...{ state: taken, checkpoint, pinned, lacksSome },
      said: transcript(taken).messages,
      messages: conversationIn(timeline),
      records: lastRecords(state),
      turns: turnTimes(state.attempts),
      // Includes files that are unreadable for a moment, while a program writes them: Loupe must not drop these.
      staying: new Set([...state.leaving.keys(), ...state.context.keys()]),
      authors: authorNames(state),
      toolMemory: toolMemoryOf(state),
      // A fork uses the cache key of the original chat, because that chat paid for the cached prefix.
      cacheKey: lastReplyAttempt(taken)?.manifest.params.cacheKey ?? state.chatId,
      isLoaded: timeline.length === rest.length,
    };
  }
}

/** Returns the messages that a request may contain, and which parts of them the user excluded. */
export function saidIn(
  { state, said, pinned }: History,
  { newMessages }: Pick<RequestExtras, 'newMessages'>,
): Pick<ArrangeInput, 'messages' | 'excluded'> {
  const messages = [...said, ...newMessages];
  return { messages: [...pinned, ...messages], excluded: excludedParts({ pinned, messages }, state) };
}

/** Returns the text of the newest user message. */
export function newestMessage(messages: readonly SentMessage[]): string {
  const parts = messages.findLast(({ role }) => role === 'user')?.parts ?? [];
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** What a request takes from outside the chat: from the workspace, the models and the clock. */
export interface OutsideInputs
  extends Pick<RequestInputs, 'model' | 'client' | 'images' | 'situation' | 'calibration' | 'differences' | 'factory'>,
    Pick<RequestSources, 'tools' | 'onDemand'>,
    OutsideContents {
  readonly facts: Pick<RequestFacts, 'context' | 'isLimitLearned'>;
  readonly provider: NonNullable<RequestFacts['counting']>;
  /** Null without an agent. */
  readonly profiles: AgentProfiles | null;
}

/** Returns the inputs of a request from a conversation and from what was read for it. */
export function requestInputs(
  history: History,
  said: ReturnType<typeof saidIn>,
  { fragments, workspace: read, instruction }: RequestExtras,
  outside: OutsideInputs,
): RequestInputs {
  const { state, checkpoint, records } = history;
  const { config, attempts } = state;
  const { standing, picked, files, repository } = outside.facts.context;
  const { model, factory, situation } = outside;
  const agent = chatAgent(config.agent, outside.profiles);
  const workspace = boundedWorkspace(read, config.editorMostTokens, factory);
  const held = new Set(workspace.map(({ key }) => key));
  const shown = read.filter(({ key }) => held.has(key)).map(({ key, name }) => ({ key, name }));
  const counting = model.capabilities.countsTokens && !model.capabilities.counterIsExact ? outside.provider : null;
  // Lists each member for speed (see `measuredRequest`).
  return {
    model,
    client: outside.client,
    factory,
    situation,
    images: outside.images,
    missingImages: outside.missingImages,
    resultTexts: outside.resultTexts,
    calibration: outside.calibration,
    differences: outside.differences,
    tools: outside.tools,
    onDemand: outside.onDemand,
    messages: said.messages,
    excluded: said.excluded,
    authors: history.authors,
    standing,
    picked,
    files,
    checkpoint,
    instruction,
    attempts,
    config,
    layoutOptions: config,
    workspace: instruction === null ? workspace : sentWorkspace(situation),
    fragments: usableFragments(fragments, outside),
    repository: repository.texts,
    fileLinks: repository.links,
    systemPrompt: agentPrompt(agent.profile, config.systemPrompt),
    cacheMode: config.cacheMode,
    cacheLifetime: config.cacheLifetime,
    cacheKey: history.cacheKey,
    previousResponseId: () => responseBefore([...attempts.values()], model.ref),
    frozenBreakpoints: instruction === null ? null : lastBreakpoints(state),
    layout: LAYOUTS[config.cacheMode === 'cached' ? config.layout : 'plain'],
    // A request for a summary must reuse the cached prefix, so its layout is never rebuilt.
    mustRebuild: state.relayoutAsked && instruction === null,
    toolMemory: history.toolMemory,
    shownLines: previousShownLines(records, files, factory.sha256),
    // The user can switch off counts by the provider.
    isCounted: counting?.countsTokens === true,
    facts: { ...factsOf(history, outside), workspace: shown, agent, counting },
  };
}

function factsOf(
  { state: { config, pinned }, messages, isLoaded, lacksSome }: History,
  { facts, model }: OutsideInputs,
): Omit<RequestFacts, 'workspace' | 'agent' | 'counting'> {
  return { ...facts, isLimitAssumed: isLimitAssumed(config, model), isPartial: !isLoaded || lacksSome, messages, pinned, isLoaded };
}

/** Returns the parts of the last request. A request with an instruction repeats it, so that the cache has it. */
function sentWorkspace({ last }: Situation): readonly WorkspacePart[] {
  return last === null ? [] : validWorkspace(last.blocks);
}

function chatAgent(agent: string, profiles: AgentProfiles | null): ChatAgent {
  const profile = profiles?.get(agent) ?? null;
  const isMissing = agent !== '' && (profile === null || profile.problem !== null);
  return { profile, name: isMissing || agent === '' ? null : agent, missing: isMissing ? agent : null };
}
