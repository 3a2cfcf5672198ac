import assert from 'node:assert/strict';
import type { FileContents } from '../../../src/engine/context/fileContents.js';
import type { NotSelectedReason } from '../../../src/engine/record/item.js';
import type { FileGroup } from '../../../src/engine/request/gather.js';
import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';
import { plain } from '../../../src/engine/request/layout/plain.js';
import type { Layout } from '../../../src/engine/request/layout/layout.js';
import type { ContextRecord } from '../../../src/engine/record/manifest.js';
import { columns } from '../../support/columns.js';
import { attemptStarted } from '../../support/engine/events.js';
import { assistant, user } from '../../support/engine/messages.js';
import { RecordedChat, type Content, type Sent } from '../../support/engine/requests.js';

/** The limit of a request's bytes in the log when its blocks only moved. */
const MOST_LOGGED = 5 * 1024;

const NAMES = Array.from({ length: 500 }, (_, index) => `src/folder/of/module/file${String(index).padStart(3, '0')}.ts`);

function filesOf(names: readonly string[]): FileContents {
  return new Map(names.map((name) => [name, `export const name = '${name}';\n`]));
}

function records(names: readonly string[], leftOut: NotSelectedReason | null): ContextRecord[] {
  return names.map((name) => ({ item: { type: 'file', name, includeMode: 'manual' }, leftOut }));
}

/** The line of the log without the journal's stamp. */
function loggedBytes({ attempt }: Sent): number {
  const { manifest } = attempt;
  return Buffer.byteLength(JSON.stringify({ ...attemptStarted('1700000000000-00000000', attempt.id), manifest }));
}

const exchanges = Array.from({ length: 250 }, (_, index) => [
  user(`u${index}`, `Question ${index}`),
  assistant(`a${index}`, `Answer ${index}`),
]);

function twoRequests(change: Partial<Content>, always: Partial<Content>): { readonly first: Sent; readonly second: Sent } {
  const chat = new RecordedChat();
  const content: Content = {
    systemPrompt: 'Be brief.',
    files: filesOf(NAMES),
    context: records(NAMES, null),
    messages: [...exchanges.flat(), user('now', 'Now')],
    ...always,
  };
  return { first: chat.send(content), second: chat.send({ ...content, ...change }) };
}

function fileOrder(place: (files: FileGroup['files']) => FileGroup['files']): Layout {
  return {
    name: 'shuffled',
    lay: ({ files, ...others }, context) =>
      plain.lay({ ...others, files: files === null ? null : { ...files, files: place(files.files) } }, context),
  };
}

/** Moves neighbors far apart: 173 and 500 have no common divisor. */
function shuffled<T>(items: readonly T[]): T[] {
  return items.map((_, index) => items[(index * 173) % items.length] as T);
}

describe('the log of a request in which 500 blocks shift', () => {
  it('begins with a full record', () => {
    assert.ok(loggedBytes(twoRequests({}, {}).first) > 100 * 1024);
  });

  for (const [what, change] of [
    ['nothing changed', {}],
    ['a file came in front', { files: filesOf(['a.ts', ...NAMES]), context: records(['a.ts', ...NAMES], null) }],
    [
      'a file went',
      { files: filesOf(NAMES.slice(1)), context: [...records(NAMES.slice(0, 1), { code: 'missing' }), ...records(NAMES.slice(1), null)] },
    ],
    ['the files are in another order', { layout: fileOrder(shuffled), context: shuffled(records(NAMES, null)) }],
    ['the files begin with the last one', { layout: fileOrder((files) => files.toReversed()) }],
    ['the marks moved', { cacheMode: 'system' }],
    ['the system prompt is another one', { systemPrompt: 'Be polite.' }],
    ['the conversation lost its first message', { messages: [...exchanges.flat().slice(1), user('now', 'Now')] }],
    ['the conversation went on', { messages: [...exchanges.flat(), user('now', 'Now'), assistant('a', 'Yes'), user('then', 'Then')] }],
  ] as const) {
    it(`is at most 5 KB when ${what}`, () => {
      const chat = twoRequests(change, {});
      const bytes = loggedBytes(chat.second);
      assert.ok(bytes <= MOST_LOGGED, `${bytes} bytes`);
    });
  }

  const known = { layout: LAYOUTS.adaptive } as const;
  for (const [what, change] of [
    ['nothing changed', {}],
    ['a file came', { files: filesOf(['a.ts', ...NAMES]), context: records(['a.ts', ...NAMES], null) }],
    [
      'all is laid out anew after a file went',
      { files: filesOf(NAMES.slice(1)), context: records(NAMES.slice(1), null), mustRebuild: true },
    ],
    ['the conversation went on', { messages: [...exchanges.flat(), user('now', 'Now'), assistant('a', 'Yes'), user('then', 'Then')] }],
  ] as const) {
    it(`is at most 5 KB in a chat that goes on from its last request when ${what}`, () => {
      const { second } = twoRequests({ ...known, ...change }, known);
      const bytes = loggedBytes(second);
      assert.ok(bytes <= MOST_LOGGED, `${bytes} bytes`);
    });
  }

  it('counts for how long each block was the same without writing it anew', () => {
    const { second } = twoRequests({ files: filesOf(['a.ts', ...NAMES]) }, {});
    const { blocks, ordinal } = second.attempt.manifest;
    const put = blocks.flatMap((piece) => (typeof piece === 'object' && 'put' in piece ? piece.put : []));
    assert.deepEqual(columns(put, 'key', 'since'), [['file:a.ts', 2]]);
    assert.equal(ordinal, 2);
  });
});

describe('the log of a request with 1,000 rules in the catalog', () => {
  const rules = (picked: number): ContextRecord[] =>
    Array.from({ length: 1_000 }, (_, at): ContextRecord => {
      const item = { type: 'rule', name: `Rule ${String(at)}`, includeMode: 'agent' } as const;
      return at === picked
        ? { item: { ...item, similarityScore: 0.87 }, leftOut: null }
        : { item, leftOut: at % 2 === 0 ? { code: 'notAdded' } : { code: 'belowScore', minimum: 0.3 } };
    });
  const bytes = ({ attempt }: Sent): number => Buffer.byteLength(JSON.stringify(attempt.manifest.context));

  it('has at most 1 KB about them when the same or another one is picked', () => {
    const chat = new RecordedChat();
    const messages = [user('u', 'Hello')];
    const sizes = [7, 7, 501].map((picked) => bytes(chat.send({ messages, context: rules(picked) })));
    assert.ok((sizes[0] ?? 0) > 50_000, 'the first record is full');
    const areSmall = sizes.slice(1).every((size) => size <= 1_024);
    assert.ok(areSmall, sizes.join());
  });
});
