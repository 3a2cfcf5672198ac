import { splitAtCheckpoint } from '../chat/checkpoint.js';
import { excludedParts } from '../chat/excludedParts.js';
import type { SentMessage } from '../chat/message/message.js';
import type { ChatState } from '../chat/state.js';
import { checkpointTokens } from '../compaction/checkpointTexts.js';
import { forecastPlace, forecastPlan, isNear } from '../compaction/forecast.js';
import { historyIn, type History } from '../compaction/history.js';
import type { MessageScale } from '../compaction/neededAgainReader.js';
import type { Plan } from '../compaction/plan.js';
import { triggerTokens, type Load, type TriggerPlace } from '../compaction/policies/triggers.js';
import { compactionSettings, isWatched, type CompactionSettings } from '../compaction/settings.js';
import { LEAST_NOTE } from '../compaction/emergency.js';
import { LEAST_SUMMARY_TOKENS, MOST_SUMMARY_TOKENS } from '../compaction/summaryBudget.js';
import { openMessages } from '../compaction/range.js';
import type { Prices } from '../model/price.js';
import { promptBlocks, type Prompt } from '../model/prompt.js';
import { lastReplyAttempt } from '../request/base.js';
import type { BlockFactory } from '../request/blockFactory.js';
import { SUMMARY_KEY } from '../request/gather.js';
import type { Request } from '../request/request.js';
import type { ResultTexts } from '../request/resultText.js';
import { forgottenReplies, heldParts, toolMemoryOf } from '../request/toolMemory.js';
import { type ComposedRequest, shownTokens } from './compose.js';
import type { BudgetCheck } from './inputs.js';
import { type RequestSize, scaledTokens } from '../record/requestSize.js';

/** Returns how many tokens of a request belong to the conversation, and how many to everything else. */
export function loadOf({
  prompt,
  budget,
  model,
  size,
  messages,
}: Pick<ComposedRequest, 'prompt' | 'budget' | 'model' | 'size' | 'messages'>): Load {
  const said = saidIn(prompt);
  const historyTokens = scaledTokens(said.tokens + said.messages * model.capabilities.framing.perMessage, size);
  return { budget, fixedTokens: size.tokens - historyTokens, historyTokens, messages };
}

interface SaidSize {
  readonly tokens: number;
  /** The number of messages on the wire with a part of the conversation. */
  readonly messages: number;
}

/** Cached, because several views need the size at each key press. */
const SAID = new WeakMap<Prompt, SaidSize>();

/**
 * Returns the size of the conversation in a prompt. Excludes `carried` tool calls: Loupe drops these automatically, so
 * a summary would not save their tokens.
 */
function saidIn(prompt: Prompt): SaidSize {
  const known = SAID.get(prompt);
  if (known !== undefined) {
    return known;
  }
  let [tokens, messages] = [0, 0];
  for (const { blocks } of prompt.messages) {
    let isSaid = false;
    for (const block of blocks) {
      if (block.category === 'conversation' && block.form !== 'carried') {
        tokens += block.tokens;
        isSaid = true;
      }
    }
    messages += isSaid ? 1 : 0;
  }
  const size = { tokens, messages };
  SAID.set(prompt, size);
  return size;
}

/**
 * Returns the tokens of messages in the next request. Content that it drops or the user excluded has 0 tokens. A result
 * that it sends as a reference (`repeated`) has those of the reference.
 */
export function messageTokens(
  state: ChatState,
  messages: readonly SentMessage[],
  { results, factory }: { readonly results: ResultTexts; readonly factory: BlockFactory },
  repeated: ComposedRequest['repeated'],
): readonly number[] {
  const savedBy = new Map(repeated.map(({ messageId, callId, saved }) => [`${messageId}/${callId}`, saved]));
  const open = openMessages(state);
  const left = excludedParts({ pinned: [], messages: open }, state);
  const forgotten = forgottenReplies(open, toolMemoryOf(state), false);
  return heldParts(messages, forgotten, left.calls).map(({ id: messageId, role, parts }) => {
    const sent = left.messages.has(messageId) ? [] : parts;
    return sent.reduce((sum, { index, part }) => {
      const block = factory.messageBlock({ messageId, index, role, part }, results);
      const saved = part.type === 'toolResult' ? savedBy.get(`${messageId}/${part.callId}`) : undefined;
      return sum + (block?.tokens ?? 0) - (saved ?? 0);
    }, 0);
  });
}

/**
 * A request whose estimate exceeds the budget by up to this factor may fit after the provider has counted it. Estimates
 * without calibration are seldom wrong by more. The provider can only count a complete request.
 */
const ESTIMATE_MARGIN = 1.5;

/** Returns whether a request built from the end of the conversation may have room for older messages. */
export function mayHaveRoom({ size, budget, countable }: Pick<ComposedRequest, 'size' | 'budget' | 'countable'>): boolean {
  return size.tokens <= budget * (countable === null ? 1 : ESTIMATE_MARGIN);
}

/** Maximum share of the free space for a shortened message. Models do not write an exact number of tokens. */
const FILLED = 0.8;

/** The maximum share of a request for the shortened text, because the next part of the original message follows it. */
const MOST_SHARE = 0.5;

export interface Shortening {
  readonly tokens: number;
  readonly mostTokens: number;
}

/**
 * Returns how long the newest message is and how short it must become. Null when there is no room for the message, or
 * when another part of the request is the largest.
 */
export function shorteningOf(
  { excess, isPartial, prompt, answered }: BudgetCheck,
  { size, budget }: Pick<Request, 'size' | 'budget'>,
): Shortening | null {
  const isCause = excess !== null && !isPartial && answered !== null && messageOf(excess.largest[0]?.key ?? '') === answered;
  if (!isCause) {
    return null;
  }
  const own = promptBlocks(prompt).reduce((sum, { key, tokens }) => sum + (messageOf(key) === answered ? tokens : 0), 0);
  const tokens = scaledTokens(own, size);
  const room = budget - (size.tokens - tokens);
  const mostTokens = Math.floor(Math.min(room * FILLED, budget * MOST_SHARE, MOST_SUMMARY_TOKENS));
  return room < LEAST_SUMMARY_TOKENS ? null : { tokens, mostTokens };
}

/** Returns whether a request that is too long may fit if a summary replaces all messages before the newest message. */
export function fitsWithSummary(check: BudgetCheck, { size, budget }: Pick<Request, 'size' | 'budget'>): boolean {
  const freed = earlierTokens(check, size);
  return freed > LEAST_SUMMARY_TOKENS && size.tokens - freed + LEAST_SUMMARY_TOKENS <= budget;
}

/** Returns whether a request that is too long fits if a short note replaces all messages before the newest message. */
export function fitsWithNote(
  { excess, prompt, pinned, answered }: BudgetCheck,
  { size, budget }: Pick<Request, 'size' | 'budget'>,
): boolean {
  const freed = earlierTokens({ prompt, pinned, answered }, size) + scaledTokens(summaryTokens(prompt), size);
  return excess !== null && freed > 0 && size.tokens - freed + LEAST_NOTE <= budget;
}

function summaryTokens(prompt: BudgetCheck['prompt']): number {
  return promptBlocks(prompt).reduce((sum, { key, tokens }) => sum + (key.startsWith(SUMMARY_KEY) ? tokens : 0), 0);
}

/** Returns the tokens of all messages except pinned messages and the newest user message. */
function earlierTokens({ prompt, pinned, answered }: Pick<BudgetCheck, 'prompt' | 'pinned' | 'answered'>, size: Request['size']): number {
  const earlier = promptBlocks(prompt).filter(({ key }) => {
    const id = messageOf(key);
    return id !== null && id !== answered && !pinned.has(id);
  });
  return scaledTokens(
    earlier.reduce((sum, block) => sum + block.tokens, 0),
    size,
  );
}

/** Returns the id of the message that contains the block `key`, or null when no message does. */
export function messageOf(key: string): string | null {
  return key.startsWith('message:') ? key.slice('message:'.length, key.lastIndexOf('/')) : null;
}

/** What decides whether a chat needs a summary, and of what. */
export interface NextRequestFigures {
  readonly state: ChatState;
  /** The tokens of the request as all views show them. */
  readonly requestTokens: number;
  readonly settings: CompactionSettings;
  readonly load: Load;
  /** Where the tokens of the request come from. */
  readonly basis: RequestSize['basis'];
  readonly history: History;
  /** Tokens of the current summary, or null without a summary. */
  readonly earlierSummary: number | null;
  /** The prices of the model, or null when unknown. */
  readonly prices: Prices | null;
}

/** A request below this share of the trigger needs no summary, even if a file has changed or a count is inexact. */
const CERTAIN = 0.8;

/** Returns whether the last request and its reply are far too small to need a summary. Fast: reads no message. */
export function isFarFromFull(state: ChatState, budget: number): boolean {
  const last = lastReplyAttempt(state);
  const reply = last?.end?.usage?.completionTokens?.value ?? 0;
  const settings = compactionSettings(state.config);
  const least = triggerTokens(settings, { budget, fixedTokens: 0 });
  return settings.policy !== 'message-count' && last !== null && last.manifest.size.tokens + reply < least * CERTAIN;
}

/** Returns the size of the next request and the messages after the last summary. Rejects as `weigh` does. */
export async function nextRequestFigures(state: ChatState, composed: ComposedRequest, scale: MessageScale): Promise<NextRequestFigures> {
  const messages = openMessages(state);
  const weighed = await scale.weigh(state, messages, composed.repeated);
  const { checkpoint } = splitAtCheckpoint(state);
  return {
    ...{ state, settings: compactionSettings(state.config), requestTokens: shownTokens(composed) },
    load: { ...loadOf(composed), messages: messages.length },
    basis: composed.size.basis,
    history: withReferences(historyIn(state, messages, weighed.tokens), composed.repeated),
    earlierSummary: checkpoint === null ? null : checkpointTokens(checkpoint.text, weighed.counter),
    prices: composed.model.prices,
  };
}

/**
 * Returns when the next summary will be needed and what it would replace, if `composed` is the next request. Fast when
 * the trigger is far away, because no message is read then. Rejects as `weigh` does.
 */
export async function summaryForecast(
  state: ChatState,
  composed: ComposedRequest,
  scale: MessageScale,
): Promise<{ readonly trigger: TriggerPlace | null; readonly plan: Plan | null }> {
  const of = { settings: compactionSettings(state.config), isWatched: isWatched(state.config) };
  if (composed.isPartial) {
    return { trigger: forecastPlace(of, loadOf(composed)), plan: null };
  }
  const messages = openMessages(state);
  const load = { ...loadOf(composed), messages: messages.length };
  const trigger = forecastPlace(of, load);
  if (!isNear(trigger, load)) {
    return { trigger, plan: null };
  }
  const { tokens } = await scale.weigh(state, messages, composed.repeated);
  return { trigger, plan: forecastPlan(of, withReferences(historyIn(state, messages, tokens), composed.repeated)) };
}

/**
 * Subtracts from what each cut frees by how much the remaining results grow. If a cut removes the content that results
 * refer to, the first of them is sent in full, and the others refer to it.
 */
export function withReferences(
  history: History,
  references: readonly Pick<ComposedRequest['repeated'][number], 'source' | 'messageId' | 'saved'>[],
): History {
  const { freedBefore, removedBefore } = history;
  const places = new Map(history.messages.map(({ message }, place) => [message.id, place]));
  const grown = freedBefore.map(() => 0);
  /** The place of the last message with the content of a source or a reference to it. */
  const lastOf = new Map<string, number>();
  for (const { source, messageId, saved } of references) {
    const of = source === null ? undefined : (lastOf.get(source) ?? places.get(messageOf(source) ?? ''));
    const at = places.get(messageId);
    if (source !== null && of !== undefined && at !== undefined && removedBefore[of] !== removedBefore[of + 1]) {
      for (let cut = of + 1; cut <= at; cut += 1) {
        grown[cut] = (grown[cut] ?? 0) + saved;
      }
      lastOf.set(source, at);
    }
  }
  return { ...history, freedBefore: freedBefore.map((freed, place) => Math.max(0, freed - (grown[place] ?? 0))) };
}
