import type { ItemProof } from '../../engine/accounting/itemProof.js';
import { age, counted, price, tokens } from '../numbers.js';

/*
 * What requests held of a rule, a reference or a skill. The pane with the context of a chat and the line above its file say
 * it in the same sentences.
 */

/** An item in some requests for replies. */
export interface ProofFigures extends Omit<ItemProof, 'lastAt'> {
  /** All of them. */
  readonly requests: number;
}

/** Another file that holds the text of a rule, or most of it, in a sentence. */
export interface DuplicateRuleView {
  readonly text: string;
  /** Its path. */
  readonly source: string;
}

export interface ItemProofView {
  readonly key: string;
  /** The requests of the chat on show. */
  readonly chat: ProofFigures;
  /** Those of all chats in `PROOF_DAYS`. */
  readonly recent: ProofFigures;
  /** When one of these last held it, in epoch milliseconds; null when none did. */
  readonly lastAt: number | null;
  /** The rule files of folders below its own that stood in the latest request, too. */
  readonly nearer: readonly string[];
  readonly duplicates: readonly DuplicateRuleView[];
}

/** About a month, wherever it begins. */
export const PROOF_DAYS = 30;

/** What is to be said of an item, but for its duplicates: a sentence each. */
export function proofSentences({ chat, recent, lastAt, nearer }: ItemProofView, now: number): readonly string[] {
  // In the only chat, both count the same requests.
  const isSame = recent.requests === chat.requests;
  return [
    figuresSentence(chat, 'of this chat'),
    ...(isSame ? [] : [figuresSentence(recent, `of all chats in ${String(PROOF_DAYS)} days`)]),
    ...(lastAt === null || chat.whole === chat.requests ? [] : [`Last in a request: ${age(lastAt, now)}.`]),
    ...nearer.map((source) => `${source} stands nearer and comes after it.`),
  ];
}

function figuresSentence({ requests, whole, cut, tokens: size, ...cost }: ProofFigures, where: string): string {
  if (requests === 0) {
    return `No request ${where} yet.`;
  }
  const of = `${counted(requests, 'request')} ${where}`;
  if (whole + cut === 0) {
    return requests === 1 ? `Not in the one request ${where}.` : `In none of ${of}.`;
  }
  const held = [...(whole === 0 ? [] : [`whole in ${tokens(whole)}`]), ...(cut === 0 ? [] : [`cut in ${tokens(cut)}`])].join(' and ');
  return `${held.charAt(0).toUpperCase()}${held.slice(1)} of ${of}: ${counted(size, 'token')}${costWords(cost)}.`;
}

function costWords({ cost, unknownCosts }: Pick<ProofFigures, 'cost' | 'unknownCosts'>): string {
  if (cost === null) {
    return unknownCosts === 0 ? '' : ', price unknown';
  }
  return `, ${unknownCosts === 0 ? '' : 'at least '}${price(cost)} in all`;
}
