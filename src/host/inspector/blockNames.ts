import { FRAME_LABELS, framedType } from '../../engine/next/blockViews.js';
import { HELD_MODES, heldMode } from '../../protocol/panel/requestRows.js';
import { itemKey, type RequestContextItem } from '../../engine/record/item.js';
import type { WirePart } from '../../engine/model/block.js';
import { REPEAT } from '../../engine/request/adapt/sentContents.js';
import { contextKey, isPick, messageBehind, SUMMARY_KEY } from '../../engine/request/gather.js';
import type { ContextRecord } from '../../engine/record/manifest.js';
import { mappedFolder } from '../../engine/repository/repositoryTexts.js';
import type { BlockKind, InspectedBlock } from '../../protocol/inspector/inspector.js';
import { countedAs } from '../../protocol/numbers.js';
import { blockText } from './blockText.js';
import type { HeldBlock } from './heldRequest.js';

/** Maximum number of characters of a message in its row. */
const MOST_OF_MESSAGE = 80;

const KINDS: Readonly<Record<string, BlockKind>> = {
  system: 'system',
  rules: 'rule',
  references: 'reference',
  skills: 'skill',
  files: 'file',
  repository: 'repository',
  tools: 'tool',
  conversation: 'message',
  editor: 'editor',
};

/** The records of the items in a request, by item key. */
export type HeldItems = ReadonlyMap<string, ContextRecord>;

export function heldItems(records: readonly ContextRecord[]): HeldItems {
  return new Map(records.flatMap((record) => (record.leftOut === null ? [[itemKey(record.item), record] as const] : [])));
}

export type NamedBlock = Pick<InspectedBlock, 'name' | 'kind' | 'message' | 'server' | 'why'>;

/** Returns the name of a block, and why the request contains it. `isAsked`: whether the block is the newest message. */
export function namedBlock(block: HeldBlock, items: HeldItems, isAsked: boolean): NamedBlock {
  const record = block.item === null ? undefined : items.get(contextKey(block.item));
  return {
    name: nameOf(block),
    kind: kindOf(block),
    message: messageBehind(block),
    server: serverOf(block),
    why: [
      isAsked ? 'your message' : block.isPending ? 'no result yet' : whyOf(block, record?.item),
      ...tierReason(block, record),
      ...FORMS[block.form],
    ].join(', '),
  };
}

/** Returns why the first request of a chat has a file in its tier. Empty for other blocks. */
function tierReason({ tier }: HeldBlock, record: ContextRecord | undefined): readonly string[] {
  const users = tier === 'active' ? undefined : record?.link?.users;
  return users === undefined ? [] : [`tier by references: used by ${users === 0 ? 'no file' : countedAs(users, 'file', 'files')}`];
}

function kindOf({ key, category }: HeldBlock): BlockKind {
  if (key.startsWith(SUMMARY_KEY)) {
    return 'summary';
  }
  return key.startsWith('page') ? 'page' : (KINDS[category] ?? 'message');
}

/** Words for each form of a block. They follow the reason why the request contains the block. */
const FORMS: Readonly<Record<HeldBlock['form'], readonly string[]>> = {
  full: [],
  cut: ['cut to fit'],
  difference: ['only changes since it was sent'],
  superseded: ['replaced by a later copy'],
  carried: [],
};

function nameOf(block: HeldBlock): string {
  const key = contextKey(block.key);
  const framed = framedType(key);
  if (framed !== null) {
    return FRAME_LABELS[framed];
  }
  const kind = key.slice(0, key.indexOf(':'));
  const name = key.slice(kind.length + 1);
  switch (kind) {
    case 'system':
      return name === 'agent' ? 'Your system prompt' : 'System prompt';
    case 'fragment':
      return `Instructions from ${name}`;
    case 'tool':
      return name.slice(name.indexOf('/') + 1);
    case 'file':
    case 'page':
    case 'rule':
    case 'reference':
    case 'resource':
    case 'skill':
      return name;
    case 'repository':
    case 'repositoryAcknowledged':
      return repositoryName(key);
    case 'editor':
      return `Editor: ${name.replace(/~\d+$/, '')}`;
    case 'retiredTool':
      return `Tool ${name}, no longer available`;
    default:
      return key.startsWith(SUMMARY_KEY) ? 'Conversation summary' : saidName(block, kind === 'message');
  }
}

function repositoryName(key: string): string {
  const folder = mappedFolder(key);
  if (folder !== null) {
    return `Definitions in ${folder}`;
  }
  return key.startsWith('repository:tree')
    ? 'File tree'
    : key === 'repository:map'
      ? 'Text before the definitions'
      : 'Text after the repository map';
}

/** Returns the name of a block. `isMessage` is false for a block that Loupe adds because the protocol requires it. */
function saidName({ part, key, role, category }: HeldBlock, isMessage: boolean): string {
  const speaker = role === 'assistant' || key.startsWith('replyImage:') ? 'Assistant' : 'You';
  if (part === null) {
    return category === 'conversation' ? speaker : key;
  }
  const name = part.type === 'text' && !isMessage ? 'Note from Loupe' : partName(part, speaker);
  return part.type === 'text' && category === 'conversation' ? `${name}: ${beginOf(blockText(part))}` : name;
}

function partName(part: WirePart, speaker: string): string {
  switch (part.type) {
    case 'text':
      return speaker;
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

function beginOf(text: string): string {
  const begin = text
    .slice(0, 2 * MOST_OF_MESSAGE)
    .replace(/\s+/g, ' ')
    .trim();
  return begin.length > MOST_OF_MESSAGE ? `${begin.slice(0, MOST_OF_MESSAGE)}…` : begin;
}

function serverOf({ key, category }: HeldBlock): string | null {
  const name = key.startsWith('tool:') ? key.slice('tool:'.length) : '';
  return category === 'tools' && name.includes('/') ? name.slice(0, name.indexOf('/')) : null;
}

function whyOf({ form, item: key, category, key: own }: HeldBlock, item: RequestContextItem | undefined): string {
  if (form === 'carried') {
    return key !== null && isPick(key) ? 'picked for an earlier message' : 'removed, but still sent';
  }
  if (item !== undefined) {
    const { includeMode, similarityScore: score } = item;
    return [HELD_MODES[heldMode(includeMode, score ?? null)], ...(score === undefined ? [] : [score.toFixed(2)])].join(' ');
  }
  if (own.startsWith(SUMMARY_KEY)) {
    return 'replaces earlier messages';
  }
  if (own.startsWith(REPEAT)) {
    return 'refers to earlier content';
  }
  return category === 'conversation' ? 'history' : category === 'editor' ? 'editor state' : 'always';
}
