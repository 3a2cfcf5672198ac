import type { Sha256 } from '../ports.js';
import type { ToolNameRule } from '../model/model.js';
import type { WirePart } from '../model/block.js';

/** The tools that a request renames: the name of the tool in Loupe (`own`), and its name in the request (`sent`). */
export type ToolNames = readonly (readonly [own: string, sent: string])[];

/** Number of hexadecimal digits of the original name's SHA-256 in a sent name. Duplicates are rare with 8 digits. */
const DIGITS = 8;

/** Starts a name that would start with a character that is not allowed there. */
const FIRST = 't_';

/**
 * Returns new names for tools whose names a protocol does not accept. A character that is not allowed becomes `_`. A
 * name with another first character starts with `t_`. A long name is cut, and digits of the hash of the original name
 * are added. So a sent name does not depend on other tools, and the prefix of a growing conversation keeps its bytes.
 * If another tool already has the name, a number is added, too.
 */
export function sentToolNames(names: ReadonlySet<string>, rule: ToolNameRule | null, sha256: Sha256): ToolNames {
  if (rule === null) {
    return [];
  }
  const first = rule.first === null ? '' : `(?=[${rule.first}])`;
  const isValid = new RegExp(`^${first}[${rule.characters}]{1,${String(rule.maxLength)}}$`);
  const taken = new Set([...names].filter((name) => isValid.test(name)));
  return [...names]
    .filter((name) => !isValid.test(name))
    .map((name) => {
      const sent = freeName(name, rule, { digits: sha256(name).slice(0, DIGITS), taken });
      taken.add(sent);
      return [name, sent] as const;
    });
}

function freeName(
  name: string,
  { characters, first, maxLength }: ToolNameRule,
  { digits, taken }: { readonly digits: string; readonly taken: ReadonlySet<string> },
): string {
  const allowed = name.replace(new RegExp(`[^${characters}]`, 'gu'), '_');
  const cleaned = first === null || new RegExp(`^[${first}]`).test(allowed) ? allowed : `${FIRST}${allowed}`;
  const withEnding = (ending: string): string => cleaned.slice(0, maxLength - ending.length) + ending;
  let sent = withEnding(`_${digits}`);
  for (let number = 2; taken.has(sent); number += 1) {
    sent = withEnding(`_${digits}_${String(number)}`);
  }
  return sent;
}

/** Returns the part with the sent names of tools. Returns the same object if no tool in the part is renamed. */
export function withSentName(part: WirePart, names: ToolNames): WirePart {
  if (!('name' in part)) {
    return part;
  }
  const renamed = withName(part, names);
  if (renamed.type !== 'toolResult') {
    return renamed;
  }
  const content = renamed.content.map((item) => (item.type === 'toolReference' ? withName(item, names) : item));
  return content.every((item, at) => item === renamed.content[at]) ? renamed : { ...renamed, content };
}

function withName<T extends { readonly name: string }>(named: T, names: ToolNames): T {
  const sent = names.find(([own]) => own === named.name)?.[1];
  return sent === undefined ? named : { ...named, name: sent };
}

/** Returns the name in Loupe of the tool that a reply calls by its sent name. */
export function ownToolName(sent: string, names: ToolNames): string {
  return names.find((pair) => pair[1] === sent)?.[0] ?? sent;
}
