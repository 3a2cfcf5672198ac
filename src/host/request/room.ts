import type { Room } from '../../engine/compaction/plan.js';
import { promptBlocks } from '../../engine/request/prompt.js';
import type { Composed } from './requestComposer.js';
import { scaledTokens } from './sizeTexts.js';

/** How a request divides its budget between the conversation and the rest. */
export function roomOf({ prompt, budget, model, size }: Pick<Composed, 'prompt' | 'budget' | 'model' | 'size'>): Room {
  const blocks = promptBlocks(prompt).filter((block) => block.category === 'conversation');
  const messages = prompt.messages.filter((message) => message.blocks.some((block) => blocks.includes(block)));
  const framing = messages.length * model.capabilities.framing.perMessage;
  const history = scaledTokens(
    blocks.reduce((sum, block) => sum + block.tokens, framing),
    size,
  );
  return { budget, fixed: size.tokens - history, history };
}
