import assert from 'node:assert/strict';
import { duplicatesOf } from '../../../../src/host/context/catalog/duplicateRules.js';

const duplicates = (...rules: Parameters<typeof duplicatesOf>): readonly string[] => duplicatesOf(...rules).map(({ text }) => text);
const rule = (source: string, text: string) => ({ source, text });
const LONG = 'Heights are metres above chart datum. Round them to two digits. Times are UTC, and days begin at midnight there.';

describe('rules beside each other', () => {
  it('are pointed at when all of one, or most of it, also stands in another, whatever its marks and capitals', () => {
    const same = rule('.github/copilot-instructions.md', `# Rules\n\n- ${LONG.toUpperCase()}\n`);
    assert.deepEqual(duplicates(rule('AGENTS.md', LONG), [same]), ['All of this file is also in .github/copilot-instructions.md.']);
    const most = rule('CLAUDE.md', LONG.replace('at midnight there', 'at noon'));
    assert.deepEqual(duplicates(rule('AGENTS.md', LONG), [most]), ['Most of this file is also in CLAUDE.md.']);
    assert.deepEqual(duplicates(rule('AGENTS.md', LONG), [rule('CLAUDE.md', 'Heights are metres above chart datum.')]), []);
    assert.deepEqual(duplicates(rule('AGENTS.md', LONG), [rule('AGENTS.md', LONG)]), [], 'a rule is not its own duplicate');
    assert.deepEqual(duplicates(rule('a', ''), [rule('b', '')]), []);
  });
});
