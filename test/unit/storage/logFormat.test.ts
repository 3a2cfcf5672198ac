import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SLICES } from '../../../src/engine/chat/slices/table.js';

const PAGE = 'docs/log-format.md';
const LOGS = 'test/fixtures/logs';
/** Slices whose events are only read so far. */
const UNWRITTEN: readonly string[] = ['participants'];
const FIRST_SLICE = `### Slice \`${Object.keys(SLICES)[0] ?? ''}\``;

async function shortestLines(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(LOGS, { recursive: true })).filter((name) => name.endsWith('.jsonl')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(LOGS, name), 'utf8')));
  const shortest = new Map<string, string>();
  for (const line of texts.flatMap((text) => text.split('\n').filter((each) => each !== ''))) {
    const { type } = JSON.parse(line) as { readonly type: string };
    const known = shortest.get(type);
    shortest.set(type, known === undefined || line.length < known.length ? line : known);
  }
  return shortest;
}

describe('the page about the log format', () => {
  it('has each kind of event that is written with an example line', async () => {
    const lines = await shortestLines();
    const written = Object.entries(SLICES).filter(([slice]) => !UNWRITTEN.includes(slice));
    const sections = written.map(([slice, { events }]) => {
      // `tool-progress` is only shown, never logged.
      const logged = Object.keys(events).filter((type) => type !== 'tool-progress');
      const shown = logged.map((type) => `\`${type}\`\n\n\`\`\`json\n${lines.get(type) ?? 'none'}\n\`\`\`\n`);
      return `### Slice \`${slice}\`\n\n${shown.join('\n')}`;
    });
    const page = await readFile(PAGE, 'utf8');
    const [head = ''] = page.split(FIRST_SLICE);
    const expected = head + sections.join('\n');
    if (process.env['LOUPE_GOLDEN'] === 'write') {
      await writeFile(PAGE, expected);
    }
    assert.equal(await readFile(PAGE, 'utf8'), expected);
    assert.doesNotMatch(expected, /```json\nnone/);
  });
});
