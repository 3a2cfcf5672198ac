import { isObject, type JsonObject } from '../../engine/json.js';
import { itemsOf, member, wordsMember } from '../json.js';

/*
 * Reasoning in a message. The protocol does not define reasoning, so each server has its own form. Loupe detects the
 * form from the content. docs/servers.md lists the forms and their sources.
 */

/**
 * Members that contain only text: `reasoning_content` (DeepSeek, xAI, Kimi, llama.cpp, LM Studio), `reasoning` (Groq,
 * Ollama, OpenRouter, Together, newer vLLM), `reasoning_text` (GitHub Copilot). A server that sends two of them repeats
 * the same text, so Loupe reads only the first one.
 */
const TEXT_MEMBERS = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

/**
 * Members with a list of items, each with text, a signature or encrypted data: `reasoning_details` (OpenRouter,
 * MiniMax), `thinking_blocks` (LiteLLM). These servers also send the text in a separate member.
 */
const LIST_MEMBERS = ['reasoning_details', 'thinking_blocks'] as const;

const ITEM_TEXTS = ['text', 'summary', 'thinking'] as const;

/** Names of signed or encrypted data in an item. The provider requires the data in later requests. */
const ITEM_SEALS = ['signature', 'data'] as const;

/** Members of a tool call that later requests must repeat: names of Gemini, LiteLLM and other gateways. */
const CALL_SEALS = ['extra_content', 'provider_specific_fields', 'thought_signature', 'thoughtSignature'] as const;

export type TextMember = (typeof TEXT_MEMBERS)[number];
export type ListMember = (typeof LIST_MEMBERS)[number];

/** The form of reasoning in a reply. Later requests use the same form. */
export type ReasoningForm =
  /** The text of a member in the message. */
  | { readonly as: TextMember }
  /** An item of a list. `text` is the name of the member with the item's text, `item` contains the other members. */
  | { readonly as: ListMember; readonly text: string | null; readonly item: JsonObject }
  /** A part of the content, as Mistral sends reasoning. `item` contains the other members. */
  | { readonly as: 'part'; readonly item: JsonObject }
  /** Text between tags in the content. */
  | { readonly as: 'tag'; readonly tag: string }
  /** A signature for a tool call. */
  | { readonly as: 'call'; readonly callId: string; readonly members: JsonObject };

/** A piece of reasoning. Pieces with the same `key` form one part of the reply. */
export interface ReasoningPiece {
  readonly key: string;
  readonly text: string;
  readonly form: ReasoningForm;
}

/** Returns the reasoning in a delta or a whole message, outside of its content. */
export function reasoningIn(delta: unknown): ReasoningPiece[] {
  const items = LIST_MEMBERS.flatMap((as) => itemsOf(member(delta, as)).flatMap((item) => (isObject(item) ? [listItem(as, item)] : [])));
  const plain = TEXT_MEMBERS.map((as) => ({ as, text: wordsMember(delta, as) })).find(({ text }) => text !== null);
  // The text member only repeats the text of the items.
  return plain === undefined || items.some(({ text }) => text !== '')
    ? items
    : [{ key: plain.as, text: plain.text ?? '', form: { as: plain.as } }, ...items];
}

function listItem(as: ListMember, item: JsonObject): ReasoningPiece {
  const name = ITEM_TEXTS.find((each) => typeof item[each] === 'string') ?? null;
  const rest = Object.fromEntries(Object.entries(item).filter(([each]) => each !== name));
  const key = JSON.stringify([as, item['type'], item['index']]);
  return { key, text: name === null ? '' : (wordsMember(item, name) ?? ''), form: { as, text: name, item: rest } };
}

/** Returns the reasoning in a part of the content, or null for other parts. Mistral sends a list of texts. */
export function thinkingPart(part: unknown): ReasoningPiece | null {
  if (!isObject(part) || part['type'] !== 'thinking') {
    return null;
  }
  const { thinking, ...item } = part;
  const texts = itemsOf(thinking).map((each) => wordsMember(each, 'text') ?? '');
  return { key: 'part', text: typeof thinking === 'string' ? thinking : texts.join(''), form: { as: 'part', item } };
}

/** Returns the members of a tool call that later requests must contain, or undefined. */
export function callSeal(call: unknown): JsonObject | undefined {
  const found = CALL_SEALS.map((name) => [name, member(call, name)] as const).filter(([, value]) => value !== undefined && value !== null);
  return found.length === 0 ? undefined : (Object.fromEntries(found) as JsonObject);
}

/** Whether the provider signed or encrypted the reasoning. Later requests must then contain the reasoning. */
export function isSealed(form: ReasoningForm): boolean {
  return form.as === 'call' || ('item' in form && ITEM_SEALS.some((name) => wordsMember(form.item, name) !== null));
}

/** Returns the form of a reasoning part after another piece. A value changes only if the piece has a new one. */
export function joinedForm(known: ReasoningForm, later: ReasoningForm): ReasoningForm {
  if (!('item' in known) || !('item' in later)) {
    return known;
  }
  const told = Object.entries(later.item).filter(([, value]) => value !== null && value !== '');
  const item = { ...known.item, ...Object.fromEntries(told) };
  return known.as === 'part' || later.as === 'part' ? { as: 'part', item } : { as: known.as, text: known.text ?? later.text, item };
}

/** Returns the form as a text for `opaque` of a reasoning part. The form of a text member is the member's name. */
export function opaqueOf(form: ReasoningForm): string {
  const { as, ...more } = form;
  return Object.keys(more).length === 0 ? as : `${as}:${JSON.stringify(more)}`;
}
