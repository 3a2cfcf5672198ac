import { findToolsDefinition } from '../tools/findTools.js';
import type { Block, ToolDefinition } from '../model/block.js';
import type { BlockFactory } from './blockFactory.js';

export interface OnDemandTools {
  /** Definitions with the names that the model uses, in the order of the request. */
  readonly definitions: readonly ToolDefinition[];
  /** Tokens of each definition that a result in the request has loaded, by tool name. */
  readonly loaded: ReadonlyMap<string, number>;
}

/** Prefix of the key of the block that lists tools on demand. The key ends with their number. */
const FIND_TOOLS_KEY = 'findTools:';

/** Returns the key of a definition outside the prompt. It differs from the key of the same tool inside the prompt. */
export function deferredKey(key: string): string {
  return `deferred:${key}`;
}

/** Moves tools on demand to the end, after the tool that loads them. Providers need a tool that is not deferred. */
export function withDeferred(tools: readonly Block[], onDemand: ReadonlySet<string>, factory: BlockFactory): readonly Block[] {
  const wanted = tools.filter(({ key }) => onDemand.has(key));
  if (wanted.length === 0) {
    return tools;
  }
  return [
    ...tools.filter(({ key }) => !onDemand.has(key)),
    searchBlock(wanted, factory),
    ...wanted.map((block) => factory.deferredBlock(block, deferredKey(block.key))),
  ];
}

/** A cache of each factory's last search tool, because the previews at each keystroke need the same tool. */
const made = new WeakMap<BlockFactory, { readonly of: readonly Block[]; readonly block: Block }>();

function searchBlock(wanted: readonly Block[], factory: BlockFactory): Block {
  const last = made.get(factory);
  if (last?.of.length === wanted.length && last.of.every((block, at) => block === wanted[at])) {
    return last.block;
  }
  const definitions = wanted.flatMap(({ part }) => (part.type === 'toolDefinition' ? [part] : []));
  const origin = { key: `${FIND_TOOLS_KEY}${String(wanted.length)}`, role: 'tools', category: 'tools', item: null } as const;
  const block = factory.snapshotBlock(origin, findToolsDefinition(definitions));
  made.set(factory, { of: wanted, block });
  return block;
}

export function deferredIn(tools: readonly Block[]): readonly ToolDefinition[] {
  return tools.flatMap(({ part }) => (part.type === 'toolDefinition' && part.isDeferred === true ? [part] : []));
}
