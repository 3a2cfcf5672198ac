import assert from 'node:assert/strict';
import { readProfiles } from '../../../../src/host/context/catalog/readProfiles.js';
import { readingOf } from '../../../support/host/catalogReading.js';
import { withInclude } from '../../../../src/host/context/catalog/withInclude.js';

const PATH = '.loupe/agents/a.md';

async function includesOf(content: string): Promise<unknown> {
  const profiles = await readProfiles(
    [{ path: PATH, source: PATH, prefix: '', file: PATH }],
    readingOf(() => Promise.resolve({ ok: true, content, bytes: content.length })),
  );
  const [profile] = profiles.values();
  return [[...(profile?.includes ?? [])], profile?.prompt];
}

describe('the include mode of an item in an agent profile', () => {
  it('is put among the others, and all else stays as it is, comments too', async () => {
    const before = '---\nname: Reviewer # ours\nrules:\n  A: always\n---\n\nYou review.\n';
    const after = withInclude(before, { type: 'rule', name: 'B: c', serverName: null }, 'off');
    assert.equal(after, '---\nname: Reviewer # ours\nrules:\n  A: always\n  "B: c": off\n---\n\nYou review.\n');
    assert.deepEqual(await includesOf(after), [
      [
        ['rule:A', 'always'],
        ['rule:B: c', 'off'],
      ],
      'You review.',
    ]);
    assert.deepEqual(await includesOf(withInclude(after, { type: 'rule', name: 'A', serverName: null }, 'agent')), [
      [
        ['rule:A', 'agent'],
        ['rule:B: c', 'off'],
      ],
      'You review.',
    ]);
  });

  it('is removed, so that the mode in the file of the item applies', async () => {
    const before = '---\nrules:\n  A: always # ours\n  B: off\n---\n\nYou review.\n';
    const item = { type: 'rule', name: 'B', serverName: null } as const;
    assert.equal(withInclude(before, item, null), '---\nrules:\n  A: always # ours\n---\n\nYou review.\n');
    const without = '---\nname: A\n---\nText.';
    assert.deepEqual(await includesOf(withInclude(without, item, null)), [[], 'Text.']);
  });

  it('is that of all tools of a server, or of one of them', async () => {
    const server = withInclude('---\n---\n', { type: 'tool', name: 'files', serverName: null }, 'manual');
    const both = withInclude(server, { type: 'tool', name: 'read_file', serverName: 'files' }, 'agent');
    assert.equal(both, '---\ntools:\n  files: manual\n  files:read_file: agent\n---\n');
    assert.deepEqual(await includesOf(both), [
      [
        ['server:files', 'manual'],
        ['tool:files/read_file', 'agent'],
      ],
      '',
    ]);
  });

  it('is that of a server with colons in its name, too', async () => {
    const server = withInclude('---\n---\n', { type: 'tool', name: 'a:b', serverName: null }, 'manual');
    const both = withInclude(server, { type: 'tool', name: 'c:d', serverName: 'a:b' }, 'agent');
    assert.equal(both, '---\ntools:\n  a::b: manual\n  a::b:c:d: agent\n---\n');
    assert.deepEqual(await includesOf(both), [
      [
        ['server:a:b', 'manual'],
        ['tool:a:b/c:d', 'agent'],
      ],
      '',
    ]);
  });

  for (const [name, text] of [
    ['without front matter', 'You review.'],
    ['with an empty one', '---\n---\nYou review.'],
    ['with a byte order mark and other line ends', '\uFEFF---\r\nname: R\r\n---\r\nYou review.'],
  ] as const) {
    it(`comes into a file ${name}`, async () => {
      assert.deepEqual(await includesOf(withInclude(text, { type: 'skill', name: 'x', serverName: null }, 'manual')), [
        [['skill:x', 'manual']],
        'You review.',
      ]);
    });
  }
});
