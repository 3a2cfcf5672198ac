import { promptBlocks, type Prompt } from '../../engine/prompt/block.js';

/** What the API takes as the name of a tool. */
const VALID_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MAX_LENGTH = 128;

/**
 * The wire name of every tool that a prompt defines, calls or has results of, by its own name. A valid name stays as
 * it is. Others get `_` for each character that is not allowed and are cut; one that is then taken already gets a
 * number, so that two tools never become one. Names of tools that are offered go first, then the order of the prompt
 * decides: what comes later changes no name, so that the prefix of a growing conversation keeps its bytes.
 */
export function wireToolNames(prompt: Prompt): ReadonlyMap<string, string> {
  const names = new Set(promptBlocks(prompt).flatMap(({ part }) => ('name' in part ? [part.name] : [])));
  const offered = prompt.tools.flatMap(({ part }) => ('name' in part && VALID_NAME.test(part.name) ? [part.name] : []));
  const wireNames = new Map(offered.map((name) => [name, name]));
  const taken = new Set(offered);
  for (const name of names) {
    if (!wireNames.has(name)) {
      const wireName = freeName(name, taken);
      taken.add(wireName);
      wireNames.set(name, wireName);
    }
  }
  return wireNames;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const cleaned = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  const base = cleaned === '' ? '_' : cleaned.slice(0, MAX_LENGTH);
  let candidate = base;
  for (let number = 2; taken.has(candidate); number += 1) {
    const ending = `_${String(number)}`;
    candidate = base.slice(0, MAX_LENGTH - ending.length) + ending;
  }
  return candidate;
}
