import type { AssistantMessage, SentMessage, UserMessage } from '../chat/message/message.js';
import type { ToolResultPart } from '../model/part.js';
import type { Leaves } from '../chat/slices/marks.js';
import { SUMMARY_HEADING } from '../chat/summaryHeading.js';
import type { Checkpoint } from '../chat/checkpoint.js';
import type { FileContents } from '../context/fileContents.js';
import type { Block, ToolDefinition } from '../model/block.js';
import type { BlockFactory } from './blockFactory.js';
import { shownFile, type ShownLines } from './shownFiles.js';

/** A piece of the system prompt. It is composed for each request and never stored. */
export interface SystemPiece {
  /** `system:global`, `system:agent`, `fragment:{id}`. */
  readonly key: string;
  readonly text: string;
}

/** A rule, a reference or a skill as the model reads it. */
export interface CatalogText {
  /** Key of its context item. */
  readonly key: string;
  readonly category: 'rules' | 'references' | 'skills';
  readonly text: string;
}

/** A tool that the model may call. */
export interface OfferedTool {
  /** Key of its context item. */
  readonly key: string;
  readonly definition: ToolDefinition;
}

/** The contents of a request. */
export interface Sources {
  readonly tools: readonly OfferedTool[];
  /** The keys of those of them that the model loads when it needs them. */
  readonly onDemand: ReadonlySet<string>;
  /** The agent prompt; empty for none. */
  readonly systemPrompt: string;
  readonly fragments: readonly SystemPiece[];
  /** Rules, references and skills of the system prompt, in their order. */
  readonly standing: readonly CatalogText[];
  /** Rules, references and skills that fit the newest message of the user, the best first. */
  readonly picked: readonly CatalogText[];
  readonly files: FileContents;
  /** What of them there is no room for. */
  readonly shownLines: ShownLines;
  /** The summary that stands for the beginning of the conversation; null without one. */
  readonly checkpoint: Checkpoint | null;
  /** Pinned messages behind the checkpoint, the messages of `transcript`, and the newest user message. */
  readonly messages: readonly SentMessage[];
  /** What a request for Loupe itself asks for, behind the conversation; null in a request for a reply. */
  readonly instruction: string | null;
}

/** A result in the log: part `index` of a message. */
export interface LocatedResult {
  readonly messageId: string;
  readonly index: number;
  readonly part: ToolResultPart;
}

/**
 * What a request does with a tool call that should leave, and its result:
 *
 * - `later`, `now`: leaves them out; a layout may carry them, but for those that leave `now`, whatever that costs. With the last call of
 *   a reply goes the reasoning that led to its calls, which providers refuse without them.
 * - `carried`: holds them until the layout lays them out anew.
 */
export type CallState = Leaves | 'carried';

/** What the user has decided about a message of the conversation. */
export interface Leaving {
  /** The turn that the user has left out, with which the message leaves when the layout lays it out anew; null where it stays. */
  readonly leftOutWith: string | null;
  /** Whether that leaves with this request, whatever that costs. */
  readonly leavesNow: boolean;
}

/** A message of the conversation. A reply has the results of its tool calls, and those of its calls that should leave, by call id. */
export type Said =
  | (Leaving & { readonly kind: 'user'; readonly message: UserMessage })
  | (Leaving & {
      readonly kind: 'reply';
      readonly message: AssistantMessage;
      readonly results: ReadonlyMap<string, LocatedResult>;
      readonly leaving: ReadonlyMap<string, CallState>;
    });

/** The files, one block each, with the texts before and after them. */
export interface FileGroup {
  readonly header: Block;
  readonly files: readonly Block[];
  readonly acknowledged: Block;
}

/** The contents of a request as blocks, before `optimize` decides what of them leaves, `layout` orders them and `adapt` fits them to the model. */
export interface Groups {
  readonly tools: readonly Block[];
  readonly system: readonly Block[];
  /** Null without files. */
  readonly files: FileGroup | null;
  /** What was picked for the newest message of the user. */
  readonly picks: readonly Block[];
  /** Null without a summary. */
  readonly checkpoint: Block | null;
  readonly conversation: readonly Said[];
  /** Null in a request for a reply. */
  readonly instruction: Block | null;
}

/** The global prompt, the same for every chat. It says only what a reply in this panel needs. */
export const GLOBAL_PROMPT =
  'You are a programming assistant in the chat panel of VS Code. Answer in Markdown. ' +
  'Put code into fenced blocks with the language named. Files the user added stand under "Working Files".';

/** Begins the key of the summary's block. */
export const SUMMARY_KEY = 'summary:';

/** The key of the block with the summary of a compaction. */
export function summaryKey(compactionId: string): string {
  return `${SUMMARY_KEY}${compactionId}`;
}

/** A kind, the id of a message, and which part of it. */
const MESSAGE_KEY = /^[a-zA-Z]+:([^:/]+)\//;

/** The id of the message that a block is of, or stands for; null for a block of anything else. */
export function messageBehind({ category, key }: Pick<Block, 'category' | 'key'>): string | null {
  return category === 'conversation' ? (MESSAGE_KEY.exec(key)?.[1] ?? null) : null;
}

const FILES_HEADER = '# Working Files\n\nThe files in this conversation, as they are now:';
const FILES_ACKNOWLEDGED = 'Understood. I will work with these files.';

/** The first step: collects the contents of a request in groups. It leaves out only empty pieces, orphan results, and what of
 * the files there is no room for. */
export function gather(
  { tools, systemPrompt, fragments, standing, picked, files, shownLines, checkpoint, messages, instruction }: Sources,
  factory: BlockFactory,
): Groups {
  return {
    tools: tools.map(({ key, definition }) => factory.definitionBlock(key, definition)),
    system: systemPieces(systemPrompt, fragments, standing).map(({ key, text, category, item }) =>
      factory.snapshotBlock({ key, role: 'system', category, item }, { type: 'text', text }),
    ),
    files: fileGroup(files, shownLines, factory),
    picks: picked.map((item) => pickBlock(item, factory)),
    checkpoint: checkpoint === null ? null : textBlock(summaryKey(checkpoint.id), `${SUMMARY_HEADING}\n\n${checkpoint.text}`, factory),
    instruction: instruction === null ? null : textBlock('instruction', instruction, factory),
    conversation: messages.flatMap((message, index) => said(message, messages, index)),
  };
}

/**
 * The system prompt: the global prompt, the agent prompt, the fragments, rules and references, joined by line breaks. Each piece but the
 * last ends with its line break, so that the pieces concatenate to that text. Empty pieces are left out.
 */
function systemPieces(agentPrompt: string, fragments: readonly SystemPiece[], standing: readonly CatalogText[]): PlacedPiece[] {
  const own = [{ key: 'system:global', text: GLOBAL_PROMPT }, { key: 'system:agent', text: agentPrompt }, ...fragments];
  const pieces: PlacedPiece[] = [
    ...own.map((piece) => ({ ...piece, category: 'system', item: null }) as const),
    ...standing.map((piece) => ({ ...piece, item: piece.key })),
  ].filter((piece) => piece.text.trim() !== '');
  return pieces.map((piece, index) => (index === pieces.length - 1 ? piece : { ...piece, text: `${piece.text}\n` }));
}

/** A piece of the system prompt with the origin of its block. */
type PlacedPiece = SystemPiece & Pick<Block, 'category' | 'item'>;

/** Begins the keys of blocks that were picked for a message. A carried one and the same item in the system prompt are two blocks. */
const PICK = 'picked:';

/** What the block of a context item stands for: the item's key, without the beginning that tells a pick. */
export function contextKey(item: string): string {
  return isPick(item) ? item.slice(PICK.length) : item;
}

/** Whether the item of a block was picked for a message. */
export function isPick(item: string): boolean {
  return item.startsWith(PICK);
}

/** The block of a rule or a reference that was picked for a message. */
export function pickBlock({ key, category, text }: CatalogText, factory: BlockFactory): Block {
  return factory.snapshotBlock({ key: PICK + key, role: 'user', category, item: PICK + key }, { type: 'text', text });
}

function fileGroup(context: FileContents, shownLines: ShownLines, factory: BlockFactory): FileGroup | null {
  // By UTF-16 code unit: the same order on every machine.
  const sorted = [...context].sort(([a], [b]) => (a < b ? -1 : 1));
  const files = sorted.flatMap(([path, content]) => shownFile({ path, content }, shownLines.get(path) ?? null, factory) ?? []);
  return files.length === 0 ? null : { ...textsAroundFiles(factory), files };
}

/** The texts before and after the files. A request without files has none. */
export function textsAroundFiles(factory: BlockFactory): Pick<FileGroup, 'header' | 'acknowledged'> {
  const block = (key: string, role: 'user' | 'assistant', text: string): Block =>
    factory.snapshotBlock({ key, role, category: 'files', item: null }, { type: 'text', text });
  return {
    header: block('files:header', 'user', FILES_HEADER),
    acknowledged: block('files:acknowledged', 'assistant', FILES_ACKNOWLEDGED),
  };
}

function textBlock(key: string, text: string, factory: BlockFactory): Block {
  return factory.snapshotBlock({ key, role: 'user', category: 'conversation', item: null }, { type: 'text', text });
}

/** It stays, and so do all its calls. */
const STAYS: Leaving = { leftOutWith: null, leavesNow: false };

const NO_CALLS: ReadonlyMap<string, CallState> = new Map();

/** Takes results with the reply directly before them. Results without one are orphans and are left out. */
function said(message: SentMessage, messages: readonly SentMessage[], index: number): Said[] {
  switch (message.role) {
    case 'user':
      return [{ kind: 'user', message, ...STAYS }];
    case 'assistant':
      return [{ kind: 'reply', message, results: resultsAfter(messages, index), leaving: NO_CALLS, ...STAYS }];
    case 'tool-results':
      return [];
  }
}

/** The results directly after message `at`, by call id. The first result of a call counts. */
function resultsAfter(messages: readonly SentMessage[], at: number): ReadonlyMap<string, LocatedResult> {
  const found = new Map<string, LocatedResult>();
  for (let next = at + 1; next < messages.length; next += 1) {
    const message = messages[next];
    if (message?.role !== 'tool-results') {
      break;
    }
    for (const [index, part] of message.parts.entries()) {
      if (!found.has(part.callId)) {
        found.set(part.callId, { messageId: message.id, index, part });
      }
    }
  }
  return found;
}
