import assert from 'node:assert/strict';
import { catalogFormat } from '../../../../src/host/context/files/catalogPlaces.js';
import { catalogTemplate } from '../../../../src/host/context/catalog/catalogTemplate.js';
import { catalogItem } from '../../../../src/host/context/catalog/reading/ruleFormats.js';

describe('the file of a new rule, reference or skill', () => {
  for (const [kind, path, include] of [
    ['rule', '.loupe/rules/tides-times.md', 'always'],
    ['reference', '.loupe/references/tides-times.md', 'manual'],
    ['skill', '.agents/skills/tides-times/SKILL.md', 'agent'],
  ] as const) {
    it(`is one that Loupe reads as a ${kind}`, () => {
      const template = catalogTemplate(kind, 'Tides & "times"');
      assert.equal(template?.path, path);
      assert.notEqual(catalogFormat(path), null);
      const item = catalogItem({ path, source: path, prefix: '' }, template.text);
      assert.equal(item.type, kind);
      assert.equal(item.include, include);
      assert.equal(item.name, kind === 'skill' ? 'tides-times' : 'Tides & "times"');
    });
  }

  it('is none for a name without a letter or a digit', () => {
    assert.equal(catalogTemplate('rule', ' ./.. '), null);
    assert.equal(catalogTemplate('rule', 'Über 2')?.path, '.loupe/rules/über-2.md');
  });
});
