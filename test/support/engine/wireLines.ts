import type { Convert } from '../../../src/engine/model/model.js';
import type { Prompt } from '../../../src/engine/model/prompt.js';
import { CACHING_MODEL } from './tieredChat.js';

export interface WirePart {
  readonly type: string;
  readonly text?: string;
  readonly cache_control?: { readonly type: string };
}

type WireContent = string | readonly WirePart[];

interface WireBody {
  readonly system?: WireContent;
  readonly messages: readonly { readonly role: string; readonly content: WireContent }[];
}

/** Returns the body of a request to a model that caches. */
export function bodyOf(convert: Convert, prompt: Prompt, images: ReadonlyMap<string, string>): WireBody {
  return JSON.parse(convert(CACHING_MODEL, prompt, { maxOutputTokens: 10, extraBody: {} }, images).body) as WireBody;
}

/** `role: text | text*`: a star is a breakpoint. Long texts are cut to their first line. */
export function lines(messages: WireBody['messages']): string[] {
  return messages.map(({ role, content }) => {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return `${role}: ${parts.map(lineOf).join(' | ')}`;
  });
}

function lineOf({ type, text, cache_control: mark }: WirePart): string {
  return `${text === undefined ? `<${type}>` : (text.trim().split('\n')[0] ?? '')}${mark === undefined ? '' : '*'}`;
}
