import assert from 'node:assert/strict';
import type { ChatRequest, Item, Speech } from '../../../bench/judge/content.js';
import { generateTrace } from '../../../bench/judge/traces.js';
import { TRACES } from '../../../bench/judge/traceSettings.js';

const KINDS = Object.keys(TRACES);
const said = ({ items }: ChatRequest): readonly Item[] => items.filter(({ kind }) => kind === 'message');

describe('a simulated chat', () => {
  it('is the same for the same seed, and another one for another seed', () => {
    assert.deepEqual(generateTrace('qa-short', 1), generateTrace('qa-short', 1));
    assert.notDeepEqual(generateTrace('qa-short', 1).requests, generateTrace('qa-short', 2).requests);
  });

  for (const kind of KINDS) {
    it(`of the kind ${kind} sends what a client could send`, () => {
      const { requests } = generateTrace(kind, 5);
      assert.ok(requests.length >= (TRACES[kind]?.requests ?? Infinity));
      for (const { items, kind: asked } of requests) {
        assert.equal(new Set(items.map(({ id }) => id)).size, items.length, 'each item is there once');
        const speeches = items.flatMap(({ speech }) => speech ?? []);
        const counted = (wanted: Speech): number => speeches.filter((speech) => speech === wanted).length;
        assert.equal(speeches[0], 'user');
        assert.ok(speeches.at(-1) === 'user' || speeches.at(-1) === 'toolResult', asked);
        assert.equal(counted('toolCall'), counted('toolResult'));
      }
      const main = requests.filter(({ model }) => model === 'main').map(({ at }) => at);
      const sorted = main.toSorted((a, b) => a - b);
      assert.deepEqual(main, sorted);
    });
  }

  it('has files that change, are added and go', () => {
    const { requests } = generateTrace('pair-programming', 3);
    const files = requests.map(({ items }) => items.filter(({ kind }) => kind === 'file').map(({ id }) => id));
    const versions = requests.flatMap(({ items }) => items.map((item) => item.versions.length));
    assert.ok(Math.max(...versions) > 5);
    assert.ok(files.some((now, at) => now.some((id) => at > 0 && files[at - 1]?.includes(id) === false)));
    assert.ok(files.some((now, at) => (files[at - 1] ?? []).some((id) => !now.includes(id))));
  });

  it('is summarized when it gets long, and starts with the summary then', () => {
    const requests = generateTrace('agentic-long', 1).requests;
    const summary = requests.findIndex(({ kind }) => kind === 'summary');
    const [before, asked, after] = [requests[summary - 1], requests[summary], requests[summary + 1]];
    assert.ok(before !== undefined && asked !== undefined && after !== undefined);
    assert.equal(said(asked).at(-1)?.tokens, 350);
    assert.ok(said(after).length < said(before).length / 2);
    assert.notEqual(said(after)[0]?.id, said(before)[0]?.id);
  });
});
