import type { BlockFactory } from './blockFactory.js';
import type { Said } from './gather.js';
import type { ResultTexts } from './resultText.js';

/** A turn that the user has left out of the requests of a chat. */
export interface LeftOutTurn {
  /** The id of the user message that begins it. */
  readonly messageId: string;
  /** Messages of it that a request would send, without tool results. */
  readonly messages: number;
  /** Their tokens by the model's counter, with calls and results. */
  readonly tokens: number;
  /** Whether the request holds it still, until it is laid out anew. */
  readonly isHeld: boolean;
}

/** The turns of a conversation that the user has left out, where a request holds the messages `held`. */
export function leftOutTurns(
  conversation: readonly Said[],
  held: ReadonlySet<string>,
  results: ResultTexts,
  factory: BlockFactory,
): readonly LeftOutTurn[] {
  const turns = new Map<string, LeftOutTurn>();
  for (const said of conversation) {
    if (said.leftOutWith !== null) {
      const known = turns.get(said.leftOutWith);
      turns.set(said.leftOutWith, {
        messageId: said.leftOutWith,
        messages: (known?.messages ?? 0) + 1,
        tokens: (known?.tokens ?? 0) + tokensOf(said, results, factory),
        isHeld: known?.isHeld === true || held.has(said.message.id),
      });
    }
  }
  return [...turns.values()];
}

function tokensOf({ message, ...said }: Said, results: ResultTexts, factory: BlockFactory): number {
  const own = message.parts.map((part, index) => ({ messageId: message.id, index, role: message.role, part }));
  const answers = said.kind === 'reply' ? [...said.results.values()].map((each) => ({ ...each, role: 'tool-results' as const })) : [];
  return [...own, ...answers].reduce((sum, part) => sum + (factory.messageBlock(part, results)?.tokens ?? 0), 0);
}
