import assert from 'node:assert/strict';
import type { Block } from '../../../../src/engine/model/block.js';
import { BlockFactory } from '../../../../src/engine/request/blockFactory.js';
import type { RequestInput } from '../../../../src/engine/request/request.js';
import { heldItems, namedBlock } from '../../../../src/host/inspector/blockNames.js';
import { blockText } from '../../../../src/host/inspector/blockText.js';
import { heldByNext } from '../../../../src/host/inspector/heldRequest.js';
import { assistant, call, result, results, text, user } from '../../../support/engine/messages.js';
import { characters, sha256 } from '../../../support/engine/ports.js';
import { PLAIN, requestOf, withFiles } from '../../../support/engine/requests.js';
import { TIERED, TieredChat } from '../../../support/engine/tieredChat.js';

const NOTES = 'First line\nSecond line of the notes, which is longer';

const FACTORY = new BlockFactory(characters, sha256);

type Blocks = ReturnType<typeof heldByNext>['blocks'];

function blocksOf(change: Partial<RequestInput>): Blocks {
  const { prompt } = requestOf({ ...PLAIN, ...change }, new BlockFactory(characters, sha256));
  return heldByNext({ prompt, records: [] }, null).blocks;
}

const names = (blocks: Blocks): string[] => blocks.map((block) => namedBlock(block, new Map(), false).name);

describe('the blocks of a request', () => {
  it('are named in the order they are sent, by their source, and have their text', () => {
    const schema = { type: 'object', properties: { path: { type: 'string' } } };
    const blocks = blocksOf({
      systemPrompt: 'Be brief.',
      ...withFiles({ 'src/notes.md': NOTES }),
      tools: [
        {
          key: 'tool:files/write',
          definition: { type: 'toolDefinition', name: 'write', description: 'Writes a file.', schema, isRetired: false },
        },
      ],
      messages: [
        user('u', 'Write them down.'),
        assistant('a', text('I will.'), { ...call('c', { path: 'a.md', text: NOTES }), name: 'write' }),
        results('r', { ...result('c', text('No space left.')), name: 'write', isError: true }),
        user('v', 'Thanks'),
      ],
    });
    assert.deepEqual(names(blocks), [
      'write',
      'System prompt',
      'Your system prompt',
      'Text around files',
      'src/notes.md',
      'Text around files',
      'You: Write them down.',
      'Assistant: I will.',
      'Assistant, call of write',
      'Result of write, failed',
      'You: Thanks',
    ]);
    const texts = blocks.map(({ part }) => (part === null ? null : blockText(part)));
    assert.equal(texts[0], `Writes a file.\n\nparameters:\n${JSON.stringify(schema, null, 2)}`);
    assert.equal(texts[8], `{\n  "path": "a.md"\n}\n\ntext:\n${NOTES}`);
    assert.equal(texts[9], 'No space left.');
  });

  it('that refer to earlier content say so', () => {
    const read = (id: string) => [assistant(`a${id}`, call(`c${id}`, {})), results(`r${id}`, result(`c${id}`, text(NOTES.repeat(20))))];
    const held = blocksOf({ messages: [user('u', 'Read.'), ...read('1'), ...read('2')] });
    const why = held.flatMap((block) => (block.role === 'tool-results' ? [namedBlock(block, new Map(), false).why] : []));
    assert.deepEqual(why, ['history', 'refers to earlier content']);
  });

  it('say why the first request has a file in a cached tier', () => {
    const chat = new TieredChat();
    const items = (users: number) =>
      heldItems([{ item: { type: 'file', name: 'a.ts', includeMode: 'manual' }, leftOut: null, link: { users, group: null } }]);
    const why = (users: number, change: Partial<RequestInput>): (string | undefined)[] => {
      const { prompt } = chat.compose({ ...TIERED, messages: [user('u', 'Hello')], ...withFiles({ 'a.ts': 'a' }), ...change }, FACTORY);
      const file = heldByNext({ prompt, records: [] }, null).blocks.find(({ key }) => key === 'file:a.ts');
      return file === undefined ? [] : [file.tier, namedBlock(file, items(users), false).why];
    };
    const fileLinks = new Map([['a.ts', { users: 3, group: null }]]);
    assert.deepEqual(why(3, { fileLinks }), ['L1', 'manual, tier by references: used by 3 files']);
    assert.deepEqual(why(1, { fileLinks }), ['L1', 'manual, tier by references: used by 1 file']);
    assert.deepEqual(why(0, { fileLinks }), ['L1', 'manual, tier by references: used by no file']);
    assert.deepEqual(why(3, {}), ['active', 'manual'], 'without a map');
  });

  it('before files and pages that the request has further down are named as those before the first', () => {
    const header = (item: string, text: string): Block =>
      FACTORY.snapshotBlock({ key: `header:${item}`, role: 'user', category: 'files', item: null }, { type: 'text', text });
    const held = [header('file:a.ts', '# Working Files'), header('page:https://a.example', '# Web Pages')];
    const blocks = held.map(({ breakpoint: _breakpoint, source: _source, ...block }) => ({
      ...block,
      breakpoint: null,
      problem: null,
      isPending: false,
    }));
    assert.deepEqual(names(blocks), ['Text around files', 'Text around web pages']);
  });

  it('around the files of a tier are named as those around the working files', () => {
    const chat = new TieredChat();
    chat.repeat(2, { 'a.ts': 'a' }, {});
    const prompt = chat.repeat(2, { 'a.ts': 'a', 'b.ts': 'b' }, {});
    const around = (file: string): string[] => ['Text around files', file, 'Text around files'];
    assert.deepEqual(names(heldByNext({ prompt, records: [] }, null).blocks).slice(1, 7), [...around('a.ts'), ...around('b.ts')]);
  });
});
