import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.mjs';

/** Each of these messages of the user is a rule of its own. */
const RULE_EACH = 20;
const LENGTH = 400;

/** What people and models say in a long chat, message by message: prose with paths, figures and rules that are never the same. */
export function chatTexts(): (message: number) => string {
  const prose = ['README.md', 'CONTRIBUTING.md', 'docs/using.md', 'docs/decisions.md']
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join('\n');
  return (message) => {
    const rule = message % RULE_EACH === 0 ? `You must never change table${String(message)} by hand. ` : '';
    const news = `${rule}It is in src/part${String(message % 300)}/file${String(message)}.ts and takes ${String(message)} ms.\n`;
    const from = (message * 1_999) % (prose.length - LENGTH);
    return `${news}${prose.slice(from, from + LENGTH - news.length)}`;
  };
}
