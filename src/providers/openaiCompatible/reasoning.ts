import { isObject, type JsonObject } from '../../engine/json.js';
import { itemsOf, member, wordsMember } from '../json.js';

/*
 * Reasoning in a message. The protocol does not define reasoning, so each server has its own form. Loupe detects the
 * form from the content. docs/servers.md lists the forms and their sources.
 */

/**
 * Members that contain only text: `reasoning_content` (DeepSeek, xAI, Kimi, llama.cpp, LM Studio), `reasoning` (Groq,
 * Ollama, OpenRouter, Together, newer vLLM), `reasoning_text` (GitHub Copilot). A server that sends two of these
 * members repeats the text, so Loupe reads only the first member.
 */
const TEXT_MEMBERS = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

/**
 * Members with a list of items, each with text, a signature or encrypted data: `reasoning_details` (OpenRouter,
 * MiniMax), `thinking_blocks` (LiteLLM). These servers also send the text in a separate member.
 */
const LIST_MEMBERS = ['reasoning_details', 'thinking_blocks'] as const;

const ITEM_TEXTS = ['text', 'summary', 'thinking'] as const;

/** Member names of signed or encrypted data in an item. Later requests must contain this data. */
const ITEM_SEALS = ['signature', 'data'] as const;

/** Members of a tool call that later requests must repeat, as named by Gemini, LiteLLM and other gateways. */
const CALL_SEALS = ['extra_content', 'provider_specific_fields', 'thought_signature', 'thoughtSignature'] as const;

export type TextMember = (typeof TEXT_MEMBERS)[number];
export type ListMember = (typeof LIST_MEMBERS)[number];

/** The form of reasoning in a reply. Later requests use the same form. */
export type ReasoningForm =
  /** Reasoning as the text of a member of the message. */
  | { readonly as: TextMember }
  /** Reasoning as an item of a list. `text`: name of the member with the item's text. `item`: the other members. */
  | { readonly as: ListMember; readonly text: string | null; readonly item: JsonObject }
  /** Reasoning as a part of the content, as Mistral sends it. `item`: the other members of the part. */
  | { readonly as: 'part'; readonly item: JsonObject }
  /** Reasoning as text between tags in the content. */
  | { readonly as: 'tag'; readonly tag: string }
  /** Signatures in the members of a tool call, without text. */
  | { readonly as: 'call'; readonly callId: string; readonly members: JsonObject };

/** A piece of reasoning. Pieces with the same `key` form one part of the reply. */
export interface ReasoningPiece {
  readonly key: string;
  readonly text: string;
  readonly form: ReasoningForm;
}

/** Returns the reasoning in the members of a delta or a whole message, without reasoning in `content`. */
export function reasoningIn(delta: unknown): ReasoningPiece[] {
  const items = LIST_MEMBERS.flatMap((as) => itemsOf(member(delta, as)).flatMap((item) => (isObject(item) ? [listItem(as, item)] : [])));
  const plain = TEXT_MEMBERS.map((as) => ({ as, text: wordsMember(delta, as) })).find(({ text }) => text !== null);
  // The text member only repeats the texts of the items.
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

/** Returns the reasoning in a part of the content, where Mistral sends a list of texts. Null for other parts. */
export function thinkingPart(part: unknown): ReasoningPiece | null {
  if (!isObject(part) || part['type'] !== 'thinking') {
    return null;
  }
  const { thinking, ...item } = part;
  const texts = itemsOf(thinking).map((each) => wordsMember(each, 'text') ?? '');
  return { key: 'part', text: typeof thinking === 'string' ? thinking : texts.join(''), form: { as: 'part', item } };
}

/** Returns the members of a tool call that later requests must contain. Undefined without such members. */
export function callSeal(call: unknown): JsonObject | undefined {
  const found = CALL_SEALS.map((name) => [name, member(call, name)] as const).filter(([, value]) => value !== undefined && value !== null);
  return found.length === 0 ? undefined : (Object.fromEntries(found) as JsonObject);
}

/** Whether the provider signed or encrypted the reasoning. Later requests must then contain the reasoning. */
export function isSealed(form: ReasoningForm): boolean {
  return form.as === 'call' || ('item' in form && ITEM_SEALS.some((name) => wordsMember(form.item, name) !== null));
}

/** Merges the forms of two pieces of one reasoning part. A later value of a member replaces an earlier value. */
export function joinedForm(known: ReasoningForm, later: ReasoningForm): ReasoningForm {
  if (!('item' in known) || !('item' in later)) {
    return known;
  }
  const told = Object.entries(later.item).filter(([, value]) => value !== null && value !== '');
  const item = { ...known.item, ...Object.fromEntries(told) };
  return known.as === 'part' || later.as === 'part' ? { as: 'part', item } : { as: known.as, text: known.text ?? later.text, item };
}

/** Returns the form as a text, for `opaque` of a reasoning part. For a text member, this is the member's name. */
export function opaqueOf(form: ReasoningForm): string {
  const { as, ...more } = form;
  return Object.keys(more).length === 0 ? as : `${as}:${JSON.stringify(more)}`;
}
