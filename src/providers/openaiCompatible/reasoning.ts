import { isObject, type JsonObject } from '../../engine/json.js';
import { itemsOf, member, wordsMember } from '../json.js';

/*
 * Reasoning in a message, which the protocol does not define. Each server has its own form, found by what arrives.
 * docs/servers.md says which server has which, and where that was read.
 */

/**
 * Members with the text alone. DeepSeek, xAI, Kimi, llama.cpp and LM Studio use `reasoning_content`; Groq, Ollama,
 * OpenRouter, Together and newer vLLM `reasoning`, GitHub Copilot's `reasoning_text`. A server that sends two of them sends the
 * same text twice, so the first one counts.
 */
const TEXT_MEMBERS = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

/**
 * Members with a list of items, each with text, a signature or encrypted data. OpenRouter and MiniMax use
 * `reasoning_details`, LiteLLM `thinking_blocks`. Beside them they send the same text in a member of its own.
 */
const LIST_MEMBERS = ['reasoning_details', 'thinking_blocks'] as const;

/** Members of an item with its text. */
const ITEM_TEXTS = ['text', 'summary', 'thinking'] as const;

/** Members of an item that only the provider can read, and wants back. */
const ITEM_SEALS = ['signature', 'data'] as const;

/** Members of a tool call that its provider wants back: Gemini's; LiteLLM's and other gateways' in front of it. */
const CALL_SEALS = ['extra_content', 'provider_specific_fields', 'thought_signature', 'thoughtSignature'] as const;

export type TextMember = (typeof TEXT_MEMBERS)[number];
export type ListMember = (typeof LIST_MEMBERS)[number];

/** The form that reasoning came in, and goes back in. */
export type ReasoningForm =
  /** The text of a member. */
  | { readonly as: TextMember }
  /** An item of a list; `item` is the rest of it, and `text` the name of its text. */
  | { readonly as: ListMember; readonly text: string | null; readonly item: JsonObject }
  /** A part of the content, as Mistral has it; `item` is the rest of it. */
  | { readonly as: 'part'; readonly item: JsonObject }
  /** Text between tags in the content. */
  | { readonly as: 'tag'; readonly tag: string }
  /** What only belongs to a tool call: its signature. */
  | { readonly as: 'call'; readonly callId: string; readonly members: JsonObject };

/** A piece of reasoning. Pieces of one `key` make up one part of the reply. */
export interface ReasoningPiece {
  readonly key: string;
  readonly text: string;
  readonly form: ReasoningForm;
}

/** The reasoning in a delta, or in a whole message, beside its content. */
export function reasoningIn(delta: unknown): ReasoningPiece[] {
  const items = LIST_MEMBERS.flatMap((as) => itemsOf(member(delta, as)).flatMap((item) => (isObject(item) ? [listItem(as, item)] : [])));
  const plain = TEXT_MEMBERS.map((as) => ({ as, text: wordsMember(delta, as) })).find(({ text }) => text !== null);
  // The plain member repeats the text of the items.
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

/** The reasoning in a part of the content; null for a part of another kind. Mistral's is a list of texts. */
export function thinkingPart(part: unknown): ReasoningPiece | null {
  if (!isObject(part) || part['type'] !== 'thinking') {
    return null;
  }
  const { thinking, ...item } = part;
  const texts = itemsOf(thinking).map((each) => wordsMember(each, 'text') ?? '');
  return { key: 'part', text: typeof thinking === 'string' ? thinking : texts.join(''), form: { as: 'part', item } };
}

/** The members of a tool call that go back with it; undefined without any. */
export function callSeal(call: unknown): JsonObject | undefined {
  const found = CALL_SEALS.map((name) => [name, member(call, name)] as const).filter(([, value]) => value !== undefined && value !== null);
  return found.length === 0 ? undefined : (Object.fromEntries(found) as JsonObject);
}

/** Whether the provider has signed or encrypted the reasoning: then it wants it back. */
export function isSealed(form: ReasoningForm): boolean {
  return form.as === 'call' || ('item' in form && ITEM_SEALS.some((name) => wordsMember(form.item, name) !== null));
}

/** The form of a part after a further piece of it: what came before stays unless the piece says more. */
export function joinedForm(known: ReasoningForm, later: ReasoningForm): ReasoningForm {
  if (!('item' in known) || !('item' in later)) {
    return known;
  }
  const told = Object.entries(later.item).filter(([, value]) => value !== null && value !== '');
  const item = { ...known.item, ...Object.fromEntries(told) };
  return known.as === 'part' || later.as === 'part' ? { as: 'part', item } : { as: known.as, text: known.text ?? later.text, item };
}

/** The form as the `opaque` of a reasoning part. That of a text member is its bare name. */
export function opaqueOf(form: ReasoningForm): string {
  const { as, ...more } = form;
  return Object.keys(more).length === 0 ? as : `${as}:${JSON.stringify(more)}`;
}
