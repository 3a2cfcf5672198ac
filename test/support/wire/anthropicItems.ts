import { contentOf, isThinking, kindOf, readDocument } from './anthropicDocument.js';
import { CallNumbers, dataUrl, LOADS, sortedJson, type Item } from './items.js';
import { isLoose, type Located, type Loose } from './loose.js';

export function anthropicItems(body: Loose): Item[] {
  const { system, turns } = readDocument(body, []);
  const numbers = new CallNumbers();
  return [
    ...system.map((block) => item('system', block, numbers)),
    ...turns.flatMap(({ role, blocks }) => blocks.map((block) => item(role, block, numbers))),
  ];
}

function item(role: string, block: Located, numbers: CallNumbers): Item {
  const { value } = block;
  if (isThinking(block)) {
    return kindOf(block) === 'thinking'
      ? { role, kind: 'reasoning', text: String(value['thinking']), opaque: String(value['signature']) }
      : { role, kind: 'reasoning', text: '', opaque: `redacted ${String(value['data'])}` };
  }
  switch (kindOf(block)) {
    case 'tool_use':
      return { role, kind: 'call', call: numbers.call(value['id']), name: String(value['name']), args: sortedJson(value['input']) };
    case 'tool_result':
      return {
        role,
        kind: 'result',
        call: numbers.result(value['tool_use_id']),
        failed: value['is_error'] === true,
        content: contentOf(block).map(words),
      };
    case 'image':
      return { role, kind: 'image', url: words(block) };
    default:
      return { role, kind: 'text', text: words(block) };
  }
}

/** A text, an image as a data URL, or the name of a loaded tool. */
function words({ value }: Located): string {
  if (value['type'] === 'tool_reference') {
    return `${LOADS}${String(value['tool_name'])}`;
  }
  const source = value['source'];
  return isLoose(source) ? dataUrl(String(source['media_type']), String(source['data'])) : String(value['text']);
}
