import { CallNumbers, sortedJson, type Item } from './items.js';
import { isLoose, isText, type Located, type Loose } from './loose.js';
import { callId, functionOf, readMessages, type ChatMessage } from './openAiDocument.js';

const REASONING = ['reasoning_content', 'reasoning'];

/** Returns the content of a valid body: for assistant messages the reasoning, then text, then calls. */
export function openAiItems(body: Loose): Item[] {
  const numbers = new CallNumbers();
  return readMessages(body['messages'], []).flatMap((message) => itemsOf(message, numbers));
}

function itemsOf({ role, value, parts, calls }: ChatMessage, numbers: CallNumbers): Item[] {
  if (role === 'tool') {
    const content = parts.map(words);
    return [{ role: 'user', kind: 'result', call: numbers.result(value['tool_call_id']), failed: false, content }];
  }
  return [
    ...REASONING.flatMap((member): Item[] => {
      const text = value[member];
      return isText(text) ? [{ role, kind: 'reasoning', text, opaque: member }] : [];
    }),
    ...parts.map((part) => partItem(role, part)),
    ...calls.map((call) => callItem(role, call, numbers)),
  ];
}

function partItem(role: string, part: Located): Item {
  return part.value['type'] === 'image_url' ? { role, kind: 'image', url: words(part) } : { role, kind: 'text', text: words(part) };
}

function callItem(role: string, call: Located, numbers: CallNumbers): Item {
  const { name, arguments: args } = functionOf(call);
  return { role, kind: 'call', call: numbers.call(callId(call)), name: String(name), args: sortedJson(JSON.parse(String(args))) };
}

function words({ value }: Located): string {
  const image = value['image_url'];
  return String(isLoose(image) ? image['url'] : value['text']);
}
