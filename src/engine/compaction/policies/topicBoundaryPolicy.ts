import { type History, cutAtOrBefore, lastCutKeeping, windowBegin } from '../history.js';
import { NO_PLAN, type Plan, gain, planAt } from '../plan.js';
import type { CompactionSettings } from '../settings.js';
import { type Json, isObject, parseForeignJson } from '../../json.js';
import type { FormattedHistory } from './topic.js';

/** The model's answer to the question where the last topic begins. */
interface TopicBoundary {
  /** Number of the first message of the new topic in the formatted text; null when the topic does not change. */
  readonly index: number | null;
  readonly reason: string;
  /** The model's confidence in the boundary, from 0 to 1. */
  readonly confidence: number;
  /** Summary of the messages before the boundary. Empty when the model returned no summary. */
  readonly summary: string;
}

/** Used when the boundary is unknown: no messages, no model, a failure, or an invalid reply. */
export const SAFE_BOUNDARY: TopicBoundary = { index: null, reason: '', confidence: 0, summary: '' };

/**
 * Parses the reply about `count` formatted messages. The reply can be a JSON object, a JSON object in a fence, or a
 * text that contains the members. Returns `SAFE_BOUNDARY` for other replies, and if the index or the confidence is out
 * of range.
 */
export function parseTopic(text: string, count: number): TopicBoundary {
  const fenced = [...text.matchAll(/```(?:json)?([\s\S]*?)```/gi)].map(([, inner]) => inner ?? '');
  const objects = [text, ...fenced].map(parseForeignJson).filter(isObject);
  const { boundary_index: index, boundary_reason: reason, confidence, summary } = objects[0] ?? scattered(text);
  if (!isIndex(index, count) || typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) {
    return SAFE_BOUNDARY;
  }
  return { index, reason: typeof reason === 'string' ? reason : '', confidence, summary: typeof summary === 'string' ? summary : '' };
}

/** Returns the boundary as a message id. Unlike a number, the id stays valid when the conversation changes. */
export function topicBegin({ index, confidence }: TopicBoundary, { messages }: FormattedHistory): TopicBegin {
  return { messageId: index === null ? null : (messages[index]?.id ?? null), confidence };
}

/**
 * Returns the model's summary of the messages up to `to`. Null unless the boundary is directly after `to`, and the
 * request contained all these messages as a whole.
 */
export function topicSummary({ index, summary }: TopicBoundary, { messages }: FormattedHistory, to: string): string | null {
  const isRight = index !== null && messages[index - 1]?.id === to && messages.slice(0, index).every(({ isWhole }) => isWhole);
  return isRight && summary.trim() !== '' ? summary : null;
}

function isIndex(value: Json | undefined, count: number): value is number | null {
  return value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count);
}

type Members = Readonly<Record<string, Json | undefined>>;

/** Returns the JSON members found in a text. Ignores a number at the end of the text, which may be cut off. */
function scattered(text: string): Members {
  return {
    boundary_index: lastValue(text, /"boundary_index"\s*:\s*(null|-?\d+(?:\.\d+)?)(?=\s*[,}])/g),
    boundary_reason: lastValue(text, /"boundary_reason"\s*:\s*("(?:[^"\\]|\\.)*")/g),
    confidence: lastValue(text, /"confidence"\s*:\s*(-?\d+(?:\.\d+)?)(?=\s*[,}])/g),
    summary: lastValue(text, /"summary"\s*:\s*("(?:[^"\\]|\\.)*")/g),
  };
}

/** Returns the value of the last match, because a model that writes its reasoning gives the result last. */
function lastValue(text: string, member: RegExp): Json | undefined {
  const last = [...text.matchAll(member)].at(-1)?.[1];
  return last === undefined ? undefined : parseForeignJson(last);
}

export interface TopicBegin {
  /** Id of the first message of the new topic. Null when the topic did not change. */
  readonly messageId: string | null;
  /** The model's confidence in the boundary, from 0 to 1. */
  readonly confidence: number;
}

/** Minimum confidence for a truncation, which loses messages. With less confidence, a boundary is probably wrong. */
const LEAST_CONFIDENCE = 0.5;

/**
 * Drops the messages before the boundary if the boundary is in the last `verbatimTokens` tokens and has enough
 * confidence. Otherwise summarizes the messages before these tokens, also if the message of the boundary is missing.
 * `NO_PLAN` when a summary frees nothing.
 */
export function topicBoundaryPolicy(
  history: History,
  settings: Pick<CompactionSettings, 'verbatimTokens' | 'leastExchanges'>,
  { messageId, confidence }: TopicBegin,
): Plan {
  const last = lastCutKeeping(history, settings.leastExchanges);
  const verbatim = cutAtOrBefore(history, windowBegin(history, settings.verbatimTokens));
  const boundary = messageId === null ? -1 : history.messages.findIndex(({ message }) => message.id === messageId);
  if (boundary >= verbatim && confidence >= LEAST_CONFIDENCE) {
    return planAt(history, Math.min(last, cutAtOrBefore(history, boundary)), 'truncate');
  }
  const plan = planAt(history, Math.min(last, verbatim), 'summarize');
  return gain(plan) > 0 ? plan : NO_PLAN;
}
