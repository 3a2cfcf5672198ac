import type { Breakpoint, WirePart } from '../../engine/model/block.js';

/*
 * The practice model's wire format: one JSON object per request, made of Loupe's prompt parts. Order: tools, system,
 * messages. A part with `cache` has a breakpoint: the cache may keep everything up to the end of the part for the given
 * time.
 */

interface MarkedPart {
  readonly cache?: Breakpoint['ttl'];
  /** Present on a part of the workspace message, which is not the user's text. */
  readonly isEditorState?: true;
}

/** A part of one of the types `T`. The practice model does not support reasoning. */
export type PracticePart<T extends WirePart['type'] = Exclude<WirePart['type'], 'reasoning'>> = Extract<WirePart, { readonly type: T }> &
  MarkedPart;

export type PracticeMessage =
  | { readonly role: 'user'; readonly content: readonly PracticePart<'text' | 'image'>[] }
  | { readonly role: 'assistant'; readonly content: readonly PracticePart<'text' | 'toolCall'>[] }
  | { readonly role: 'tool'; readonly content: readonly PracticePart<'toolResult'>[] };

export interface PracticeRequest {
  readonly model: string;
  /** The output limit. Null for the model's own limit. */
  readonly max_tokens: number | null;
  readonly tools: readonly PracticePart<'toolDefinition'>[];
  readonly system: readonly PracticePart<'text'>[];
  readonly messages: readonly PracticeMessage[];
}
