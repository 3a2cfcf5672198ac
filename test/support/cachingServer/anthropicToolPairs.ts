import { invalid } from './refusal.js';
import { items, stringMember, type WireNode } from './wireJson.js';

/**
 * Throws a `Refusal` unless each call has its result at the start of the next message, and each result its call in the
 * message before ("Tool result blocks must immediately follow their corresponding tool use blocks" and "must come
 * first").
 */
export function checkToolPairs(messages: readonly WireNode[]): void {
  messages.forEach((message, at) => {
    const results = leadingResults(messages[at + 1]);
    const missing = ids(message, 'tool_use', 'id').filter((id) => !results.includes(id));
    if (missing.length > 0) {
      throw invalid(
        `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. ` +
          'Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      );
    }
    const before = messages[at - 1];
    const calls = before === undefined ? [] : ids(before, 'tool_use', 'id');
    items(message, 'content').forEach((block, index) => {
      const id = stringMember(block, 'tool_use_id');
      if (stringMember(block, 'type') === 'tool_result' && !calls.includes(id ?? '')) {
        throw invalid(
          `messages.${at}.content.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id ?? ''}. ` +
            'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
        );
      }
    });
  });
}

function leadingResults(message: WireNode | undefined): string[] {
  const blocks = items(message, 'content');
  const end = blocks.findIndex((block) => stringMember(block, 'type') !== 'tool_result');
  return blocks.slice(0, end < 0 ? blocks.length : end).map((block) => stringMember(block, 'tool_use_id') ?? '');
}

function ids(message: WireNode, type: string, name: string): string[] {
  return items(message, 'content')
    .filter((block) => stringMember(block, 'type') === type)
    .map((block) => stringMember(block, name) ?? '');
}
