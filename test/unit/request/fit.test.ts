import assert from 'node:assert/strict';
import { arrange } from '../../../src/engine/request/arrange.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { type CountByProvider, fittedRequest, type FitInput, LEAST_USEFUL, dropLines } from '../../../src/engine/request/fit.js';
import { ALL_SHOWN, type ShownLines, shownFile } from '../../../src/engine/request/shownFiles.js';
import type { Request } from '../../../src/engine/request/request.js';
import { UNCALIBRATED } from '../../../src/engine/tokens/calibration.js';
import { assistant, user } from '../../support/engine/messages.js';
import { OPEN_MODEL, withCapabilities } from '../../support/engine/models.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { promptBlocks } from '../../../src/engine/model/prompt.js';
import { PLAIN, withFiles } from '../../support/engine/requests.js';

const LINE = 'nine char\n';
const EXACT = { ...withCapabilities(OPEN_MODEL, { counterIsExact: true }), maxInputTokens: null };
const ESTIMATED = { ...withCapabilities(OPEN_MODEL, { counterIsExact: false }), maxInputTokens: null };

/** 10,000 characters of a file in a budget of 6,400. */
const INPUT: FitInput = {
  ...PLAIN,
  model: EXACT,
  ...withFiles({ a: LINE.repeat(1_000) }),
  config: { maxPromptTokens: 6_400, reservedResponseTokens: 0 },
  calibration: UNCALIBRATED,
};

function fit({ countByProvider, ...change }: Partial<FitInput> & { readonly countByProvider?: CountByProvider }): Request {
  const [input, factory] = [{ ...INPUT, ...change }, new BlockFactory(characters, sha256)];
  return fittedRequest(input, arrange(input, factory), factory, countByProvider ?? (() => null));
}

function linesOf({ cuts }: Request): number | null {
  return cuts.get('file:a')?.lines ?? null;
}

function holding(lines: number | null): ShownLines {
  return lines === null ? ALL_SHOWN : new Map([['a', lines]]);
}

describe('a request whose files do not all fit', () => {
  it('leaves a quarter of their room to the messages that follow, which hold the cut until that is used up', () => {
    const first = fit({});
    const room = first.budget - (first.size.counted - (first.cuts.get('file:a')?.tokens ?? 0));
    const share = (first.cuts.get('file:a')?.tokens ?? 0) / room;
    assert.ok(share > 0.72 && share <= 0.75, String(share));
    const said = (length: number): Request =>
      fit({ shownLines: holding(linesOf(first)), messages: [user('u', 'Hello'), assistant('a', 'x'.repeat(length)), user('v', 'And?')] });
    const most = first.budget - said(1).size.tokens + 1;
    assert.equal(linesOf(said(most)), linesOf(first));
    const cutAgain = said(most + 1);
    assert.ok((linesOf(cutAgain) ?? 0) < (linesOf(first) ?? 0));
    assert.ok(cutAgain.size.tokens <= cutAgain.budget);
  });

  it('is cut the same while a message is typed, but for a few steps', () => {
    const shown = Array.from({ length: 200 }, (_, length) => linesOf(fit({ messages: [user('u', 'x'.repeat(length + 1))] })));
    assert.ok(new Set(shown).size <= 3, [...new Set(shown)].join());
  });

  it('holds a cut until twice as much has room, or all of it', () => {
    const held = linesOf(fit({})) ?? 0;
    const shownBy = (maxPromptTokens: number): number | null =>
      linesOf(fit({ shownLines: holding(held), config: { maxPromptTokens, reservedResponseTokens: 0 } }));
    assert.equal(shownBy(8_000), held);
    assert.equal(shownBy(11_000), held);
    assert.ok((shownBy(13_000) ?? 0) >= 2 * held);
    assert.equal(shownBy(16_000), null);
    // All of it has room, though only a little was cut.
    assert.equal(linesOf(fit({ shownLines: holding(900), config: { maxPromptTokens: 16_000, reservedResponseTokens: 0 } })), null);
  });

  it('holds a cut beside a file that is shown whole, and lets it grow beside one that has no lines to show', () => {
    const of = (files: Readonly<Record<string, string>>, shownLines: ShownLines, maxPromptTokens: number): Request =>
      fit({ ...withFiles(files), shownLines, config: { maxPromptTokens, reservedResponseTokens: 0 } });
    const beside = of({ a: LINE.repeat(1_000), b: LINE.repeat(300) }, new Map([['a', 100]]), 4_600);
    const cutsOf = ({ cuts }: Request): unknown => [...cuts].map(([key, { lines }]) => [key, lines]);
    assert.deepEqual(cutsOf(beside), [['file:a', 100]]);
    const minified = of(
      { a: LINE.repeat(1_000), b: 'x'.repeat(90_000) },
      new Map([
        ['a', 100],
        ['b', 0],
      ]),
      40_000,
    );
    assert.deepEqual(cutsOf(minified), [['file:b', 0]]);
  });

  it('holds a file that was left out until some lines of it have room', () => {
    const of = (maxPromptTokens: number): number | null =>
      linesOf(fit({ shownLines: holding(0), config: { maxPromptTokens, reservedResponseTokens: 0 } }));
    const rest = fit({ files: new Map() }).size.tokens;
    assert.equal(of(rest + 300), 0);
    assert.ok((of(rest + 700) ?? 0) > 0);
  });

  it('is cut by what the provider counts, again where that shows more than was thought', () => {
    const asked: number[] = [];
    /** The first count is twice ours, that of the cut request three times. */
    const countByProvider: CountByProvider = ({ arrangement }) => {
      const shown = arrangement.cuts.get('file:a')?.tokens ?? null;
      asked.push(shown ?? -1);
      return shown === null ? 20_000 : (shown + 500) * 3;
    };
    const request = fit({ model: ESTIMATED, countByProvider });
    assert.deepEqual([request.size.basis, request.excess], ['providerCount', null]);
    assert.ok(request.size.tokens <= 6_400);
    assert.ok(asked.length === 3 && (asked[2] ?? 0) < (asked[1] ?? 0), asked.join());
  });

  it('is over its budget without any file when the rest alone is', () => {
    const request = fit({ messages: [user('u', 'x'.repeat(7_000))] });
    assert.equal(linesOf(request), 0);
    assert.equal(request.excess?.largest[0]?.key, 'message:u/0');
    assert.equal(request.excess.tokens, fit({ files: new Map(), messages: [user('u', 'x'.repeat(7_000))] }).size.tokens);
  });
});

describe('a request whose repository map has no room', () => {
  const repository = {
    tree: [{ key: 'repository:tree', text: 'x'.repeat(900) }],
    map: [
      { key: 'repository:map', text: 'Definitions' },
      { key: 'repository:map/src/', text: 'y'.repeat(2_000) },
    ],
  };
  const fitted = (files: Readonly<Record<string, string>>): Request => fit({ ...withFiles(files), repository });
  const withBlocks = (request: Request): boolean => promptBlocks(request.prompt).some(({ category }) => category === 'repository');

  it('drops the map before it cuts a file, and records its tokens', () => {
    const request = fitted({ a: LINE.repeat(500) });
    assert.deepEqual([withBlocks(request), linesOf(request), request.excess], [false, null, null]);
    const dropped = ['repository:tree', 'repository:map'].map((key) => request.cuts.get(key));
    assert.deepEqual(
      dropped.map((cut) => [cut?.lines, cut?.ofTokens]),
      [
        [0, 900],
        // In the system prompt, an empty line separates each of the two pieces.
        [0, 2_015],
      ],
    );
  });

  it('cuts files after that', () => {
    const request = fitted({ a: LINE.repeat(1_000) });
    assert.deepEqual([withBlocks(request), linesOf(request) === null, request.excess], [false, false, null]);
    assert.equal(linesOf(request), linesOf(fit({})), 'the same lines as without a map');
  });

  it('keeps the map when everything has room', () => {
    const request = fitted({ a: LINE.repeat(100) });
    assert.deepEqual([withBlocks(request), request.cuts.size], [true, 0]);
  });
});

describe('a request whose editor state has no room', () => {
  const workspace = [
    { key: 'editor:date', text: 'Date' },
    { key: 'editor:selection', text: 'x'.repeat(3_000) },
    { key: 'editor:git', text: 'x'.repeat(3_000) },
  ];
  const picked = [{ key: 'rule:Tests', category: 'rules', text: 'y'.repeat(500) } as const];
  const droppedAt = (length: number): readonly [Request['adaptations']['editorDropped'], boolean, number | null] => {
    const request = fit({ files: new Map(), workspace, picked, messages: [user('u', 'x'.repeat(length))] });
    return [request.adaptations.editorDropped, request.cuts.has('rule:Tests'), request.excess?.tokens ?? null];
  };

  it('drops it, the last part first, before any pick, and names it', () => {
    assert.deepEqual(droppedAt(100), [['git'], false, null]);
    assert.deepEqual(droppedAt(3_000), [['selection', 'git'], false, null]);
    assert.deepEqual(droppedAt(5_900), [['date', 'selection', 'git'], true, null]);
  });

  it('keeps all of it where it has room', () => {
    const request = fit({ files: new Map(), workspace, config: { maxPromptTokens: 8_000, reservedResponseTokens: 0 } });
    assert.equal(request.adaptations.editorDropped, undefined);
  });
});

const lines = (count: number): string => LINE.repeat(count);

describe('what files show where there is no room for all', () => {
  const factory = new BlockFactory(characters, sha256);
  const tokens = (path: string, content: string, shown: number | null): number => shownFile({ path, content }, shown, factory)?.tokens ?? 0;
  const shedOf = (files: Readonly<Record<string, string>>, room: number): Record<string, number> =>
    Object.fromEntries(dropLines(new Map(Object.entries(files)), room, factory));

  it('is all of them where they fit, to the token', () => {
    const room = tokens('a', lines(50), null) + tokens('b', lines(90), null);
    assert.deepEqual(shedOf({ a: lines(50), b: lines(90) }, room), {});
    assert.deepEqual(Object.keys(shedOf({ a: lines(50), b: lines(90) }, room - 1)), ['b']);
  });

  it('is the beginning of the largest, and the others whole', () => {
    const room = 2_000;
    const { large, ...others } = shedOf({ small: lines(20), large: lines(400), middle: lines(80) }, room);
    assert.deepEqual(others, {});
    const used = tokens('small', lines(20), null) + tokens('middle', lines(80), null) + tokens('large', lines(400), large ?? 0);
    // Not a whole line is left over.
    assert.ok(used <= room && used > room - LINE.length - 10, String(used));
  });

  it('is the same of two that are equally large', () => {
    const shown = shedOf({ a: lines(400), b: lines(500), c: lines(30) }, 2_400);
    assert.deepEqual(Object.keys(shown).sort(), ['a', 'b']);
    assert.equal(shown['a'], shown['b']);
  });

  it('leaves out the largest where too little would be left of each', () => {
    const files = { a: lines(24), b: lines(30), c: lines(40), d: lines(40) };
    // Each would have 187 tokens, then 247. d is dropped before c, as the last by path.
    assert.deepEqual(shedOf(files, 750), { d: 0, c: 0 });
    assert.deepEqual(shedOf(files, LEAST_USEFUL - 100), { d: 0, c: 0, b: 0, a: 0 });
    assert.deepEqual(shedOf(files, -5), { d: 0, c: 0, b: 0, a: 0 });
  });

  it('is nothing of a file whose first line does not fit', () => {
    assert.deepEqual(shedOf({ minified: 'x'.repeat(5_000) }, 2_000), { minified: 0 });
    assert.deepEqual(shedOf({ minified: `/* v1 */\n${'x'.repeat(5_000)}\n` }, 2_000), { minified: 0 });
  });

  it('is found in a few counts, however long the file is and wherever it is dense', () => {
    let counted = 0;
    const dense = { ...characters, id: 'dense', count: (text: string) => (counted += 1) * 0 + text.length + 9 * text.split('#').length };
    const content = '#########\n'.repeat(2_000) + lines(20_000);
    const own = new BlockFactory(dense, sha256);
    const shown = dropLines(new Map([['a', content]]), 20_000, own).get('a') ?? 0;
    const used = shownFile({ path: 'a', content }, shown, own)?.tokens ?? 0;
    assert.ok(used <= 20_000 && used > 15_000, String(used));
    assert.ok(counted <= 8, String(counted));
    const before = counted;
    dropLines(new Map([['a', content]]), 20_000, own);
    // The preview at a key counts nothing again.
    assert.equal(counted, before);
  });
});

describe('a file that is cut', () => {
  it('ends at the end of a line, between marks that say of what and how much', () => {
    const block = shownFile({ path: 'src/a.ts', content: 'one\ntwo\nthree' }, 2, new BlockFactory(characters, sha256));
    assert.deepEqual(block?.part, {
      type: 'text',
      text: [
        'src/a.ts',
        '[BEGIN src/a.ts: the first 2 of 3 lines]',
        '```ts',
        'one',
        'two',
        '```',
        '[END src/a.ts: the last line does not fit into this request]',
      ].join('\n'),
    });
    assert.deepEqual([block.key, block.form], ['file:src/a.ts', 'cut']);
  });

  it('has its marks outside of a fence that its content cannot close', () => {
    const block = shownFile({ path: 'a\n.md', content: '```\n[END a]\n````\nrest\n' }, 3, new BlockFactory(characters, sha256));
    assert.ok(block?.part.type === 'text');
    assert.match(block.part.text, /^"a\\n\.md"\n\[BEGIN "a\\n\.md": the first 3 of 4 lines\]\n`{5}md\n/);
    assert.match(block.part.text, /\n`{5}\n\[END "a\\n\.md": the last line does not fit into this request\]$/);
  });
});
