import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { JsonObject } from '../../src/engine/json.js';
import type { ToolOutcome } from '../../src/engine/ports.js';
import type { McpServer } from '../../src/tools/mcp/mcpServer.js';
import { column } from '../support/columns.js';
import { png } from '../support/images.js';
import { callOptions, McpRig, NEVER } from '../support/mcp/rig.js';

const SCRIPT = join(process.cwd(), 'test/support/mcp/hostileServer.mjs');

const GOOD: JsonObject = { inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } };

/** Invalid members of a tool, with the sentence about the tool. */
const REPAIRED: readonly (readonly [what: string, members: JsonObject, ignored: string])[] = [
  ['outputSchema {}', { ...GOOD, outputSchema: {} }, 'outputSchema'],
  ['description null', { ...GOOD, description: null }, 'description'],
  ['title 7', { ...GOOD, title: 7 }, 'title'],
  ['annotations null', { ...GOOD, annotations: null }, 'annotations'],
  ['a hint as text', { ...GOOD, annotations: { readOnlyHint: 'yes' } }, 'annotations.readOnlyHint'],
  ['required null', { inputSchema: { type: 'object', required: null } }, 'inputSchema.required'],
  ['properties null', { inputSchema: { type: 'object', properties: null } }, 'inputSchema.properties'],
  ['no inputSchema', {}, 'inputSchema'],
  ['inputSchema null', { inputSchema: null }, 'inputSchema'],
  ['a bad icon', { ...GOOD, icons: [{ mimeType: 'image/png' }] }, 'icons'],
  ['icons null', { ...GOOD, icons: null }, 'icons'],
  ['_meta null', { ...GOOD, _meta: null }, '_meta'],
  ['a text as a schema', { inputSchema: { type: 'object', properties: { a: 'string' } } }, 'inputSchema.properties.a'],
  ['an unknown type', { inputSchema: { type: 'object', properties: { a: { type: 'any' } } } }, 'inputSchema.properties.a.type'],
  ['an unknown type in a list', { inputSchema: { properties: { a: { type: ['any'] } }, type: 'object' } }, 'inputSchema.properties.a.type'],
  ['items null deep inside', { inputSchema: { type: 'object', properties: { a: { items: null } } } }, 'inputSchema.properties.a.items'],
];

const UNUSABLE: readonly (readonly [what: string, members: JsonObject])[] = [
  ['a string as type', { inputSchema: { type: 'string' } }],
  ['a string as inputSchema', { inputSchema: 'object' }],
  ['a list as inputSchema', { inputSchema: [] }],
];

describe('a list of an MCP server with one bad item', function () {
  this.timeout(30_000);
  let rig: McpRig;

  beforeEach(() => {
    rig = new McpRig({});
  });

  afterEach(async () => {
    await rig.servers.dispose();
    assert.deepEqual(rig.errors, []);
  });

  const offering = async (tools: readonly unknown[]): Promise<McpServer> => {
    const server = rig.server({ command: process.execPath, args: [SCRIPT, `listed=${JSON.stringify(tools)}`] });
    await server.start(NEVER);
    assert.deepEqual([server.status, server.problem], ['running', null]);
    return server;
  };

  const notes = (server: McpServer): readonly string[] => server.log.split('\n').filter((line) => line.startsWith('[Loupe]'));

  it('keeps the good tools, uses what it can of each bad one, and names it in one sentence', async () => {
    const good = { name: 'good', ...GOOD };
    const server = await offering([good, ...REPAIRED.map(([what, members]) => ({ name: what, ...members })), { ...good, name: 'last' }]);
    assert.deepEqual(column(server.tools, 'name'), ['good', 'last', ...REPAIRED.map(([what]) => what)].sort());
    assert.deepEqual(
      notes(server),
      REPAIRED.map(([what, , ignored]) => `[Loupe] The tool "${what}" of the server has invalid members, which Loupe ignores: ${ignored}.`),
    );
    const schemas = new Map(server.tools.map(({ name, inputSchema }) => [name, inputSchema]));
    assert.deepEqual(schemas.get('no inputSchema'), { type: 'object' });
    assert.deepEqual(schemas.get('required null'), { type: 'object' });
    assert.deepEqual(schemas.get('a text as a schema'), { type: 'object', properties: { a: {} } });
    assert.deepEqual(schemas.get('an unknown type'), { type: 'object', properties: { a: {} } });
    assert.deepEqual(schemas.get('description null'), schemas.get('good'));
  });

  it('omits only a tool that no arguments fit, and names it in one sentence', async () => {
    const good = { name: 'good', ...GOOD };
    const bad = UNUSABLE.map(([what, members]) => ({ name: what, ...members }));
    const server = await offering([good, 'no tool', ...bad, { description: 'nameless' }, { ...good, name: 'last' }]);
    assert.deepEqual(column(server.tools, 'name'), ['good', 'last']);
    assert.deepEqual(notes(server), [
      '[Loupe] Loupe does not use tool 2 of the server: it has no name.',
      ...UNUSABLE.map(
        ([what]) =>
          `[Loupe] Loupe does not use the tool "${what}" of the server: its "inputSchema" must be a JSON Schema of the type "object".`,
      ),
      '[Loupe] Loupe does not use tool 6 of the server: it has no name.',
    ]);
  });

  it('has the same bytes for any order of its tools, keys and required names', async () => {
    const a = {
      name: 'a',
      inputSchema: {
        type: 'object',
        properties: { x: { type: 'string', default: { q: 1, p: 2 } }, y: { enum: ['b', 'a'], anyOf: [{ type: 'string', title: 't' }] } },
        required: ['x', 'y'],
      },
    };
    const shuffled = {
      inputSchema: {
        required: ['y', 'x'],
        properties: { y: { anyOf: [{ title: 't', type: 'string' }], enum: ['b', 'a'] }, x: { default: { p: 2, q: 1 }, type: 'string' } },
        type: 'object',
      },
      name: 'a',
    };
    const b = { ...GOOD, name: 'b' };
    const first = JSON.stringify((await offering([b, a])).tools);
    await rig.servers.dispose();
    rig = new McpRig({});
    assert.equal(JSON.stringify((await offering([shuffled, b])).tools), first);
    assert.match(first, /"enum":\["b","a"\]/, 'the order of values has a meaning');
  });

  const result = async (value: JsonObject): Promise<ToolOutcome> => {
    const server = rig.server({ command: process.execPath, args: [SCRIPT] });
    return server.call('result', { result: value }, callOptions(new Map()));
  };
  const said = (...texts: readonly string[]): ToolOutcome['content'] => texts.map((text) => ({ type: 'text', text }));

  it('is a result with structured content only', async () => {
    assert.deepEqual((await result({ content: null, structuredContent: { a: 1 } })).content, said('{"a":1}'));
    assert.deepEqual((await result({ structuredContent: [1, 2] })).content, said('[1,2]'));
  });

  it('is a result with a text whose _meta and annotations are null', async () => {
    assert.deepEqual(await result({ content: [{ type: 'text', text: 'good', _meta: null, annotations: null }], isError: null }), {
      content: said('good'),
      isError: false,
      edits: [],
    });
  });

  it('is a result with one unknown part after a good text, of which the model gets a note', async () => {
    const content = [
      { type: 'text', text: 'good' },
      { type: 'video', data: 'x' },
      { type: 'text' },
      'text',
      { type: 'text', text: 'last' },
    ];
    assert.deepEqual(
      (await result({ content })).content,
      said(
        'good',
        '(A part of the type "video" is left out of this result: Loupe cannot read it.)',
        '(A part of the type "text" is left out of this result: it is damaged.)',
        '(A part without a type is left out of this result: Loupe cannot read it.)',
        'last',
      ),
    );
  });

  it('is a result with image data as a data URL, or with line breaks', async () => {
    const data = png(3, 2, 0).toString('base64');
    const content = [
      { type: 'image', data: `data:image/png;base64,${data}` },
      { type: 'image', data: `${data.slice(0, 20)}\n${data.slice(20)}`, mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'a:b', blob: `data:image/png;base64,${data}`, mimeType: 'image/png', _meta: null } },
      { type: 'resource_link', uri: 'a:c', name: null, description: null },
    ];
    const { content: read } = await result({ content });
    assert.deepEqual(
      read.map((item) => (item.type === 'image' ? [item.mimeType, item.width, item.height] : item)),
      [...[0, 1, 2].map(() => ['image/png', 3, 2]), ...said('a:c: a:c')],
    );
  });
});
