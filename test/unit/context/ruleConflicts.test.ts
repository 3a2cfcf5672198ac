import assert from 'node:assert/strict';
import { ruleConflicts as conflictsOf } from '../../../src/engine/context/ruleConflicts.js';

const ruleConflicts = (...rules: Parameters<typeof conflictsOf>): readonly string[] => conflictsOf(...rules).map(({ text }) => text);

const rule = (source: string, text: string) => ({ source, text });

const LONG = 'Heights are metres above chart datum. Round them to two digits. Times are UTC, and days begin at midnight there.';

describe('rules beside each other', () => {
  it('are pointed at when all of one, or most of it, also stands in another, whatever its marks and capitals', () => {
    const same = rule('.github/copilot-instructions.md', `# Rules\n\n- ${LONG.toUpperCase()}\n`);
    assert.deepEqual(ruleConflicts(rule('AGENTS.md', LONG), [same]), ['All of it also stands in .github/copilot-instructions.md.']);
    const most = rule('CLAUDE.md', LONG.replace('at midnight there', 'at noon'));
    assert.deepEqual(ruleConflicts(rule('AGENTS.md', LONG), [most]), ['Most of it also stands in CLAUDE.md.']);
    assert.deepEqual(ruleConflicts(rule('AGENTS.md', LONG), [rule('CLAUDE.md', 'Heights are metres above chart datum.')]), []);
    assert.deepEqual(ruleConflicts(rule('AGENTS.md', LONG), [rule('AGENTS.md', LONG)]), [], 'a rule is not its own duplicate');
    assert.deepEqual(ruleConflicts(rule('a', ''), [rule('b', '')]), []);
  });

  it('are pointed at when one forbids what the other wants, with the same words', () => {
    const agents = rule('AGENTS.md', '- Always use default exports.\n- Never commit generated files');
    const claude = rule('CLAUDE.md', 'Never use default exports. Commit messages are short.');
    assert.deepEqual(ruleConflicts(agents, [claude]), ['The opposite stands in CLAUDE.md: "Never use default exports".']);
    assert.deepEqual(ruleConflicts(claude, [agents]), ['The opposite stands in AGENTS.md: "Always use default exports".']);
  });

  it('are pointed at when one indents with tabs and the other with spaces', () => {
    const tabs = rule('a.md', 'Indent with tabs.');
    const spaces = rule('b.md', 'Use 2 spaces for indentation.');
    assert.deepEqual(ruleConflicts(tabs, [spaces]), ['The opposite stands in b.md: "Use 2 spaces for indentation".']);
    assert.deepEqual(ruleConflicts(tabs, [rule('c.md', 'Always use tabs, never spaces.')]), []);
  });

  it('are left alone when they only share words', () => {
    assert.deepEqual(ruleConflicts(rule('a.md', 'Always write tests first.'), [rule('b.md', 'Never write tests for getters.')]), []);
    assert.deepEqual(ruleConflicts(rule('a.md', 'Never guess.'), [rule('b.md', 'Always guess.')]), [], 'one word is too little');
  });
});
