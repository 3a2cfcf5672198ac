import assert from 'node:assert/strict';
import { CATALOG_FORMATS } from '../../../../src/host/context/files/catalogFormats.js';
import { RULE_FAMILIES, RULE_FAMILY_NAMES, ruleFamily } from '../../../../src/host/context/files/ruleFamilies.js';
import { familyRows, ruleFormatsSetting } from '../../../../src/host/context/catalog/ruleFormats.js';

describe('the programs whose rules chats use', () => {
  it('have each format of rules once, except those of Loupe', () => {
    const formats = Object.entries(CATALOG_FORMATS).flatMap(([name, { type }]) => (type === 'rule' && name !== 'loupeRule' ? [name] : []));
    assert.deepEqual(RULE_FAMILY_NAMES.flatMap((name) => RULE_FAMILIES[name].formats).toSorted(), formats.toSorted());
  });

  it('are found by the path of a rule, also in a subfolder', () => {
    assert.deepEqual(
      ['CLAUDE.md', 'web/.claude/rules/a.md', '.github/instructions/a.instructions.md', '.loupe/rules/a.md', 'README.md'].map(ruleFamily),
      ['claude', 'claude', 'copilot', null, null],
    );
  });

  it('are all without the setting; an unknown name is named and skipped', () => {
    const read = (value: unknown): unknown => {
      const { families, problems } = ruleFormatsSetting(value, 'loupe.rules.formats');
      return [families === null ? null : [...families], problems.map((text) => text.replace(/ Write agents, .*/, ' Write …'))];
    };
    assert.deepEqual(read(null), [null, []]);
    assert.deepEqual(read([]), [[], []]);
    assert.deepEqual(read(['cursor', 'agents', 'cursor']), [['cursor', 'agents'], []]);
    assert.deepEqual(read(['cursor', 'Claude', 7, 'toString']), [
      ['cursor'],
      ['"Claude"', '7', '"toString"'].map((name) => `loupe.rules.formats has the unknown name ${name}. Write …`),
    ]);
    assert.deepEqual(read('cursor'), [
      null,
      ['loupe.rules.formats is invalid; expected a list of names, or null. Loupe uses the rules of all programs.'],
    ]);
  });

  it('are shown with their files, those without files last', () => {
    const sources = [
      'app/AGENTS.md',
      'app/web/AGENTS.md',
      'app/.cursor/rules/a.mdc',
      ...['b', 'c', 'd'].map((name) => `app/.cursor/rules/${name}.mdc`),
    ];
    const rows = familyRows(
      sources.map((source) => ({ source })),
      new Set(['cursor']),
      (source) => source.slice('app/'.length),
    );
    assert.deepEqual(
      rows.slice(0, 3).map(({ label, description, isUsed }) => [label, description, isUsed]),
      [
        ['AGENTS.md', '2 files: app/AGENTS.md, app/web/AGENTS.md', false],
        ['Cursor', '4 files: app/.cursor/rules/a.mdc, app/.cursor/rules/b.mdc, app/.cursor/rules/c.mdc …', true],
        ['Claude Code', 'no files', false],
      ],
    );
    assert.equal(rows.length, RULE_FAMILY_NAMES.length);
    assert.ok(familyRows([], null, String).every(({ isUsed }) => isUsed));
  });
});
