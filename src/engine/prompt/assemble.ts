import { listFiles, type FileContext } from '../context/fileContext.js';
import { fenceFile } from '../context/fence.js';
import type { CacheMode } from '../chat/config.js';
import type { SentMessage } from '../chat/message.js';
import type { Framing, Model } from '../run/model.js';
import type { Adaptations } from './adaptations.js';
import type { OutsideContents } from './adaptedParts.js';
import { promptBlocks, type Block, type Prompt, type WireMessage } from './block.js';
import type { BlockFactory } from './blockFactory.js';
import { withBreakpoints } from './breakpoints.js';
import { composeConversation, type SentAttempts } from './conversation.js';
import { composeSystem, type SystemPiece } from './fragments.js';

/** Everything a request is made from. */
export interface AssembleInput extends OutsideContents {
  readonly model: Model;
  readonly cacheMode: CacheMode;
  /** The agent prompt; empty for none. */
  readonly systemPrompt: string;
  readonly fragments: readonly SystemPiece[];
  readonly files: FileContext;
  /** What `transcript` selected, the newest user message included. */
  readonly messages: readonly SentMessage[];
  /** The chat's attempts: what each sent. */
  readonly attempts: SentAttempts;
}

export interface Assembled {
  readonly prompt: Prompt;
  /** Tokens of the whole request as the model's counter has them: all blocks and the framing. */
  readonly totalTokens: number;
  readonly framingTokens: number;
  /** What goes in another form than it was said. */
  readonly adaptations: Adaptations;
}

const FILES_HEADER = '# Working Files\n\nThe files in this conversation, as they are now:';
const FILES_ACKNOWLEDGED = 'Understood. I will work with these files.';

/**
 * Lays out a request, plain layout: system prompt; the working files as a pair of user and assistant message;
 * the conversation. Pure: what is previewed, measured, recorded and sent all come from this function.
 */
export function assemble(input: AssembleInput, factory: BlockFactory): Assembled {
  const system = composeSystem(input.systemPrompt, input.fragments).map((piece) =>
    factory.snapshotBlock(piece.key, 'system', 'system', { type: 'text', text: piece.text }),
  );
  const files = workingFiles(input.files, factory);
  const before = [...system, ...files.flatMap(({ blocks }) => blocks)];
  const conversation = composeConversation({ ...input, before }, factory);
  const messages = [...files, ...conversation.messages];
  const prompt = withBreakpoints({ tools: [], system, messages }, input.cacheMode, input.model.capabilities);
  return { ...measure(prompt, input.model.capabilities.framing), adaptations: conversation.adaptations };
}

function workingFiles(files: FileContext, factory: BlockFactory): WireMessage[] {
  const paths = listFiles(files);
  if (paths.length === 0) {
    return [];
  }
  const blocks = paths.map((path): Block => {
    const text = fenceFile(path, files.contents.get(path) ?? '');
    return factory.snapshotBlock(`file:${path}`, 'user', 'files', { type: 'text', text });
  });
  const header = factory.snapshotBlock('files:header', 'user', 'files', { type: 'text', text: FILES_HEADER });
  const answer = { type: 'text', text: FILES_ACKNOWLEDGED } as const;
  return [
    { role: 'user', blocks: [header, ...blocks] },
    { role: 'assistant', blocks: [factory.snapshotBlock('files:acknowledged', 'assistant', 'files', answer)] },
  ];
}

function measure(prompt: Prompt, framing: Framing): Omit<Assembled, 'adaptations'> {
  const framingTokens = framingOf(prompt, framing);
  const content = promptBlocks(prompt).reduce((sum, block) => sum + block.tokens, 0);
  return { prompt, framingTokens, totalTokens: content + framingTokens };
}

/** Tokens that the wire format adds; the system prompt counts as a message where there is one. */
export function framingOf(prompt: Prompt, framing: Framing): number {
  const messages = prompt.messages.length + (prompt.system.length > 0 ? 1 : 0);
  return framing.perRequest + messages * framing.perMessage + prompt.tools.length * framing.perTool;
}
