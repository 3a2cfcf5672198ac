import { compacted } from '../../../src/engine/chat/checkpoint.js';
import { keptLines } from '../../../src/engine/compaction/facts/survivors.js';
import type { Row } from '../row.js';
import { sampleOf } from '../race.js';
import { exchange, inTalk, prose, type Talk } from '../longTalks.js';
import { CHATTER, DEMANDS, DISTRACTORS, FINDINGS, type Planted } from '../plantedFacts.js';

/** Consecutive summaries. Each replaces the one before and the messages after it. */
const SUMMARIES = 3;
/** With 25 exchanges a summary replaces about 90,000 tokens, as in a window of 128,000, and can have 1,800. */
const ANSWER_WORDS = 3_800;
const LEAST_KEPT = 0.95;
/** Without patterns for decisions, findings are kept only by their names and paths. */
const LEAST_FOUND_ELSEWHERE = 0.75;
/** A summary that keeps all would be half needless. */
const MOST_NEEDLESS = 0.35;
/** Between two sentences of a message. Each is kept or lost separately. */
const NEXT_SENTENCE = /(?<=[.!?]) (?=\p{Lu})/u;
/** Paths, names and errors in backticks, and numbers with a unit. */
const PLANTED_TERM = /`[^`]+`|\d[\d.,]*\s?(?:ms|s|MB|GB|%|pixels)(?![\w])/g;

export const compactionKeeps: Row = {
  name: 'compaction-keeps',
  job: `${String(SUMMARIES)} summaries in a row by a summarizer that says nothing of what was planted, on sentences that no pattern was built on`,
  measure: () =>
    inTalk({ compactionPolicy: 'manual' }, async (talk) => {
      const started = performance.now();
      for (let round = 0; round < SUMMARIES; round += 1) {
        await talkOf(talk, round);
        await talk.session.compactor.summarize(null);
      }
      await exchange(talk, 0, 'And now?', prose(0, ANSWER_WORDS));
      const body = JSON.stringify((JSON.parse(talk.house.bodies.at(-1) ?? '') as { readonly messages: unknown }).messages);
      const share = (planted: readonly string[]): number =>
        planted.filter((text) => body.includes(JSON.stringify(text).slice(1, -1))).length / planted.length;
      const [demands, terms] = [sentencesOf(DEMANDS.english), termsOf(FINDINGS.english)];
      const kinds: readonly (readonly [what: string, planted: readonly string[], atLeast: number])[] = [
        ['all facts planted in English', [...demands, ...terms], LEAST_KEPT],
        ["the user's demands in English, word for word", demands, LEAST_KEPT],
        ["the model's paths, names, errors and figures in English", terms, LEAST_KEPT],
        ["the user's demands in other languages, word for word", sentencesOf(DEMANDS.others), LEAST_KEPT],
        ["the model's paths, names and figures in other languages", termsOf(FINDINGS.others), LEAST_FOUND_ELSEWHERE],
      ];
      return {
        samples: [sampleOf('the whole chat', [performance.now() - started])],
        amount: null,
        verdicts: [
          ...kinds.map(([what, planted, atLeast]) => ({
            what: `share kept of ${String(planted.length)}: ${what}`,
            measured: share(planted),
            target: { atLeast },
          })),
          { what: 'share of the words kept that need not be', measured: needless(talk), target: { atMost: MOST_NEEDLESS } },
        ],
      };
    }),
};

function all({ english, others }: Planted): readonly string[] {
  return [...english, ...others];
}

function sentencesOf(demands: readonly string[]): readonly string[] {
  return demands.flatMap((said) => said.split(NEXT_SENTENCE));
}

function termsOf(findings: readonly string[]): readonly string[] {
  const terms = findings.flatMap((said) => said.match(PLANTED_TERM) ?? []);
  return [...new Set(terms.map((term) => term.replaceAll('`', '')))];
}

/** Sends one part of the planted sentences as single messages, with others between them. The model does the same. */
async function talkOf(talk: Talk, round: number): Promise<void> {
  const inRound = (planted: readonly string[]): readonly string[] => planted.filter((_, index) => index % SUMMARIES === round);
  const said = alternating(inRound(all(DEMANDS)), inRound(DISTRACTORS));
  const found = alternating(inRound(all(FINDINGS)), inRound(CHATTER));
  for (const [turn, text] of said.entries()) {
    await exchange(talk, turn, text, `${found[turn] ?? ''} ${prose(turn, ANSWER_WORDS)}`);
  }
}

function alternating(first: readonly string[], second: readonly string[]): readonly string[] {
  const longer = Array.from({ length: Math.max(first.length, second.length) }, (_, index) => [first[index], second[index]]);
  return longer.flat().filter((text) => text !== undefined);
}

/** The share of needless tokens in what was kept word for word. */
function needless({ session: { state }, windows: { counter } }: Talk): number {
  const kept = keptLines(compacted(state).checkpoint?.text ?? '');
  const tokensOf = (lines: readonly string[]): number => counter.count(lines.join('\n'));
  const others = [...DISTRACTORS, ...CHATTER];
  return tokensOf(kept.filter((line) => others.some((said) => said.includes(line.replace(/^“(.*)”$/, '$1'))))) / tokensOf(kept);
}
