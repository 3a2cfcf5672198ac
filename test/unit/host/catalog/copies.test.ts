import assert from 'node:assert/strict';
import { itemsAmong, itemsAmongLinks, type Texts } from '../../../support/host/catalogReading.js';
import { columns } from '../../../support/columns.js';

const SKILL = '---\nname: chart\ndescription: Draws\n---\nDraw.';

async function sourcesOf(texts: Texts): Promise<unknown> {
  const items = await itemsAmong(texts);
  return Object.fromEntries(items.map(({ source, problem, copies, remarks }) => [source, [problem?.code ?? 'sent', copies, remarks]]));
}

describe('the same rules in several files', () => {
  it('are there once where the text is a copy, with each source', async () => {
    const found = await sourcesOf({
      'AGENTS.md': 'Heights are metres.\n\nNever guess.\n',
      '.github/copilot-instructions.md': 'Heights are metres.  \r\n\r\nNever guess.',
      '.clinerules': 'No tabs.',
      '.cursor/rules/project.mdc': '---\nalwaysApply: true\n---\n\nNo tabs.\n',
      'CLAUDE.md': 'Heights are feet.',
    });
    assert.deepEqual(found, {
      '.clinerules': ['sent', ['.cursor/rules/project.mdc'], []],
      'AGENTS.md': ['sent', ['.github/copilot-instructions.md'], []],
      'CLAUDE.md': ['sent', [], []],
      '.github/copilot-instructions.md': ['shadowed', [], []],
      '.cursor/rules/project.mdc': ['shadowed', [], []],
    });
  });

  it('are there once where paths are links to one file: in each chat if one of them is, otherwise the first', async () => {
    const items = await itemsAmongLinks(
      {
        'AGENTS.md': 'Heights are metres.',
        'CLAUDE.md': 'Heights are metres.<!-- Ours -->',
        '.cursor/rules/heights.mdc': '---\ndescription: ""\n---\nHeights are metres.',
      },
      { 'AGENTS.md': 'rules.md', 'CLAUDE.md': 'rules.md', '.cursor/rules/heights.mdc': 'rules.md' },
    );
    assert.deepEqual(Object.fromEntries(items.map(({ source, problem }) => [source, problem])), {
      'AGENTS.md': null,
      'CLAUDE.md': { code: 'shadowed', by: 'AGENTS.md' },
      '.cursor/rules/heights.mdc': { code: 'shadowed', by: 'AGENTS.md' },
    });
  });

  it('are in a request if any of the files would be', async () => {
    const [kept, ...copies] = await itemsAmong({
      '.cursor/rules/a.mdc': '---\nglobs: "*.css"\n---\nTwo spaces.',
      '.github/instructions/a.instructions.md': '---\napplyTo: "*.html"\ndescription: How to indent\n---\nTwo spaces.',
      'web/AGENTS.md': 'Two spaces.',
      'web/CLAUDE.md': 'Two spaces.',
    });
    assert.deepEqual([kept?.source, kept?.include, kept?.description], ['web/AGENTS.md', 'agent', 'How to indent']);
    assert.deepEqual(
      ['web/a.ts', 'api/a.css', 'b.html', 'api/a.ts'].map((path) => kept?.applies?.matches(path, null)),
      [true, true, true, false],
    );
    assert.deepEqual(
      copies.map(({ problem }) => problem?.code),
      ['shadowed', 'shadowed', 'shadowed'],
    );
  });

  it('stay apart where one is switched off, empty or a reference, and in one format', async () => {
    const found = await sourcesOf({
      'AGENTS.md': 'Heights are metres.',
      '.loupe/rules/a.md': '---\nenabled: false\n---\nHeights are metres.',
      '.loupe/references/a.md': 'Heights are metres.',
      'CLAUDE.md': '',
      '.cursorrules': '',
      '.cursor/rules/css.mdc': '---\nglobs: "*.css"\n---\nTwo spaces.',
      '.cursor/rules/html.mdc': '---\nglobs: "*.html"\n---\nTwo spaces.',
    });
    assert.ok(Object.values(found as Record<string, unknown[]>).every(([state]) => state === 'sent'));
  });

  for (const [how, links] of [
    ['copies', {}],
    ['links', { '.github/skills/chart/SKILL.md': '.agents/skills/chart/SKILL.md' }],
  ] as const) {
    it(`of a skill are one item without a remark: ${how}`, async () => {
      const items = await itemsAmongLinks({ '.agents/skills/chart/SKILL.md': SKILL, '.github/skills/chart/SKILL.md': SKILL }, links);
      assert.deepEqual(columns(items, 'name', 'source', 'copies', 'problem', 'remarks'), [
        ['chart', '.agents/skills/chart/SKILL.md', ['.github/skills/chart/SKILL.md'], null, []],
      ]);
    });
  }
});
