import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.mjs';

const RULE_EACH = 20;
const LENGTH = 400;
/** Prose of packages with fixed versions: our own documents change, and the time with them. */
const PROSE = ['eslint', 'fast-check', 'zod'];

/** Returns messages of a long chat by number: prose with unique paths, figures and rules. */
export function chatTexts(): (message: number) => string {
  const prose = PROSE.map((name) => readFileSync(join(root, 'node_modules', name, 'README.md'), 'utf8')).join('\n');
  return (message) => {
    const rule = message % RULE_EACH === 0 ? `You must never change table${String(message)} by hand. ` : '';
    const news = `${rule}It is in src/part${String(message % 300)}/file${String(message)}.ts and takes ${String(message)} ms.\n`;
    const from = (message * 1_999) % (prose.length - LENGTH);
    return `${news}${prose.slice(from, from + LENGTH - news.length)}`;
  };
}
