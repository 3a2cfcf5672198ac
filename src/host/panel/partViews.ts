import { joinedTexts, type AssistantPart, type ToolCallPart } from '../../engine/chat/message.js';
import type { ReplyPart } from '../../engine/chat/reply.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ToolCallView } from '../../protocol/toolCalls.js';
import type { PartView } from '../../protocol/view.js';
import { writtenCall } from './callViews.js';

/** A part of a reply that arrives, or that broke off. */
export function arrivedPart(part: ReplyPart | AssistantPart): PartView {
  return part.type === 'toolCall' ? writtenCall(part) : toldPart(part);
}

/** The parts of a reply that broke off. */
export function brokenOffParts(parts: readonly (ReplyPart | AssistantPart)[], end: AttemptState['end']): PartView[] {
  return timed(parts.map(arrivedPart), end);
}

/** The parts of a reply that is a message. */
export function messageParts(
  parts: readonly AssistantPart[],
  end: AttemptState['end'],
  callView: (part: ToolCallPart) => ToolCallView,
): PartView[] {
  return timed(
    parts.map((part) => (part.type === 'toolCall' ? callView(part) : toldPart(part))),
    end,
  );
}

function toldPart(part: Exclude<ReplyPart | AssistantPart, { readonly type: 'toolCall' }>): PartView {
  return part.type === 'text' ? { type: 'text', text: part.text } : { type: 'reasoning', text: part.text, ms: null };
}

/** With how long the reasoning took: it is known part by part, unless one of them was left out. */
function timed(parts: readonly PartView[], end: AttemptState['end']): PartView[] {
  const times = end?.reasoningMs ?? [];
  const isWhole = times.length === parts.filter(({ type }) => type === 'reasoning').length;
  let at = 0;
  return joinedTexts(parts).map((view) => (view.type === 'reasoning' ? { ...view, ms: isWhole ? (times[at++] ?? null) : null } : view));
}
