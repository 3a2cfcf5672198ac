import assert from 'node:assert/strict';
import { includeSetting } from '../../../../src/host/context/catalog/includeSetting.js';

const read = (value: unknown): { readonly includes: unknown; readonly problems: readonly string[] } => {
  const { includes, problems } = includeSetting(value, 'loupe.includeModes');
  return { includes: [...includes], problems };
};

describe('the setting of include modes', () => {
  it('holds modes by the keys of items and servers', () => {
    const modes = {
      ...{ 'rule:src/a:b.md': 'off', 'reference:API': 'manual', 'skill:Sums': 'agent' },
      ...{ 'server:sheets': 'onDemand', 'tool:sheets/read/all': 'always' },
    };
    assert.deepEqual(read(modes), { includes: Object.entries(modes), problems: [] });
  });

  it('skips an invalid entry, names it, and keeps all others', () => {
    const { includes, problems } = read({
      ...{ 'rule:A': 'sometimes', 'rule:B': 'onDemand', 'rule:C': 'off', 'file:D': 'off', 'tool:no-name/': 'off' },
      ...{ 'rule:': 'off', 'server:E': 7, 'server:F': 'manual' },
    });
    assert.deepEqual(includes, [
      ['rule:C', 'off'],
      ['server:F', 'manual'],
    ]);
    const wanted = 'Write server:name, tool:server/name, rule:name, reference:name or skill:name.';
    assert.deepEqual(problems, [
      'loupe.includeModes has rule:A as "sometimes". Write always, manual, agent or off.',
      'loupe.includeModes has rule:B as "onDemand". Write always, manual, agent or off.',
      `loupe.includeModes has the invalid key file:D. ${wanted}`,
      `loupe.includeModes has the invalid key tool:no-name/. ${wanted}`,
      `loupe.includeModes has the invalid key rule:. ${wanted}`,
      'loupe.includeModes has server:E as 7. Write always, manual, agent, onDemand or off.',
    ]);
  });

  it('is empty for anything but an object, and says so', () => {
    for (const value of ['off', ['rule:A'], null, 1]) {
      assert.deepEqual(read(value), {
        includes: [],
        problems: ['loupe.includeModes is invalid; expected an object with include modes. Loupe ignores the setting.'],
      });
    }
  });
});
