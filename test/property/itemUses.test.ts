import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type UsableItem, itemUses } from '../../src/engine/context/use/itemUses.js';
import { LEAST_QUOTED } from '../../src/engine/context/use/quotes.js';
import { depth } from '../support/depth.mjs';
import { inRuns } from '../support/forAll.js';

const runs = inRuns(depth({ short: 300, deep: 50_000 }));

const NAMES = [
  'src/a.ts',
  'lib/a.ts',
  'lib/b.ts',
  'lib/my-a.ts',
  'My plan.md',
  'old/plan.md',
  'Makefile',
  '.env',
  '文档/说明.md',
  'caf\u00E9/x.md',
];
const PIECES = [
  ...NAMES,
  'a.ts',
  'b.ts',
  'plan.md',
  'x.md',
  'data',
  'src',
  'lib',
  './',
  '--- a/',
  '../',
  'cafe\u0301/x.md',
  'src\\a.ts',
  '说',
];
const MARKS = [' ', ' ', ' ', '\n', '.', '/', '\\', '-', '~', '@', '#', ':12', '`', '"', '(', ')', ',', 'x', '中', '。'];

const text = fc.array(fc.constantFrom(...PIECES, ...MARKS), { maxLength: 25 }).map((parts) => parts.join(''));
const items = fc
  .uniqueArray(fc.constantFrom(...NAMES), { maxLength: NAMES.length })
  .map((names) => names.map((name): UsableItem => ({ key: name, type: 'file', name, text: null })));

const SPACELESS = /[\p{Script=Han}]/u;
const WORD = /[\p{L}\p{N}\p{M}_]/u;

interface Place {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** Finds names by a search of the whole text for each name. */
function slowKeys(all: readonly UsableItem[], given: string): Set<string> {
  const normal = given.normalize('NFC').replace(/\\+/g, '/');
  const places = all.flatMap(({ key }) => candidates(key, all).flatMap((name) => placesOf(name, key, normal)));
  places.sort((a, b) => (a.from === b.from ? b.to - a.to : a.from - b.from));
  const found = new Set<string>();
  let end = 0;
  for (const { key, from, to } of places) {
    if (from >= end) {
      found.add(key);
      end = to;
    }
  }
  return found;
}

function candidates(name: string, all: readonly UsableItem[]): string[] {
  const baseOf = (path: string): string => path.split('/').at(-1)!;
  const isUnique = all.filter((each) => baseOf(each.name) === baseOf(name)).length === 1;
  if (!name.includes('/')) {
    return isUnique ? [name] : [`./${name}`];
  }
  return isUnique && name.includes('.') ? [name, baseOf(name)] : [name];
}

function placesOf(name: string, key: string, normal: string): Place[] {
  const places: Place[] = [];
  for (let from = normal.indexOf(name); from !== -1; from = normal.indexOf(name, from + 1)) {
    const to = from + name.length;
    const isMarked = /[./-]/.test(name) || (/[`"]$/.test(normal.slice(0, from)) && /^[`"]/.test(normal.slice(to))) || name === normal;
    if (isMarked && begins(normal.slice(0, from), name) && ends(name, normal.slice(to))) {
      places.push({ key, from, to });
    }
  }
  return places;
}

function begins(before: string, name: string): boolean {
  const prefix = /(?:\.\/|--- a\/|\+\+\+ b\/)$/.exec(before);
  if (prefix !== null) {
    return begins(before.slice(0, prefix.index), prefix[0]);
  }
  const last = before.at(-1) ?? ' ';
  if (WORD.test(last)) {
    return WORD.test(name.at(0)!) && SPACELESS.test(last) !== SPACELESS.test(name.at(0)!);
  }
  return !/[./\-+&%~]$/.test(before) && !/[\p{L}\p{N}\p{M}_][@#$]$/u.test(before);
}

function ends(name: string, after: string): boolean {
  const next = after.at(0) ?? ' ';
  if (WORD.test(next)) {
    return !SPACELESS.test(name.at(-1)!) && SPACELESS.test(next);
  }
  return !after.startsWith('~') && !/^[./\-+&%][\p{L}\p{N}\p{M}_]/u.test(after);
}

describe('the items that a reply names', () => {
  it('are those that a slow search finds', () => {
    runs.forAll(fc.tuple(items, text), ([all, reply]) => {
      const uses = itemUses(all, { texts: [reply], calls: [], edited: [] });
      assert.deepEqual([...uses.keys()].sort(), [...slowKeys(all, reply)].sort());
    });
  });

  it('are shown by a part of the reply', () => {
    runs.forAll(fc.tuple(items, text), ([all, reply]) => {
      for (const [{ where }] of itemUses(all, { texts: [reply], calls: [], edited: [] }).values() as Iterable<
        readonly [{ where: string }]
      >) {
        assert.ok(reply.normalize('NFC').includes(where), where);
      }
    });
  });
});

const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 });

describe('a quote', () => {
  it('is there exactly where eight words in a row are the same', () => {
    runs.forAll(fc.tuple(words, words), ([own, reply]) => {
      const runs = own.map((_, at) => own.slice(at, at + LEAST_QUOTED)).filter(({ length }) => length === LEAST_QUOTED);
      const isQuoted = runs.some((run) => reply.some((_, at) => run.every((word, index) => reply[at + index] === word)));
      const rule: UsableItem = { key: 'rule:x', type: 'rule', name: 'x.md', text: { text: own.join(' ') } };
      const [use] = itemUses([rule], { texts: [reply.join(', ')], calls: [], edited: [] }).get('rule:x') ?? [];
      assert.equal(use?.how === 'quoted', isQuoted);
    });
  });
});
