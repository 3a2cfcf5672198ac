import type { Ttl } from '../../engine/cache/cacheRules.js';
import { loadedText } from '../../engine/chat/message.js';
import type { Json, JsonObject } from '../../engine/json.js';
import type { Block, WirePart } from '../../engine/request/block.js';
import { contextKey, isPick } from '../../engine/request/gather.js';
import { promptBlocks, type Prompt } from '../../engine/request/prompt.js';

/** A text or a value that a part of a request holds. */
export interface PartField {
  /** Its name in the part; null for the main one. */
  readonly name: string | null;
  readonly value: Json;
}

/** One content part of a request, as a reader sees it. */
export interface RequestPart {
  readonly title: string;
  /** As Loupe counts them. */
  readonly tokens: number;
  /** Empty for an image. */
  readonly fields: readonly PartField[];
  /** How long the cache keeps what ends here; null without a cache mark. */
  readonly cached: Ttl | null;
}

/** The parts of a request, in the order they are sent. */
export function requestParts(prompt: Prompt): RequestPart[] {
  return promptBlocks(prompt).map((block) => ({
    title: partTitle(block),
    tokens: block.tokens,
    fields: partFields(block.part),
    cached: block.breakpoint?.ttl ?? null,
  }));
}

const CATALOG_TITLES = { rule: 'Rule', reference: 'Reference', resource: 'Resource', skill: 'Skill' } as const;

/** `File src/a.ts`, `You`, `Result of read_file`: what a block is. */
export function partTitle({ key: blockKey, role, part }: Pick<Block, 'key' | 'role' | 'part'>): string {
  const key = contextKey(blockKey);
  const kind = key.slice(0, key.indexOf(':'));
  const name = key.slice(kind.length + 1);
  switch (kind) {
    case 'system':
      return name === 'agent' ? 'System prompt, yours' : 'System prompt of Loupe';
    case 'fragment':
      return `System prompt, from ${name}`;
    case 'file':
      return `File ${name}`;
    case 'files':
      return `Files, text ${name.startsWith('header') ? 'before' : 'after'} them`;
    case 'rule':
    case 'reference':
    case 'resource':
    case 'skill':
      return `${CATALOG_TITLES[kind]} ${name}${isPick(blockKey) ? ', picked for the message' : ''}`;
    case 'tool':
      return `Tool ${name}`;
    case 'retiredTool':
      return `Tool ${name}, no longer available`;
    default:
      return saidTitle(role === 'assistant' ? 'Assistant' : 'You', kind !== 'message', part);
  }
}

/** `isNote`: Loupe put it between the messages, because the wire wants something there. */
function saidTitle(speaker: string, isNote: boolean, part: WirePart): string {
  switch (part.type) {
    case 'text':
      return isNote ? 'Note of Loupe' : speaker;
    case 'image':
      return `${speaker}, image (${part.mimeType})`;
    case 'reasoning':
      return `${speaker}, reasoning`;
    case 'toolCall':
      return `${speaker}, call of ${part.name}`;
    case 'toolResult': {
      const images = part.content.filter(({ type }) => type === 'image').length;
      return `Result of ${part.name}${part.isError ? ', failed' : ''}${images === 0 ? '' : `, with ${images === 1 ? 'an image' : 'images'}`}`;
    }
    case 'toolDefinition':
      return `Tool ${part.name}${part.isDeferred === true ? ', on demand' : ''}`;
  }
}

/** The values that a part holds, in the order they are read. */
export function partFields(part: WirePart): readonly PartField[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [{ name: null, value: part.text }];
    case 'image':
      return [];
    case 'toolCall':
      return argumentFields(part.args);
    case 'toolResult':
      return part.content.flatMap((content) =>
        content.type === 'image' ? [] : [{ name: null, value: content.type === 'text' ? content.text : loadedText(content) }],
      );
    case 'toolDefinition':
      return [
        { name: null, value: part.description },
        { name: 'parameters', value: part.schema },
      ];
  }
}

/** Arguments of several lines, such as a file to write, are fields of their own: as JSON they could not be read. */
function argumentFields(args: JsonObject): readonly PartField[] {
  const isLong = ([, value]: readonly [string, Json]): boolean => typeof value === 'string' && value.includes('\n');
  const entries = Object.entries(args);
  const long = entries.filter(isLong);
  const short = entries.filter((entry) => !isLong(entry));
  const rest = short.length === 0 && long.length > 0 ? [] : [{ name: null, value: Object.fromEntries(short) }];
  return [...rest, ...long.map(([name, value]) => ({ name, value }))];
}
