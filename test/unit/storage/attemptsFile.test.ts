import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { AttemptRow } from '../../../src/engine/accounting/attemptRow.js';
import { readAttempts, writeAttempts } from '../../../src/storage/reading/attemptsFile.js';
import { readRecords, writeRecords } from '../../../src/storage/files/record.js';

const LOG = { fingerprint: 'f', read: new Map([['a', 7]]) };
/** The members that the file interprets. */
const row = (id: string, request: AttemptRow['request'], held: AttemptRow['held']): AttemptRow => ({ id, request, held }) as AttemptRow;

const REQUEST = {
  counted: 40,
  items: [
    { key: 'rule:a', isCut: true, tokens: 30, parts: { read: 20, written: 10, fresh: 0 } },
    { key: 'rule:b', isCut: false, tokens: 10, parts: null },
  ],
};

const HELD = {
  tokens: {
    system: 101,
    rules: 102,
    references: 103,
    skills: 104,
    files: 105,
    repository: 116,
    tools: 106,
    conversation: 107,
    editor: 115,
  },
  items: { rule: 108, reference: 109, skill: 110, tool: 111, file: 112, page: 114, repository: 117 },
  notSelected: 113,
};

const ROWS = [row('one', REQUEST, HELD), row('two', null, null)];

describe('the file with the attempts of a chat', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-attempts-'));
    await writeAttempts(folder, LOG, ROWS);
  });

  afterEach(() => rm(folder, { recursive: true }));

  async function change(edit: (page: string) => string): Promise<void> {
    const file = join(folder, 'attempts.json');
    const [head, page] = (await readRecords(file, setImmediate)) ?? [];
    await writeRecords(file, [head, JSON.parse(edit(JSON.stringify(page)))], setImmediate);
  }

  it('has them as they were', async () => {
    const { rows, ...log } = await readAttempts(folder);
    assert.deepEqual(log, LOG);
    assert.deepEqual([...rows.values()], ROWS);
  });

  for (const [what, from, to] of [
    ['a figure', '[0,1,30,20,10,0]', '[0,1,30,20]'],
    ['the tokens', '[1,0,10]', '[1,0]'],
    ['a number', '[1,0,10]', '[1,0,null]'],
    ['the name of an item', '"rule:b"]', ']'],
    ['the items of a request', '[40,0]', '[40,3]'],
    ['a figure of what a request held', '112,114,117,113]', '112,114,117]'],
  ] as const) {
    it(`is made anew from the log where it lacks ${what}, and takes nothing for 0`, async () => {
      await change((page) => {
        const changed = page.replace(from, to).replace(',]', ']');
        assert.notEqual(changed, page);
        return changed;
      });
      assert.equal((await readAttempts(folder)).rows.size, 0);
    });
  }
});
