import type { ItemProof } from '../../engine/accounting/itemProof.js';
import { age, counted, price, tokens } from '../numbers.js';

/* Sentences about the requests with a rule, reference or skill, for the context pane and above the item's file. */

export interface ProofFigures extends Omit<ItemProof, 'lastAt'> {
  /** Number of all requests for replies, with or without the item. */
  readonly requests: number;
}

/** Another file that has all or most of the text of a rule. */
export interface DuplicateRuleView {
  readonly text: string;
  readonly source: string;
}

export interface ItemProofView {
  readonly key: string;
  /** Figures about the requests of the visible chat. */
  readonly chat: ProofFigures;
  /** Figures about the requests of all chats in the last `PROOF_DAYS` days. */
  readonly recent: ProofFigures;
  /** Time of the latest of the `recent` requests with the item, in epoch milliseconds. Null if none had the item. */
  readonly lastAt: number | null;
  /** Rule files in deeper folders that were also in the latest request. */
  readonly nearer: readonly string[];
  readonly duplicates: readonly DuplicateRuleView[];
}

/** Number of days that are searched: about a month. */
export const PROOF_DAYS = 30;

/** Returns sentences for the user about the use of an item. Duplicates are not included. */
export function proofSentences({ chat, recent, lastAt, nearer }: ItemProofView, now: number): readonly string[] {
  // If there is only one chat, both figures are about the same requests.
  const isSame = recent.requests === chat.requests;
  const last = age(lastAt ?? now, now).replace(/ [a-z]+$/, '$& ago');
  return [
    figuresSentence(chat, 'of this chat'),
    ...(isSame ? [] : [figuresSentence(recent, `of all chats in ${String(PROOF_DAYS)} days`)]),
    ...(lastAt === null || chat.whole === chat.requests ? [] : [`Last request with this item: ${last}.`]),
    ...nearer.map((source) => `Requests contain ${source} after this item, because its folder is deeper.`),
  ];
}

function figuresSentence({ requests, whole, cut, tokens: size, ...cost }: ProofFigures, where: string): string {
  if (requests === 0) {
    return `No request ${where} yet.`;
  }
  const of = `${counted(requests, 'request')} ${where}`;
  if (whole + cut === 0) {
    return requests === 1 ? `The only request ${where} does not contain this item.` : `None of ${of} contains this item.`;
  }
  const held = [...(whole === 0 ? [] : [`whole in ${tokens(whole)}`]), ...(cut === 0 ? [] : [`cut in ${tokens(cut)}`])].join(' and ');
  return `Sent ${held} of ${of}: ${counted(size, 'token')}${costWords(cost)}.`;
}

function costWords({ cost, unknownCosts }: Pick<ProofFigures, 'cost' | 'unknownCosts'>): string {
  if (cost === null) {
    return unknownCosts === 0 ? '' : ', price unknown';
  }
  return `, ${unknownCosts === 0 ? '' : 'at least '}${price(cost)} in all`;
}
