import { adaptive } from './adaptive/adaptive.js';
import type { Layout } from './layout.js';
import { plain } from './plain.js';
import { tiered } from './tiered.js';
import type { Wish } from '../placeBreakpoints.js';
import type { Prompt, WireMessage } from '../../model/prompt.js';
import { messagesEnd, shortWishes, systemEnd } from './breakpointPlaces.js';

/** At most this share of the messages comes before the breakpoint. Edits and retries mostly change later messages. */
const SHARE = 0.7;

/**
 * The order of `plain` with two breakpoints: at the end of the system prompt, and after at most 70 % of the messages,
 * but before recent tool results. It writes less to the cache than a breakpoint at the end. This is useful for many
 * edits or retries. Cost: the newest third of the conversation is uncached in every request.
 */
const message70: Layout = {
  name: 'message-70',
  lay: (groups, context) => ({ ...plain.lay(groups, context), wishes: markedAt70 }),
};

function markedAt70(prompt: Prompt): readonly Wish[] {
  const { messages } = prompt;
  const count = Math.min(Math.floor(SHARE * messages.length), beforeRecentResults(messages));
  return shortWishes(messagesEnd(prompt, count), systemEnd(prompt));
}

/** Returns how many messages are before the first tool results of the last turn. A turn begins with a user message. */
function beforeRecentResults(messages: readonly WireMessage[]): number {
  const turn = messages.findLastIndex(({ role, blocks }) => role === 'user' && blocks.some((block) => block.role === 'user'));
  const results = messages.findIndex(({ blocks }, at) => at > turn && blocks.some(({ role }) => role === 'tool-results'));
  return results === -1 ? messages.length : results;
}

/** All layouts by name. A new layout needs a file and a line here. */
export const LAYOUTS = { adaptive, tiered, 'message-70': message70, plain } as const satisfies Readonly<Record<string, Layout>>;
