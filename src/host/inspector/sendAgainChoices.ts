import { stateBefore } from '../../engine/chat/branch.js';
import { modelKey } from '../../engine/model/modelRef.js';
import { isSent, listedText } from '../../engine/chat/message/message.js';
import { cutTo } from '../../engine/chat/message/opening.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { WholeChat } from '../../engine/chat/state.js';
import { messagesOf } from '../../engine/chat/timeline.js';
import { itemKey, shownName } from '../../engine/record/item.js';
import { contextRecordsOf } from '../../engine/request/rebuild.js';
import { amount, counted, price } from '../../protocol/numbers.js';
import { requestPriceText } from '../../protocol/requestPrice.js';
import { answeredMessage, type SendAgainPrice, type DescribedChange } from '../chat/sendAgain.js';
import { limitsText } from '../models/modelTexts.js';
import { chatModels, type Provider } from '../models/registry.js';

/** Maximum number of characters of a message in a row. */
const FIRST_WORDS = 60;

/** A row in the list of changes that the user can choose from. */
export interface SendAgainChoice extends DescribedChange {
  /** The text of the row, such as `Without AGENTS.md`. */
  readonly label: string;
  readonly description: string;
}

export interface SendAgainGroup {
  readonly heading: string;
  readonly choices: readonly SendAgainChoice[];
}

/** Returns the possible changes: exclude an item or an earlier turn, or use another model. */
export function sendAgainChoices(state: WholeChat, attempt: AttemptState, providers: readonly Provider[]): readonly SendAgainGroup[] {
  return [
    { heading: 'Exclude an item', choices: itemChoices(state, attempt) },
    { heading: 'Exclude an earlier turn', choices: turnChoices(state, attempt) },
    { heading: 'Use another model', choices: modelChoices(attempt, providers) },
  ].filter(({ choices }) => choices.length > 0);
}

function itemChoices({ attempts }: WholeChat, attempt: AttemptState): SendAgainChoice[] {
  const held = (contextRecordsOf(attempt, attempts) ?? []).filter(({ leftOut }) => leftOut === null);
  return held.map(({ item }) => ({
    ...choice('without', shownName(item)),
    description: item.type,
    change: { kind: 'item', key: itemKey(item) },
  }));
}

/** Returns the earlier turns, latest first, because users remember the latest turns best. */
function turnChoices(state: WholeChat, attempt: AttemptState): SendAgainChoice[] {
  const { timeline } = stateBefore(state, answeredMessage(state, attempt).id);
  const earlier = messagesOf(timeline).filter(isSent);
  return earlier
    .filter(({ id, role }) => role === 'user' && !state.excluded.has(id))
    .map(
      (message): SendAgainChoice => ({
        ...choice('without', `the turn "${firstWords(listedText(message))}"`),
        description: '',
        change: { kind: 'turn', messageId: message.id },
      }),
    )
    .toReversed();
}

function modelChoices(attempt: AttemptState, providers: readonly Provider[]): SendAgainChoice[] {
  return providers.flatMap((provider) =>
    chatModels(provider)
      .filter(({ ref }) => modelKey(ref) !== modelKey(attempt.model))
      .map((model) => ({
        ...choice('with', model.label),
        description: [provider.label, limitsText(model)].join(' · '),
        change: { kind: 'model', model: model.ref },
      })),
  );
}

function choice(how: 'with' | 'without', name: string): Pick<SendAgainChoice, 'label' | 'inWords'> {
  return { label: `${how === 'with' ? 'With' : 'Without'} ${name}`, inWords: `${how} ${name}` };
}

function firstWords(text: string): string {
  return cutTo(text.replace(/\s+/g, ' ').trim(), FIRST_WORDS);
}

/** Returns the question with the price: `Send again without AGENTS.md: 12,104 tokens, ≈ $0.019 with reply`. */
export function priceOfChoice({ inWords }: DescribedChange, { tokens, inputCost, replyCost, isPretended }: SendAgainPrice): string {
  const cost = inputCost === null ? '' : `, ${requestPriceText({ inputCost, replyCost, bound: null }, isPretended)}`;
  return `Send again ${inWords}: ${counted(tokens, 'token')}${cost}`;
}

/** Returns the lines below the question. `missing`: a sentence about a missing API key, else null. */
export function detailOf({ usd, askedAbove }: SendAgainPrice, missing: string | null): string {
  return [
    ...(usd === null || askedAbove === null
      ? []
      : [`The request and its reply cost about ${price(usd)}. This is above your limit of ${amount(askedAbove)} (loupe.spend.askAbove).`]),
    ...(missing === null ? [] : [`${missing} Without a key, the provider may refuse the request.`]),
    'Loupe shows the reply in a fork, next to this chat. This chat does not change.',
  ].join('\n');
}
