import type { Block, Role } from './content.js';
import { isContext } from './layouts.js';

/** Indexes of the blocks at whose ends a client asks for breakpoints; those below 0 are for nothing. */
export type Breakpoints = (blocks: readonly Block[]) => readonly number[];

/** Blocks of one role that follow each other behind the system prompt: a message on the wire. */
interface Message {
  readonly role: Role;
  readonly start: number;
  readonly end: number;
}

/** At the end of the system prompt. */
export const systemOnly: Breakpoints = (blocks) => [systemEnd(blocks)];

/** At the end of the request. */
export const automatic: Breakpoints = (blocks) => [blocks.length - 1];

export const lastMessage: Breakpoints = (blocks) => [systemEnd(blocks), blocks.length - 1];

/** Cline, Roo Code: the last two messages of the user. */
export const lastTwoOfUser: Breakpoints = (blocks) => [
  systemEnd(blocks),
  ...messagesOf(blocks)
    .filter(({ role }) => role === 'user')
    .slice(-2)
    .map(({ end }) => end),
];

/** opencode: the last two messages of anyone. */
export const lastTwo: Breakpoints = (blocks) => [
  systemEnd(blocks),
  ...messagesOf(blocks)
    .slice(-2)
    .map(({ end }) => end),
];

/** Continue: tools, system prompt, and the last two messages of the user, results of tools left out. */
export const continues: Breakpoints = (blocks) => [
  blocks.findLastIndex(({ kind }) => kind === 'tool'),
  systemEnd(blocks),
  ...messagesOf(blocks)
    .filter(({ role }) => role === 'user')
    .slice(-2)
    .map(({ start, end }) => lastWithin(blocks, start, end)),
];

/**
 * Copilot: what stands before the conversation; then, from the end, three of the results since the user's newest message, that
 * message, and the replies that ended a turn.
 */
export const copilot: Breakpoints = (blocks) => {
  const behind = systemEnd(blocks) + 1;
  const firstOther = blocks.findIndex((block, at) => at >= behind && !isContext(block));
  const contextEnd = (firstOther === -1 ? blocks.length : firstOther) - 1;
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

/** Some way into the conversation, so that its newest part may change. */
export const seventyPercent: Breakpoints = (blocks) => {
  const messages = messagesOf(blocks).filter(({ end }) => blocks[end]?.kind === 'message');
  return [systemEnd(blocks), messages[Math.floor(0.7 * (messages.length - 1))]?.end ?? -1];
};

/** Aider: the system prompt, what stands before the conversation, the files. */
export const aider: Breakpoints = (blocks) => [
  systemEnd(blocks),
  blocks.findIndex(({ kind }) => kind === 'message') - 1,
  blocks.findLastIndex(({ kind }) => kind === 'file'),
];

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

/** The last block of a message that is no result of a tool. */
function lastWithin(blocks: readonly Block[], start: number, end: number): number {
  const within = blocks.slice(start, end + 1).findLastIndex(({ speech }) => speech !== 'toolResult');
  return within === -1 ? -1 : start + within;
}
