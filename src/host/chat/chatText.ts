import { figureValue, inputTokens, type Usage } from '../../engine/model/usage.js';
import { chatMarkdown } from '../../engine/chat/chatMarkdown.js';
import { modelKey } from '../../engine/model/modelRef.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../engine/chat/state.js';
import { price, priceInWords, tokens } from '../../protocol/numbers.js';

/** The Swedish locale writes dates almost as ISO 8601 does: `2026-11-21 14:02`. */
const TIME = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' });

/** Returns the loaded messages of a chat as Markdown for export and copy. Each reply has a line with its usage. */
export function chatText(state: ChatState): string {
  return chatMarkdown(state, (attemptId) => replyFigures(state.attempts.get(attemptId)));
}

/** Returns a line with the model, time, tokens and price of a reply. Unknown values are omitted. */
function replyFigures(attempt: AttemptState | undefined): readonly string[] {
  if (attempt === undefined) {
    return [];
  }
  const { model, startedAt, end, isPretended } = attempt;
  const cost = end?.cost ?? null;
  const least = cost?.atLeast === true ? 'at least ' : '';
  const charge = cost === null ? [] : [priceInWords(`${least}${price(cost.usd)}`, isPretended === true)];
  const figures = [...counts(end?.usage ?? null), ...charge];
  return [`*${[modelKey(model), `${TIME.format(startedAt)} UTC`, ...figures].join(' · ')}*`];
}

function counts(usage: Usage | null): string[] {
  if (usage === null) {
    return [];
  }
  const figures: readonly (readonly [count: number | null, what: string])[] = [
    [inputTokens(usage), 'in'],
    [figureValue(usage.cacheReadInputTokens), 'cached'],
    [figureValue(usage.cacheCreationInputTokens), 'written'],
    [figureValue(usage.completionTokens), 'out'],
  ];
  return figures.flatMap(([count, what]) => (count === null ? [] : [`${tokens(count)} ${what}`]));
}
