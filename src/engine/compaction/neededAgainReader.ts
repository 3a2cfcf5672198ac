import { activeCompaction, type KnownCompaction } from '../chat/slices/compaction.js';
import type { SentMessage } from '../chat/message/message.js';
import type { ChatState } from '../chat/state.js';
import { isMessageItem } from '../chat/timeline.js';
import { transcript } from '../chat/transcript.js';
import { compacted } from '../chat/checkpoint.js';
import type { Fact } from './fact.js';
import { MessageFacts } from './facts/messageFacts.js';
import { factsOf, lostFacts } from './facts/facts.js';
import { FactReuseCounter, type Measure, type FactReuse } from './facts/neededAgain.js';
import { replacedMessages } from './range.js';
import type { RepeatedResult } from '../request/adapt/repeats.js';
import { missingResultNote, type ResultTexts, textForModel } from '../request/resultText.js';
import { IMAGE_TOKENS } from '../tokens/imageTokens.js';
import type { TokenCounter } from '../ports.js';

/** The tokens of each message by the model's counter, without the tokens between messages. */
export interface MessageTokens {
  readonly tokens: readonly number[];
  readonly results: ResultTexts;
  readonly counter: TokenCounter;
}

export interface MessageScale {
  /** `repeated`: the results that count as references. */
  weigh(state: ChatState, messages: readonly SentMessage[], repeated: readonly RepeatedResult[]): Promise<MessageTokens>;
}

/** How far the messages after a summary were searched for facts that the summary lost. */
interface NeededAgainProgress {
  readonly compaction: KnownCompaction;
  readonly count: FactReuseCounter;
  messages: number;
  last: SentMessage | null;
}

/** Finds which facts lost by a summary the model needed again later. Reads each message after the summary once. */
export class NeededAgainReader {
  readonly #requests: MessageScale;
  #read: NeededAgainProgress | null = null;

  constructor(requests: MessageScale) {
    this.#requests = requests;
  }

  /** Returns the figures. Null without a summary or before its messages are loaded. Rejects with `modelGone`. */
  async figures(state: ChatState): Promise<FactReuse | null> {
    const compaction = activeCompaction(state);
    const at = compaction === null ? -1 : state.timeline.findLastIndex((item) => isMessageItem(item, compaction.summaryId ?? ''));
    if (compaction === null || at === -1) {
      return null;
    }
    const { messages } = transcript({ ...state, timeline: state.timeline.slice(at + 1) });
    const known = this.#known(compaction, messages) ?? begun(compaction, state, at);
    if (known === null) {
      return null;
    }
    this.#read = known;
    if (messages.length > known.messages) {
      const measure = measureOf(await this.#requests.weigh(state, messages.slice(known.messages), []));
      // Another call may have added some of these messages during the `await`.
      for (const message of messages.slice(known.messages)) {
        known.count.add(message, measure);
        known.messages += 1;
        known.last = message;
      }
    }
    return known.count.figures;
  }

  /** Returns the earlier progress. Null when the summary or a message that was read has changed, as after an edit. */
  #known(compaction: KnownCompaction, messages: readonly SentMessage[]): NeededAgainProgress | null {
    const known = this.#read;
    const isSame = known?.compaction === compaction && (known.last === null || messages[known.messages - 1] === known.last);
    return isSame ? known : null;
  }
}

/** Starts before the first message after the summary. A fact in a message that requests still contain is not lost. */
function begun(compaction: KnownCompaction, state: ChatState, summaryAt: number): NeededAgainProgress | null {
  const replaced = replacedMessages(compaction, state);
  const { checkpoint, pinned } = compacted(state);
  if (replaced === null || checkpoint === null) {
    return null;
  }
  const to = state.timeline.findLastIndex((item) => isMessageItem(item, compaction.to));
  const stayed = transcript({ ...state, timeline: state.timeline.slice(to + 1, summaryAt) }).messages;
  const keyOf = ({ kind, text }: Fact): string => `${kind}:${text}`;
  const held = new Set(factsOf([...pinned, ...stayed], new MessageFacts()).map(keyOf));
  const dropped = lostFacts(replaced, checkpoint.text).filter((fact) => !held.has(keyOf(fact)));
  return { compaction, count: new FactReuseCounter(dropped), messages: 0, last: null };
}

function measureOf({ counter, results }: MessageTokens): Measure {
  const text = (one: string): number => counter.count(one);
  return {
    text,
    content: (content) => {
      switch (content.type) {
        case 'text':
          return text(textForModel(content.text));
        case 'blob':
          return text(results.get(content.blob) ?? missingResultNote(content));
        case 'image':
          return IMAGE_TOKENS;
        case 'toolReference':
          return 0;
      }
    },
  };
}
