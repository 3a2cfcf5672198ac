import { join } from 'node:path';
import { textMessage, type SentMessage } from '../../../src/engine/chat/message/message.js';
import type { ChatState } from '../../../src/engine/chat/state.js';
import { historyOf } from '../../../src/engine/compaction/history.js';
import { MessageFacts } from '../../../src/engine/compaction/facts/messageFacts.js';
import { plannedBy } from '../../../src/engine/compaction/policies/policies.js';
import { compactionRange, openMessages } from '../../../src/engine/compaction/range.js';
import { compactionSettings } from '../../../src/engine/compaction/settings.js';
import { survivorsOf, withSurvivors } from '../../../src/engine/compaction/facts/survivors.js';
import type { TokenCounter } from '../../../src/engine/ports.js';
import { loadTestCounter } from '../../support/counters.js';
import { CONFIG } from '../../support/engine/events.js';
import { writeLongLog } from '../../support/storage/longLog.js';
import { chatTexts } from '../compactionChat.js';
import { medianOf, race } from '../race.js';
import type { Row } from '../row.js';
import { inStore, UNWATCHED } from '../store.js';

const CHAT = 'sess_1700000000000_aaaaaa';
const MESSAGES = 10_000;
const ROUNDS = 15;
/** More than a summary of a conversation of this length can have. */
const SUMMARY_WORDS = 500;

const KNOWN = 'Loupe, facts read as the messages came';
const UNREAD = 'Loupe, of a chat that was just opened';
const ONE = 'reading the facts of one new message';

export const compaction: Row = {
  name: 'compaction',
  job: `a compaction of ${MESSAGES.toLocaleString('en')} messages of 400 characters but for the model: history, plan, range, facts, what the summary lacks, checkpoint`,
  measure: () =>
    inStore(async (store, folder) => {
      const said = chatTexts();
      await writeLongLog(join(folder, 'chats', CHAT), { chatId: CHAT, writer: 'earlier', exchanges: MESSAGES / 2, config: CONFIG, said });
      const { fold } = await store.openWhole(CHAT, MESSAGES, UNWATCHED);
      const counter = await loadTestCounter('o200k_base');
      const tokens = new Map(openMessages(fold.state).map((message) => [message, counter.count(message.id)]));
      const bookkeeping = (facts: MessageFacts): number => bookkeepingOf(fold.state, { tokens, counter, facts });
      const known = new MessageFacts();
      const arriving = Array.from({ length: ROUNDS + 1 }, (_, round) => textMessage(`${String(round)}-a`, said(MESSAGES + round)));
      const samples = await race(
        [
          { name: KNOWN, run: () => void bookkeeping(known) },
          { name: UNREAD, run: () => void bookkeeping(new MessageFacts()) },
          { name: ONE, run: () => void known.of(arriving.pop() ?? textMessage('', '')) },
        ],
        { rounds: ROUNDS },
      );
      return {
        samples,
        amount: null,
        verdicts: [{ what: 'all of it but the model, in ms', measured: medianOf(samples, KNOWN), target: { atMost: 20 } }],
      };
    }),
};

interface Tools {
  readonly tokens: ReadonlyMap<SentMessage, number>;
  readonly counter: TokenCounter;
  readonly facts: MessageFacts;
}

function bookkeepingOf(state: ChatState, { tokens, counter, facts }: Tools): number {
  const messages = openMessages(state).map((message) => ({ message, tokens: tokens.get(message) ?? 0 }));
  const history = historyOf(messages, state.pinned);
  const plan = plannedBy(history, compactionSettings(state.config), { messageId: null, confidence: 0 });
  if (plan.case === 'none') {
    throw new Error('Nothing is to be summarized.');
  }
  const range = compactionRange(state, plan.to);
  const survivors = survivorsOf(range.messages, [], facts);
  const summary = 'brief '.repeat(SUMMARY_WORDS);
  const { text, lines } = withSurvivors(summary, survivors, { tokens: plan.summaryTokens - counter.count(summary), counter });
  if (lines.length < MESSAGES / 30) {
    throw new Error(`${String(lines.length)} lines were kept.`);
  }
  return text.length;
}
