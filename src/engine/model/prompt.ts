import type { Block, Breakpoint } from './block.js';

/**
 * A message on the wire. Roles alternate strictly, starting with `user`. Tool results are blocks (role `tool-results`)
 * of the user message directly after their calls, before any user content. When a protocol needs tool results as
 * separate messages, its converter splits them off.
 */
export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly Block[];
}

/** A provider-neutral request. Converters may split messages (one per tool result), but never merge or reorder them. */
export interface Prompt {
  readonly tools: readonly Block[];
  readonly system: readonly Block[];
  readonly messages: readonly WireMessage[];
}

/** What every step of a request reads of a prompt. */
interface PromptFacts {
  readonly blocks: readonly Block[];
  /** The tokens up to the end of each block. */
  readonly ends: readonly number[];
  /** The index of the first block of each message. */
  readonly starts: readonly number[];
  readonly breakpoints: readonly PlacedBreakpoint[];
}

/** A breakpoint and the index of its block. Recorded apart from blocks, because breakpoints move with every request. */
export interface PlacedBreakpoint extends Breakpoint {
  readonly at: number;
}

/** Facts of prompts. At a key press, a few of thousands of blocks change, so no step may read all of them again. */
const FACTS = new WeakMap<Prompt, PromptFacts>();

function factsOf(prompt: Prompt): PromptFacts {
  const known = FACTS.get(prompt);
  if (known !== undefined) {
    return known;
  }
  const blocks = [...prompt.tools, ...prompt.system];
  const starts: number[] = [];
  for (const message of prompt.messages) {
    starts.push(blocks.length);
    blocks.push(...message.blocks);
  }
  const facts = { blocks, ends: tokenEnds(blocks, [], 0), starts, breakpoints: placedIn(blocks.entries()) };
  FACTS.set(prompt, facts);
  return facts;
}

/** Returns all blocks of a prompt in wire order. */
export function promptBlocks(prompt: Prompt): readonly Block[] {
  return factsOf(prompt).blocks;
}

/** Returns the tokens of a prompt up to the end of each block. */
export function promptEnds(prompt: Prompt): readonly number[] {
  return factsOf(prompt).ends;
}

/** Returns the breakpoints of a prompt in wire order. */
export function promptBreakpoints(prompt: Prompt): readonly PlacedBreakpoint[] {
  return factsOf(prompt).breakpoints;
}

/** Returns the tokens up to the end of each block. `known` has the ends of at least the first `from` blocks. */
export function tokenEnds(blocks: readonly Pick<Block, 'tokens'>[], known: readonly number[], from: number): readonly number[] {
  const ends = known.slice(0, from);
  let end = ends.at(-1) ?? 0;
  for (const { tokens } of blocks.slice(from)) {
    end += tokens;
    ends.push(end);
  }
  return ends;
}

/** Does the same as `tokenEnds` for a list of the same length. Faster, because it appends nothing to a copy. */
function resizedEnds(blocks: readonly Block[], known: readonly number[], from: number): readonly number[] {
  const ends = [...known];
  for (let at = from; at < blocks.length; at += 1) {
    ends[at] = (ends[at - 1] ?? 0) + (blocks[at]?.tokens ?? 0);
  }
  return ends;
}

/** Replaces blocks, by their index in `promptBlocks`. All other blocks and messages stay the same objects. */
export function withBlocks(prompt: Prompt, changed: ReadonlyMap<number, Block>): Prompt {
  if (changed.size === 0) {
    return prompt;
  }
  const before = factsOf(prompt);
  const { starts } = before;
  const [blocks, messages] = [[...before.blocks], [...prompt.messages]];
  const [firstMessage = blocks.length] = starts;
  let [resized, isFixedSame] = [blocks.length, true];
  changed.forEach((block, at) => {
    resized = blocks[at]?.tokens === block.tokens ? resized : Math.min(resized, at);
    blocks[at] = block;
  });
  changed.forEach((_block, at) => {
    const place = at < firstMessage ? -1 : starts.findLastIndex((start) => start <= at);
    const message = messages[place];
    if (message === undefined) {
      isFixedSame = false;
    } else {
      messages[place] = { role: message.role, blocks: blocks.slice(starts[place], starts[place + 1]) };
    }
  });
  const tools = isFixedSame ? prompt.tools : blocks.slice(0, prompt.tools.length);
  const made = { tools, system: isFixedSame ? prompt.system : blocks.slice(tools.length, firstMessage), messages };
  FACTS.set(made, {
    blocks,
    ends: resized === blocks.length ? before.ends : resizedEnds(blocks, before.ends, resized),
    starts,
    breakpoints: [...before.breakpoints.filter(({ at }) => !changed.has(at)), ...placedIn(changed)].sort((a, b) => a.at - b.at),
  });
  return made;
}

function placedIn(blocks: Iterable<readonly [number, Block]>): readonly PlacedBreakpoint[] {
  return [...blocks].flatMap(([at, { breakpoint }]) => (breakpoint === null ? [] : [{ at, ttl: breakpoint.ttl }]));
}
