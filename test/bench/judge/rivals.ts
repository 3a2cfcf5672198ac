import { blockOf, isContext, type Block, type ChatRequest, type Item, type Role } from './content.js';
import type { Contestant } from './judge.js';

/** The blocks at whose ends a client sets breakpoints. Negative indexes do not count. */
type Breakpoints = (blocks: readonly Block[]) => readonly number[];

/** A message on the wire: consecutive blocks of one role after the system prompt. */
interface Message {
  readonly role: Role;
  readonly start: number;
  readonly end: number;
}

/** OpenCode: the system prompt and the last two messages. */
const openCode: Breakpoints = (blocks) => [
  systemEnd(blocks),
  ...messagesOf(blocks)
    .slice(-2)
    .map(({ end }) => end),
];

/**
 * Copilot: the end of the content before the conversation. Then from the end, three of: results after the user's newest
 * message, that message, and replies that ended a turn.
 */
const copilot: Breakpoints = (blocks) => {
  const contextEnd = blocks.findIndex((block, at) => at > systemEnd(blocks) && !isContext(block)) - 1;
  const places = [];
  let isNewest = true;
  for (const { role, start, end } of messagesOf(blocks).toReversed()) {
    if (end <= contextEnd) {
      break;
    }
    if (role === 'user' ? isNewest : blocks[end]?.speech === 'final') {
      places.push(end);
    }
    isNewest &&= !blocks.slice(start, end + 1).some(({ speech }) => speech === 'user');
  }
  return [contextEnd, ...places.slice(0, 3)];
};

/** The two cheapest real clients, laid out as in their sources. */
export const RIVALS: readonly Contestant[] = [
  { name: 'OpenCode', create: () => ({ plan: marking(openCode) }) },
  { name: 'Copilot', create: () => ({ plan: marking(copilot) }) },
];

/** Titles are short and requested once: no client caches them. */
function marking(breakpoints: Breakpoints): (request: ChatRequest) => readonly Block[] {
  const layout = inline();
  return (request) => {
    if (request.kind === 'title') {
      return request.items.map(blockOf);
    }
    const blocks = layout(request);
    const places = new Set(breakpoints(blocks));
    return blocks.map((block, index): Block => (places.has(index) ? { ...block, breakpoint: '5m' } : block));
  };
}

/** New context goes before the newest user message. Old versions stay until the conversation is cut. */
function inline(): (request: ChatRequest) => readonly Block[] {
  let sent: readonly Item[] = [];
  return ({ items, kind }) => {
    const conversation = items.filter((item) => item.kind === 'message');
    const { kept, said } = stillSaid(sent, conversation);
    const told = new Map(kept.map(({ id, hash }) => [id, hash]));
    const news = items.filter((item) => isContext(item) && told.get(item.id) !== item.hash);
    const fresh = conversation.slice(said);
    const asked = fresh.at(-1)?.speech === 'user' ? fresh.slice(-1) : [];
    const log = [...kept, ...fresh.slice(0, fresh.length - asked.length), ...news, ...asked];
    if (kind !== 'summary') {
      sent = log;
    }
    return [...items.filter((item) => item.kind === 'tool' || item.kind === 'system'), ...log].map(blockOf);
  };
}

/** Returns the sent items that the conversation still has, and the number of their messages. */
function stillSaid(sent: readonly Item[], conversation: readonly Item[]): { readonly kept: readonly Item[]; readonly said: number } {
  let said = 0;
  for (const [at, { kind, hash }] of sent.entries()) {
    if (kind === 'message') {
      if (conversation[said]?.hash !== hash) {
        return { kept: said === 0 ? [] : sent.slice(0, at), said };
      }
      said += 1;
    }
  }
  return { kept: said === 0 ? [] : sent, said };
}

function systemEnd(blocks: readonly Block[]): number {
  return blocks.findLastIndex(({ kind }) => kind === 'system');
}

function messagesOf(blocks: readonly Block[]): readonly Message[] {
  const messages: Message[] = [];
  for (const [at, { role }] of blocks.entries()) {
    const last = messages.at(-1);
    if (last?.role === role) {
      messages[messages.length - 1] = { ...last, end: at };
    } else if (role === 'user' || role === 'assistant') {
      messages.push({ role, start: at, end: at });
    }
  }
  return messages;
}
