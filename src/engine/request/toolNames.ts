import type { Sha256 } from '../ports.js';
import type { ToolNameRule } from '../run/model.js';
import type { WirePart } from './block.js';

/** The tools that a request calls by another name, as pairs of their own name and the one that is sent. */
export type ToolNames = readonly (readonly [own: string, sent: string])[];

/**
 * Hexadecimal digits of the SHA-256 of a tool's own name that stand behind a changed one: among a thousand tools they
 * hardly ever clash.
 */
const DIGITS = 8;

/**
 * The names that a protocol does not take, with what is sent instead: `_` for each character that is not allowed, cut
 * where it is too long, and digits that are the tool's own, so that the name depends on no other tool and the prefix
 * of a growing conversation keeps its bytes. A name that a tool has already gets a number, so that two tools never become one.
 */
export function sentToolNames(names: ReadonlySet<string>, rule: ToolNameRule | null, sha256: Sha256): ToolNames {
  if (rule === null) {
    return [];
  }
  const isValid = new RegExp(`^[${rule.characters}]{1,${String(rule.maxLength)}}$`);
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
  { characters, maxLength }: ToolNameRule,
  { digits, taken }: { readonly digits: string; readonly taken: ReadonlySet<string> },
): string {
  const cleaned = name.replace(new RegExp(`[^${characters}]`, 'gu'), '_');
  const withEnding = (ending: string): string => cleaned.slice(0, maxLength - ending.length) + ending;
  let sent = withEnding(`_${digits}`);
  for (let number = 2; taken.has(sent); number += 1) {
    sent = withEnding(`_${digits}_${String(number)}`);
  }
  return sent;
}

/** The part with the tool's name as it is sent; the same object when that is its own. */
export function withSentName(part: WirePart, names: ToolNames): WirePart {
  if (!('name' in part)) {
    return part;
  }
  const sent = names.find(([own]) => own === part.name)?.[1];
  return sent === undefined ? part : { ...part, name: sent };
}

/** A tool's own name, by the one that a reply calls it by. */
export function ownToolName(sent: string, names: ToolNames): string {
  return names.find((pair) => pair[1] === sent)?.[0] ?? sent;
}
