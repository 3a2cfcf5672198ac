import { findToolsDefinition } from '../tools/findTools.js';
import type { Block, ToolDefinition } from '../model/block.js';
import type { BlockFactory } from './blockFactory.js';

/** The tools on demand of a request. */
export interface OnDemandTools {
  /** By the names that models call, in the order of the request. */
  readonly definitions: readonly ToolDefinition[];
  /** Tokens of the definitions of those that a result in the request has loaded, by the same names. */
  readonly loaded: ReadonlyMap<string, number>;
}

/** Begins the key of the block that lists tools on demand, which ends with their number. */
const FIND_TOOLS_KEY = 'findTools:';

/** The key of a definition that is not in the prompt. Offered whole, a tool is another block: the prompt is not the same. */
export function deferredKey(key: string): string {
  return `deferred:${key}`;
}

/** The tools of a request, with those on demand last, and in front of these the one that loads them: providers want one that is loaded. */
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

interface Made {
  readonly of: readonly Block[];
  readonly block: Block;
}

/** The last list that each factory made: a preview at each key asks for the same. */
const made = new WeakMap<BlockFactory, Made>();

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

/** The definitions among blocks that are not in the prompt. */
export function deferredIn(tools: readonly Block[]): readonly ToolDefinition[] {
  return tools.flatMap(({ part }) => (part.type === 'toolDefinition' && part.isDeferred === true ? [part] : []));
}
