import { contentOf, kindOf, type Turn } from './anthropicDocument.js';
import { isBase64, isBlank, isLoose, isText, unknownMembers, type Located } from './loose.js';

/* Faults of single content blocks. Kinds that Loupe never writes are refused too. */

/** `messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'` */
const ID_PATTERN = /^[a-zA-Z0-9_-]+$/;

/** `tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'` */
export const NAME_PATTERN = /^[a-zA-Z0-9_-]{1,128}$/;

/** Allowed members and roles by kind of block, from the param types of the official SDK (1.11.0, messages.d.ts). */
const KINDS: Readonly<Record<string, { readonly members: ReadonlySet<string>; readonly roles: readonly string[] }>> = {
  text: { members: new Set(['type', 'text', 'cache_control', 'citations']), roles: ['user', 'assistant'] },
  image: { members: new Set(['type', 'source', 'cache_control', 'transformations']), roles: ['user'] },
  tool_use: { members: new Set(['type', 'id', 'name', 'input', 'cache_control']), roles: ['assistant'] },
  tool_result: { members: new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control']), roles: ['user'] },
  thinking: { members: new Set(['type', 'thinking', 'signature', 'cache_control']), roles: ['assistant'] },
  redacted_thinking: { members: new Set(['type', 'data', 'cache_control']), roles: ['assistant'] },
};

const IMAGE_TYPES: readonly unknown[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

export function blockFaults({ role, blocks }: Turn): string[] {
  return blocks.flatMap((block) => {
    const kind = KINDS[kindOf(block)];
    if (kind === undefined) {
      return [`${block.at}: no such kind of block`];
    }
    // The message reports an unknown role.
    const isMisplaced = ['user', 'assistant'].includes(role) && !kind.roles.includes(role);
    return [
      ...(isMisplaced ? [`${block.at}: ${kindOf(block)} may not stand in a message of the ${role}`] : []),
      ...unknownMembers(block, kind.members),
      ...kindFaults(block),
    ];
  });
}

function kindFaults(block: Located): string[] {
  switch (kindOf(block)) {
    case 'text':
      return textFaults(block);
    case 'image':
      return imageFaults(block);
    case 'tool_use':
      return toolUseFaults(block);
    case 'tool_result':
      return toolResultFaults(block);
    case 'thinking':
      return isText(block.value['thinking']) ? [] : [`${block.at}.thinking: is no text`];
    default:
      return isText(block.value['data']) && block.value['data'] !== '' ? [] : [`${block.at}.data: is missing`];
  }
}

/** `text content blocks must be non-empty`, `text content blocks must contain non-whitespace text` */
export function textFaults({ at, value: { text } }: Located): string[] {
  if (!isText(text)) {
    return [`${at}.text: is no text`];
  }
  return isBlank(text) ? [`${at}.text: is empty or white space`] : [];
}

/** https://platform.claude.com/docs/en/build-with-claude/vision and the SDK's `Base64ImageSource`. */
function imageFaults({ at, value: { source } }: Located): string[] {
  const { type, media_type: mediaType, data, url } = isLoose(source) ? source : {};
  if (type === 'url') {
    return isText(url) && url.startsWith('https://') ? [] : [`${at}.source.url: is no https address`];
  }
  if (type !== 'base64') {
    return [`${at}.source: is neither base64 nor an address`];
  }
  return [
    ...(IMAGE_TYPES.includes(mediaType) ? [] : [`${at}.source.media_type: is none of jpeg, png, gif, webp`]),
    ...(isText(data) && isBase64(data) ? [] : [`${at}.source.data: is no Base64`]),
  ];
}

function toolUseFaults({ at, value: { id, name, input } }: Located): string[] {
  return [
    ...(isText(id) && ID_PATTERN.test(id) ? [] : [`${at}.id: does not match ${ID_PATTERN.source}`]),
    ...(isText(name) && NAME_PATTERN.test(name) ? [] : [`${at}.name: does not match ${NAME_PATTERN.source}`]),
    // `messages.1.content.0.tool_use.input: Input should be a valid dictionary`
    ...(isLoose(input) ? [] : [`${at}.input: is no object`]),
  ];
}

function toolResultFaults(block: Located): string[] {
  const { at, value } = block;
  const { tool_use_id: id, content, is_error: isError } = value;
  const isContent = content === undefined || isText(content) || Array.isArray(content);
  return [
    ...(isText(id) && ID_PATTERN.test(id) ? [] : [`${at}.tool_use_id: does not match ${ID_PATTERN.source}`]),
    ...(isError === undefined || typeof isError === 'boolean' ? [] : [`${at}.is_error: is neither true nor false`]),
    ...(isContent ? [] : [`${at}.content: is neither text nor an array`]),
    ...contentOf(block).flatMap(resultContentFaults),
    ...(isError === true ? errorResultFaults(block) : []),
  ];
}

function resultContentFaults(block: Located): string[] {
  switch (kindOf(block)) {
    case 'text':
      return [...textFaults(block), ...unknownMembers(block, KINDS['text']!.members)];
    case 'image':
      return [...imageFaults(block), ...unknownMembers(block, KINDS['image']!.members)];
    case 'tool_reference':
      return [
        ...(isText(block.value['tool_name']) ? [] : [`${block.at}.tool_name: is no text`]),
        ...unknownMembers(block, new Set(['type', 'tool_name', 'cache_control'])),
      ];
    default:
      return [`${block.at}: may not stand in a tool result`];
  }
}

/** `content cannot be empty if "is_error" is true`, `all content must be type "text" if "is_error" is true` */
function errorResultFaults(block: Located): string[] {
  const content = block.value['content'];
  const isEmpty = content === undefined || (isText(content) ? content === '' : contentOf(block).length === 0);
  return [
    ...(isEmpty ? [`${block.at}.content: may not be empty when is_error is true`] : []),
    ...contentOf(block)
      .filter((item) => kindOf(item) !== 'text')
      .map(({ at }) => `${at}: only text may stand in a result whose is_error is true`),
  ];
}
