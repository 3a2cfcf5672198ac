import assert from 'node:assert/strict';
import { withoutRepeatedSections, type RuleText } from '../../../src/engine/context/repeatedSections.js';

const LONG = 'Write a test for each change, in the lowest suite that can fail, and wait for conditions instead of a time. '
  .repeat(2)
  .trim();
const TESTS = `## Tests\n\n${LONG}`;
const POINTER = '## Tests\n\n(Same as the section "Tests" of AGENTS.md.)';

const always = (key: string, text: string): RuleText => ({ key, name: key, text, isInAll: true });
const forFiles = (key: string, text: string): RuleText => ({ ...always(key, text), isInAll: false });

const texts = (...rules: readonly RuleText[]): Readonly<Record<string, string>> =>
  Object.fromEntries([...withoutRepeatedSections(rules)].map(([key, { text }]) => [key, text]));

describe('a section of several rules', () => {
  const agents = always('AGENTS.md', `# Project\n\nIt draws maps.\n\n${TESTS}\n\n## Style\n\nTabs.`);

  it('is sent with the first rule, and the others have its heading and a pointer', () => {
    const claude = always('CLAUDE.md', `# Claude\n\nHello.\n\n${TESTS}\n\n## More\n\nText.`);
    const copilot = always('copilot.md', `${TESTS}\n`);
    assert.deepEqual(texts(agents, claude, copilot), {
      'CLAUDE.md': `# Claude\n\nHello.\n\n${POINTER}\n\n## More\n\nText.`,
      'copilot.md': `${POINTER}\n`,
    });
  });

  it('counts as the same in spite of blanks at line ends and line ends of Windows', () => {
    const windows = always('b.md', `${TESTS.replaceAll('\n', '  \r\n')}\r\n\r\n## Next\r\n`);
    assert.deepEqual(texts(agents, windows), { 'b.md': `${POINTER.replace('\n', '  \r\n')}\n\r\n## Next\r\n` });
  });

  it('is another one with another heading, level or word, or when it is short', () => {
    for (const other of [TESTS.replace('Tests', 'Testing'), `#${TESTS}`, TESTS.replace('lowest', 'highest'), '## Style\n\nTabs.']) {
      assert.deepEqual(texts(agents, always('b.md', other)), {});
    }
  });

  it('contains the sections below it: the largest repeated section has one pointer, otherwise each small one', () => {
    const inner = `### Names\n\n${LONG.replaceAll('test', 'name')}`;
    const outer = `${TESTS}\n\n${inner}`;
    const source = always('AGENTS.md', `# A\n\n${outer}`);
    assert.deepEqual(texts(source, always('b.md', `# B\n\n${outer}\n\n## C`)), { 'b.md': `# B\n\n${POINTER}\n\n## C` });
    assert.deepEqual(texts(source, always('b.md', `# B\n\nOther.\n\n${inner}`)), {
      'b.md': '# B\n\nOther.\n\n### Names\n\n(Same as the section "Names" of AGENTS.md.)',
    });
  });

  it('begins and ends outside of code fences, also of those that are not closed', () => {
    const code = (fence: string, end: string): string => `# B\n\n${fence}md\n${TESTS}\n${end}`;
    assert.deepEqual(texts(agents, always('b.md', code('```', '```\n\nText.'))), {});
    assert.deepEqual(texts(agents, always('b.md', code('~~~', ''))), {});
    assert.deepEqual(texts(agents, always('b.md', code('- ````', '```\n\n````'))), {});
    const after = always('b.md', `# B\n\n\`\`\`sh\n# comment\n\`\`\`\n\n${TESTS}`);
    assert.deepEqual(texts(agents, after), { 'b.md': `# B\n\n\`\`\`sh\n# comment\n\`\`\`\n\n${POINTER}` });
  });

  it('stays in the rule that all requests contain: a rule for files never changes another rule', () => {
    const nested = forFiles('a/AGENTS.md', TESTS);
    assert.deepEqual(texts(nested, agents), { 'a/AGENTS.md': POINTER });
    assert.deepEqual(texts(nested, forFiles('b/AGENTS.md', TESTS)), {});
  });

  it('stays twice within one rule, and counts the pointers of a rule', () => {
    assert.deepEqual(texts(always('a.md', `${TESTS}\n\n${TESTS}`)), {});
    const twice = withoutRepeatedSections([agents, always('b.md', `${TESTS}\n\n${TESTS}`)]);
    assert.equal(twice.get('b.md')?.pointers, 2);
  });

  it('takes little time in a large and strange rule', () => {
    const strange = ['# a\n'.repeat(100_000), `# a${' '.repeat(500_000)}#b`, `${'- '.repeat(200_000)}x`, `# ${'#'.repeat(500_000)}x`];
    for (const text of strange) {
      assert.deepEqual(texts(always('a.md', text)), {});
    }
  });
});
