import { ONE_AUTHOR } from '../../../src/engine/chat/authors.js';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import { adapt, type AdaptedRequest, type AdaptInput } from '../../../src/engine/request/adapt/adapt.js';
import { Repeats } from '../../../src/engine/request/adapt/repeats.js';
import { NOTHING_SENT_BEFORE } from '../../../src/engine/request/adapt/sentContents.js';
import type { Block } from '../../../src/engine/model/block.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { gather } from '../../../src/engine/request/gather.js';
import type { WireMessage } from '../../../src/engine/model/prompt.js';
import { TEXT_DIFFERENCES } from '../../../src/host/request/compose/textDifferences.js';
import { characters, sha256 } from './ports.js';
import { PLAIN } from './requests.js';

export interface ConversationInput extends Omit<AdaptInput, 'authors' | 'repeats'> {
  readonly before: readonly Block[];
  readonly messages: readonly SentMessage[];
}

export interface Conversation extends Pick<AdaptedRequest, 'adaptations'> {
  readonly messages: readonly WireMessage[];
}

/** Returns the conversation as it is sent after `before`. */
export function composeConversation({ before, messages, ...input }: ConversationInput, factory: BlockFactory): Conversation {
  const { conversation } = gather({ ...PLAIN, messages }, new BlockFactory(characters, sha256));
  const repeats = new Repeats({ isOn: true, sent: NOTHING_SENT_BEFORE, differences: TEXT_DIFFERENCES }, factory);
  const { prompt, adaptations: adapted } = adapt(
    { tools: [], system: before, messages: conversation },
    { ...input, authors: ONE_AUTHOR, repeats },
    factory,
  );
  return { messages: prompt.messages, adaptations: adapted };
}
