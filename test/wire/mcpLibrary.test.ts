import assert from 'node:assert/strict';
import { LoupeError } from '../../src/engine/errors.js';
import { columns } from '../support/columns.js';
import { installed, McpRig, NEVER } from '../support/mcp/rig.js';
import { rejection } from '../support/rejection.js';

const START_MS = 30_000;

describe('what an MCP server offers beside tools', function () {
  this.timeout(START_MS);
  let rig: McpRig;

  beforeEach(() => {
    rig = new McpRig({});
  });

  afterEach(() => rig.servers.dispose());

  it('is resources to read', async () => {
    const server = rig.server(installed('everything'));
    const resources = await server.listResources(NEVER);
    const [first] = resources.filter(({ mimeType }) => mimeType === 'text/markdown');
    assert.ok(first !== undefined);
    const [part] = await server.readResource(first.uri, NEVER);
    assert.ok(part !== undefined && 'text' in part);
    assert.equal(part.uri, first.uri);
    assert.ok(part.text.length > 100);
    const [bytes] = await server.readResource('demo://resource/dynamic/blob/1', NEVER);
    assert.ok(bytes !== undefined && 'bytes' in bytes && bytes.bytes.length > 0);
  });

  it('is prompts with blanks', async () => {
    const server = rig.server(installed('everything'));
    const prompts = await server.listPrompts(NEVER);
    const withBlanks = prompts.find(({ name }) => name === 'args-prompt');
    assert.deepEqual(columns(withBlanks?.blanks, 'name', 'isRequired'), [
      ['city', true],
      ['state', false],
    ]);
    assert.deepEqual(await server.getPrompt('args-prompt', { city: 'Oslo' }, NEVER), [{ role: 'user', text: "What's weather in Oslo?" }]);
    const [, embedded] = await server.getPrompt('resource-prompt', { resourceType: 'Text', resourceId: '1' }, NEVER);
    assert.ok(embedded !== undefined && 'text' in embedded);
    assert.match(embedded.text, /^demo:\/\/resource\/dynamic\/text\/1\n/);
    const [, binary] = await server.getPrompt('resource-prompt', { resourceType: 'Blob', resourceId: '1' }, NEVER);
    assert.ok(binary !== undefined && 'noText' in binary);
    assert.match(binary.noText, /^demo:\/\/resource\/dynamic\/blob\/1 \(.+, .+ KiB\)$/);
  });

  it('is suggestions for blanks, by what is filled in already', async () => {
    const server = rig.server(installed('everything'));
    const of = (name: string, filled: Record<string, string>): Promise<readonly string[]> =>
      server.suggestBlank({ prompt: 'completable-prompt', name, filled }, NEVER);
    assert.deepEqual(await of('department', {}), ['Engineering', 'Sales', 'Marketing', 'Support']);
    assert.deepEqual(await of('name', { department: 'Sales' }), ['David', 'Eve', 'Frank']);
    const other = rig.server(installed('filesystem', process.cwd()));
    assert.deepEqual(await other.suggestBlank({ prompt: 'none', name: 'none', filled: {} }, NEVER), []);
  });

  it('is nothing where the server has none', async () => {
    const server = rig.server(installed('filesystem', process.cwd()));
    assert.deepEqual([await server.listResources(NEVER), await server.listPrompts(NEVER)], [[], []]);
  });

  it('that is not there is refused in words', async () => {
    const server = rig.server(installed('everything'));
    const error = await rejection(server.getPrompt('no-such-prompt', {}, NEVER));
    assert.ok(error instanceof LoupeError);
    assert.match(error.message, /^The server "tested" answered with an error: .*no-such-prompt/);
    const broken = rig.server({ command: 'no-such-command-of-loupe' });
    assert.equal(
      (await rejection(broken.listPrompts(NEVER))).message,
      'The server "tested" does not run. The command "no-such-command-of-loupe" was not found. Install it, or correct "command".',
    );
    assert.deepEqual(rig.errors, []);
  });
});
