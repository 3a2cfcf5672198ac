import type { ChatConfig } from '../../../src/engine/chat/config.js';
import { exchange, inTalk, prose, SMALL_WINDOW, type Talk } from '../longTalks.js';
import { sampleOf } from '../race.js';
import type { Row } from '../row.js';

/** Messages of the user. Three times as many as the policy with the latest trigger waits for. */
const TURNS = 120;
const ANSWER_WORDS = 150;
/** By hand, the conversation is summarized after so many turns. */
const BY_HAND = 20;

const POLICIES: readonly ChatConfig['compactionPolicy'][] = ['topic-boundary', 'rolling-window', 'message-count', 'manual'];

export const compactionSaves: Row = {
  name: 'compaction-saves',
  job: `tokens of all requests of a chat of ${String(TURNS)} turns, those for topics and summaries too, against the same chat without summaries`,
  async measure() {
    const whole = await sentIn({ compaction: 'off' }, false);
    const samples = [sampleOf('without summaries', [whole.ms])];
    const verdicts = [];
    for (const compactionPolicy of POLICIES) {
      const byHand = compactionPolicy === 'manual';
      const limit = compactionPolicy === 'topic-boundary' || compactionPolicy === 'rolling-window' ? { maxPromptTokens: SMALL_WINDOW } : {};
      const { tokens, ms } = await sentIn({ compaction: 'on', compactionPolicy, ...limit }, byHand);
      samples.push(sampleOf(compactionPolicy, [ms]));
      verdicts.push({ what: `tokens saved by ${compactionPolicy}, share`, measured: 1 - tokens / whole.tokens, target: { atLeast: 0.5 } });
    }
    return { samples, amount: null, verdicts };
  },
};

/** Holds the chat, and counts what its requests held. */
function sentIn(config: Partial<ChatConfig>, byHand: boolean): Promise<{ readonly tokens: number; readonly ms: number }> {
  return inTalk(config, async (talk) => {
    const started = performance.now();
    for (let turn = 0; turn < TURNS; turn += 1) {
      await exchange(talk, turn, prose(turn, 40), prose(turn, ANSWER_WORDS));
      if (byHand && turn % BY_HAND === BY_HAND - 1) {
        await talk.session.compactor.summarize(null);
      }
    }
    const summaries = talk.session.state.compactions.size;
    if ((config.compaction === 'on') !== summaries > 0) {
      throw new Error(`${String(summaries)} summaries were made.`);
    }
    return { tokens: tokensIn(talk), ms: performance.now() - started };
  });
}

function tokensIn({ house, windows: { counter } }: Talk): number {
  return house.bodies.reduce((sum, body) => sum + counter.count(body), 0);
}
