import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../src/engine/json.js';
import { promptMessage } from '../../src/host/tools/prompts/promptFinder.js';
import { resourceText } from '../../src/host/tools/resources/serverResources.js';
import type { McpServer } from '../../src/tools/mcp/mcpServer.js';
import { column } from '../support/columns.js';
import { png } from '../support/images.js';
import { McpRig, NEVER } from '../support/mcp/rig.js';

const SCRIPT = join(process.cwd(), 'test/support/mcp/hostileServer.mjs');

/** Invalid members of a prompt or a resource, with the names in the sentence about it. */
const REPAIRED: readonly (readonly [what: string, members: JsonObject, ignored: string])[] = [
  ['description null', { description: null }, 'description'],
  ['title 7', { title: 7 }, 'title'],
  ['icons null', { icons: null }, 'icons'],
  ['_meta null', { _meta: null }, '_meta'],
];

const PROMPTS: typeof REPAIRED = [
  ...REPAIRED,
  ['arguments null', { arguments: null }, 'arguments'],
  ['arguments by name', { arguments: { a: {} } }, 'arguments'],
  ['an argument without a name', { arguments: [{ name: 'a' }, { description: 'b' }] }, 'arguments.1'],
  [
    'a null in an argument',
    { arguments: [{ name: 'a', description: null, required: null }] },
    'arguments.0.description, arguments.0.required',
  ],
];

const RESOURCES: typeof REPAIRED = [
  ...REPAIRED,
  ['no name', { name: null }, 'name'],
  ['annotations null', { annotations: null }, 'annotations'],
  ['size as text', { size: '7' }, 'size'],
  ['mimeType null', { mimeType: null }, 'mimeType'],
];

describe('a prompt or a resource of an MCP server with one bad item', function () {
  this.timeout(30_000);
  let rig: McpRig;

  beforeEach(() => {
    rig = new McpRig({});
  });

  afterEach(async () => {
    await rig.servers.dispose();
    assert.deepEqual(rig.errors, []);
  });

  const answering = (answers: Readonly<Record<string, Json>>): McpServer =>
    rig.server({ command: process.execPath, args: [SCRIPT, `answers=${JSON.stringify(answers)}`] });

  const notes = (server: McpServer): readonly string[] => server.log.split('\n').filter((line) => line.startsWith('[Loupe]'));

  const sentences = (kind: string, repaired: typeof REPAIRED): readonly string[] =>
    repaired.map(
      ([what, , ignored]) => `[Loupe] The ${kind} "${what}" of the server has invalid members, which Loupe ignores: ${ignored}.`,
    );

  it('keeps the other prompts, and names it in one sentence, also if Loupe reads the list again', async () => {
    const blank = { name: 'city', description: 'A city', required: true };
    const prompts = ['none', ...PROMPTS.map(([name, members]) => ({ name, ...members })), { name: 'good', arguments: [blank] }];
    const server = answering({ 'prompts/list': { prompts, nextCursor: null, _meta: {} } });
    const listed = await server.listPrompts(NEVER);
    assert.deepEqual(await server.listPrompts(NEVER), listed);
    assert.deepEqual(column(listed, 'name'), [...column(PROMPTS, 0), 'good']);
    assert.deepEqual(listed.at(-1)?.blanks, [{ name: 'city', description: 'A city', isRequired: true }]);
    const blanks = new Map(listed.map((prompt) => [prompt.name, column(prompt.blanks, 'name')]));
    assert.deepEqual(blanks.get('an argument without a name'), ['a']);
    assert.deepEqual(notes(server), [
      '[Loupe] Loupe does not use prompt 1 of the server: it has no name.',
      ...sentences('prompt', PROMPTS),
    ]);
  });

  it('keeps the other resources, and names it in one sentence', async () => {
    const resources = [
      { name: 'none' },
      ...RESOURCES.map(([uri, members]) => ({ uri, name: uri, ...members })),
      { uri: 'a:b', name: 'good', size: 7 },
    ];
    const server = answering({ 'resources/list': { resources } });
    const listed = await server.listResources(NEVER);
    assert.deepEqual(column(listed, 'name'), [...column(RESOURCES, 0), 'good']);
    assert.equal(listed.at(-1)?.bytes, 7);
    assert.deepEqual(notes(server), [
      '[Loupe] Loupe does not use resource 1 of the server: it has no URI.',
      ...sentences('resource', RESOURCES),
    ]);
  });

  it('is an empty list where the server has null', async () => {
    const server = answering({ 'prompts/list': { prompts: null }, 'resources/list': { resources: null } });
    assert.deepEqual([await server.listPrompts(NEVER), await server.listResources(NEVER)], [[], []]);
  });

  it('is a resource with one damaged part, in place of which its text has a note', async () => {
    const contents = [{ uri: 'a:b', text: 'good', mimeType: null, _meta: null }, { uri: 'a:b' }, { text: 'last' }];
    const server = answering({ 'resources/read': { contents } });
    const read = resourceText('a:b', await server.readResource('a:b', NEVER));
    assert.ok(read.ok);
    assert.equal(read.content, 'good\n\n(A part of this resource is left out: it is damaged.)\n\nlast');
    assert.deepEqual(notes(server), [
      '[Loupe] Part 1 of the resource "a:b" has invalid members, which Loupe ignores: mimeType.',
      '[Loupe] Loupe does not use part 2 of the resource "a:b": it has neither a text nor data.',
    ]);
  });

  it('is a resource with bytes as a data URL', async () => {
    const bytes = png(3, 2, 0);
    const contents = [{ uri: 'a:b', blob: `data:image/png;base64,${bytes.toString('base64')}` }];
    assert.deepEqual(await answering({ 'resources/read': { contents } }).readResource('a:b', NEVER), [
      { uri: 'a:b', mimeType: null, bytes },
    ]);
  });

  it('is a prompt with its good parts, and with a name for each part that is left out', async () => {
    const image = png(3, 2, 0).toString('base64');
    const messages = [
      { role: 'user', content: { type: 'text', text: 'good', annotations: null, _meta: null } },
      { role: 'user', content: { type: 'video', data: 'x' } },
      { role: 'user', content: { type: 'text' } },
      { role: 'user', content: { type: 'image', data: `data:image/png;base64,${image}` } },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
      { role: 'system', content: 'plain' },
      7,
      { role: 'user', content: { type: 'text', text: 'last' } },
    ];
    const server = answering({ 'prompts/get': { messages, description: null } });
    const { text, skipped } = promptMessage(await server.getPrompt('any', {}, NEVER));
    assert.equal(text, 'good\n\none\n\ntwo\n\nplain\n\nlast');
    assert.deepEqual(skipped, [
      'part of the type "video" (Loupe cannot read it)',
      'part of the type "text" (it is damaged)',
      'image (image/png, 0.1 KiB)',
      'part without a type (Loupe cannot read it)',
    ]);
    assert.deepEqual(notes(server), [
      '[Loupe] Loupe does not use a part of the type "video" in message 2 of a prompt: Loupe cannot read it.',
      '[Loupe] Loupe does not use a part of the type "text" in message 3 of a prompt: it is damaged.',
      '[Loupe] Loupe reads message 6 of a prompt as a message of the user: its "role" is neither "user" nor "assistant".',
      '[Loupe] Loupe reads message 7 of a prompt as a message of the user: its "role" is neither "user" nor "assistant".',
      '[Loupe] Loupe does not use a part without a type in message 7 of a prompt: Loupe cannot read it.',
    ]);
  });
});
