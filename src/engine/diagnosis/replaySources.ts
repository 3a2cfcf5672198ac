import { SUMMARY_HEADING } from '../chat/summaryHeading.js';
import { isSent, type Message, type SentMessage } from '../chat/message/message.js';
import { fileContent } from '../context/fileChange.js';
import type { TextDifferences } from '../ports.js';
import { nameInKey } from '../record/item.js';
import type { Block } from '../model/block.js';
import { contextKey, isPick, messageBehind, SUMMARY_KEY, type CatalogText, type RequestSources } from '../request/gather.js';
import { repositoryIn } from '../repository/repositoryTexts.js';
import { ALL_SHOWN } from '../request/shownFiles.js';
import { validWorkspace } from '../request/workspace.js';
import { promptBlocks, type Prompt } from '../model/prompt.js';

export type MessageById = (id: string) => Message | undefined;

/**
 * Reconstructs the sources of a request from the prompt that was sent. Null when the prompt does not contain them, for
 * one of these reasons:
 * - A file was cut to fit.
 * - A note replaced a piece of the system prompt.
 * - Tools were on demand.
 * - A message was removed.
 */
export function replaySources(prompt: Prompt, message: MessageById, differences: TextDifferences): RequestSources | null {
  const blocks = promptBlocks(prompt);
  const messages = sentMessages(blocks, message);
  const files = filesIn(blocks, differences);
  if (messages === null || files === null || blocks.some(isNoteOrDeferred)) {
    return null;
  }
  const summary = blocks.find(({ key }) => key.startsWith(SUMMARY_KEY));
  const pieces = prompt.system.filter(({ category, key }) => category !== 'files' && category !== 'repository' && key !== 'system:global');
  const own = pieces.filter(({ item }) => item === null);
  return {
    tools: prompt.tools.flatMap(({ item, part }) =>
      item !== null && part.type === 'toolDefinition' ? [{ key: item, definition: part }] : [],
    ),
    onDemand: new Set(),
    systemPrompt: own.filter(({ key }) => key === 'system:agent').map(pieceText)[0] ?? '',
    fragments: own.filter(({ key }) => key !== 'system:agent').map((block) => ({ key: block.key, text: pieceText(block) })),
    standing: pieces.flatMap((block) => catalogText(block, pieceText(block))),
    workspace: validWorkspace(blocks),
    picked: blocks.filter(isPickedNow).flatMap((block) => catalogText(block, textOf(block))),
    repository: repositoryIn(blocks),
    files,
    shownLines: ALL_SHOWN,
    checkpoint:
      summary === undefined ? null : { id: summary.key.slice(SUMMARY_KEY.length), text: textOf(summary).slice(SUMMARY_HEADING.length + 2) },
    messages,
    instruction: null,
  };
}

function sentMessages(blocks: readonly Block[], message: MessageById): readonly SentMessage[] | null {
  const ids = new Set(blocks.flatMap((block) => (block.key.startsWith(SUMMARY_KEY) ? [] : (messageBehind(block) ?? []))));
  const found = [...ids].map(message).filter((each) => each !== undefined && isSent(each));
  return found.length === ids.size ? found : null;
}

/** Returns the files in the prompt by path, each with its later changes. Null when a file cannot be restored. */
function filesIn(blocks: readonly Block[], differences: TextDifferences): ReadonlyMap<string, string> | null {
  const files = new Map<string, string>();
  for (const block of blocks.filter(({ item, category }) => item !== null && category === 'files')) {
    const path = nameInKey(block.item ?? '');
    const content = fileContent(block, files.get(path) ?? null, differences);
    if (content === null) {
      return null;
    }
    // A carried file is in the prompt, but no longer in the chat.
    if (block.form === 'carried') {
      files.delete(path);
    } else {
      files.set(path, content);
    }
  }
  return files;
}

/** Whether a block is a note about a changed system prompt, or is for tools on demand. Both lack the source text. */
function isNoteOrDeferred({ role, category, item, part, key }: Block): boolean {
  const isNote =
    role === 'user' &&
    category !== 'files' &&
    category !== 'conversation' &&
    category !== 'editor' &&
    category !== 'repository' &&
    (item === null || !isPick(item));
  return isNote || (part.type === 'toolDefinition' && part.isDeferred === true) || key.startsWith('findTools:');
}

function isPickedNow({ item, form, role }: Block): boolean {
  return role === 'user' && item !== null && isPick(item) && form === 'full';
}

function catalogText({ item, category }: Block, text: string): readonly CatalogText[] {
  return item !== null && (category === 'rules' || category === 'references' || category === 'skills')
    ? [{ key: contextKey(item), category, text }]
    : [];
}

/** Returns the text of a piece of the system prompt, without the line break that joins it to the piece before. */
function pieceText(block: Block): string {
  const text = textOf(block);
  return text.startsWith('\n') ? text.slice(1) : text;
}

function textOf({ part }: Block): string {
  return part.type === 'text' ? part.text : '';
}
