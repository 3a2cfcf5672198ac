import assert from 'node:assert/strict';
import { EMPTY_CATALOG } from '../../../../src/engine/context/catalogItem.js';
import { readContents } from '../../../../src/host/context/catalog/readContents.js';
import { readingOf } from '../../../support/host/catalogReading.js';

describe('the rules of a mode of Roo Code or Kilo Code', () => {
  const includesOf = async (texts: Readonly<Record<string, string>>): Promise<unknown> => {
    const { profiles } = await readContents(
      Object.keys(texts).map((path) => ({ path, source: path, prefix: '', file: path })),
      readingOf((path) => Promise.resolve({ ok: true, content: texts[path] ?? '', bytes: 1 })),
      EMPTY_CATALOG,
    );
    return Object.fromEntries([...profiles].map(([name, { includes }]) => [name, Object.fromEntries(includes)]));
  };

  it('are always sent with the agent of that name, by its name or its file, and with no other agent', async () => {
    const found = await includesOf({
      '.roo/rules/all.md': 'All',
      '.roo/rules-code/a.md': 'A',
      '.kilocode/rules-code/sub/b.md': 'B',
      '.roo/rules-code-review/c.md': 'C',
      '.loupe/agents/x.md': '---\nname: Code\n---\nYou write code.',
      '.github/agents/code-review.agent.md': '---\nname: Critic\n---\nYou review.',
      '.loupe/agents/review.md': '---\nname: Code Review\n---\nYou review.',
      '.loupe/agents/other.md': 'You do something else.',
    });
    const critic = { 'rule:.roo/rules-code-review/c.md': 'always' };
    assert.deepEqual(found, {
      Code: { 'rule:.roo/rules-code/a.md': 'always', 'rule:.kilocode/rules-code/sub/b.md': 'always' },
      Critic: critic,
      'Code Review': critic,
      other: {},
    });
  });

  it('have the mode that the file of the agent sets', async () => {
    const agent = '---\nname: code\nrules:\n  .roo/rules-code/a.md: off\n---\nYou write code.';
    assert.deepEqual(await includesOf({ '.roo/rules-code/a.md': 'A', '.loupe/agents/code.md': agent }), {
      code: { 'rule:.roo/rules-code/a.md': 'off' },
    });
  });
});
