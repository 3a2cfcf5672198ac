import { isObject, parseJson, type Json, type JsonObject } from '../../engine/json.js';
import { textMember } from '../json.js';
import type { ListMember, ReasoningForm, TextMember } from './reasoning.js';

/** Earlier reasoning of an assistant message, grouped by its place in the request. */
export interface ReturnedReasoning {
  readonly members: Readonly<Partial<Record<TextMember, string> & Record<ListMember, readonly Json[]>>>;
  readonly content: readonly ReturnedContent[];
  /** Signatures by call id. The request contains them as members of the tool calls. */
  readonly calls: ReadonlyMap<string, JsonObject>;
}

/** Reasoning inside the content: text in tags, or a separate part. */
export type ReturnedContent = { readonly tagged: string } | { readonly part: JsonObject };

/** Returns the reasoning of a message in its original form. Null when an `opaque` comes from another protocol. */
export function returnedReasoning(parts: readonly { readonly text: string; readonly opaque: string }[]): ReturnedReasoning | null {
  const members: Partial<Record<TextMember, string>> = {};
  const lists: Partial<Record<ListMember, Json[]>> = {};
  const content: ReturnedContent[] = [];
  const calls = new Map<string, JsonObject>();
  for (const { text, opaque } of parts) {
    const form = formOf(opaque);
    switch (form?.as) {
      case undefined:
        return null;
      case 'reasoning_content':
      case 'reasoning':
      case 'reasoning_text':
        members[form.as] = (members[form.as] ?? '') + text;
        break;
      case 'reasoning_details':
      case 'thinking_blocks':
        (lists[form.as] ??= []).push(form.text === null ? form.item : { ...form.item, [form.text]: text });
        break;
      case 'part':
        content.push({ part: { ...form.item, thinking: [{ type: 'text', text }] } });
        break;
      case 'tag':
        content.push({ tagged: `<${form.tag}>${text}</${form.tag}>` });
        break;
      case 'call':
        calls.set(form.callId, { ...calls.get(form.callId), ...form.members });
        break;
    }
  }
  return { members: { ...members, ...lists }, content, calls };
}

/** Parses an `opaque`. Null when it comes from another protocol or a newer version of Loupe. */
function formOf(opaque: string): ReasoningForm | null {
  const colon = opaque.indexOf(':');
  const as = colon === -1 ? opaque : opaque.slice(0, colon);
  const more = colon === -1 ? {} : parseJson(opaque.slice(colon + 1));
  if (!isObject(more)) {
    return null;
  }
  const { item, members } = more;
  switch (as) {
    case 'reasoning_content':
    case 'reasoning':
    case 'reasoning_text':
      return { as };
    case 'reasoning_details':
    case 'thinking_blocks':
      return isObject(item) ? { as, text: textMember(more, 'text'), item } : null;
    case 'part':
      return isObject(item) ? { as, item } : null;
    case 'tag':
      return { as, tag: textMember(more, 'tag') ?? 'think' };
    case 'call':
      return isObject(members) ? { as, callId: textMember(more, 'callId') ?? '', members } : null;
    default:
      return null;
  }
}
