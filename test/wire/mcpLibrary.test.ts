import assert from 'node:assert/strict';
import { LoupeError } from '../../src/engine/errors.js';
import { columns } from '../support/columns.js';
import { installed, McpRig, NEVER } from '../support/mcp/rig.js';
import { rejection } from '../support/rejection.js';
import { PromptFinder } from '../../src/host/tools/prompts/promptFinder.js';
import type { Mentions } from '../../src/protocol/panel/toWebview.js';
import { systemClock } from '../../src/host/window/systemPorts.js';
import { cancel, pick, ScriptedWizard, type, type Action } from '../unit/host/providers/scriptedWizard.js';
import type { ResourceBase } from '../../src/engine/record/item.js';
import { noCommands } from '../support/host/noCommands.js';
import { ServerResources } from '../../src/host/tools/resources/serverResources.js';

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

describe('the prompts of a real MCP server, in the message box', function () {
  this.timeout(START_MS);
  let rig: McpRig;
  let told: Mentions[];
  let failed: (readonly [server: string, text: string])[];

  beforeEach(() => {
    rig = new McpRig({});
    told = [];
    failed = [];
  });

  afterEach(() => rig.servers.dispose());

  const finder = (...script: readonly Action[]): PromptFinder =>
    new PromptFinder({
      configured: () => Promise.resolve(),
      servers: () => rig.servers.servers(),
      files: () => Promise.resolve([]),
      read: () => Promise.reject(new Error('A prompt of a server refers to no files.')),
      variables: () => Promise.reject(new Error('A prompt of a server has no variables.')),
      clock: systemClock,
      tell: (mentions) => told.push(mentions),
      questions: new ScriptedWizard(script),
      failed: ({ name }, { message }) => failed.push([name, message]),
      slowly: (work) => work(new AbortController().signal),
    });

  it('start no server while the user types, and are told once one that runs has answered', async () => {
    const server = rig.server(installed('everything'));
    const found = finder();
    await found.find('', noCommands);
    assert.equal(server.status, 'stopped');
    const shown = told.map(({ rows }) => rows.map(({ kind, key }) => [kind, key]));
    assert.deepEqual(shown, [[['server', 'tested']]]);
    await server.start(NEVER);
    await found.find('', noCommands);
    assert.deepEqual(
      told.slice(1).map(({ rows, notes }) => [rows.length, notes]),
      [
        [0, ['Asking tested for its prompts…']],
        [4, []],
      ],
    );
    await found.find('args', noCommands);
    assert.deepEqual(
      told.slice(3).map(({ mark, text, rows }) => [mark, text, rows.map(({ name, about }) => `${name} | ${about}`)]),
      [['/', 'args', ['tested:args-prompt | Arguments Prompt: A prompt with two arguments, one required and one optional']]],
    );
  });

  it('become text with what the user fills in', async () => {
    await rig.server(installed('everything')).start(NEVER);
    const found = finder(type('Oslo'), type(''), pick('Sales'), pick('Eve'), type('Oslo'), cancel);
    await found.find('', noCommands);
    const made = await found.fill('prompt:tested/args-prompt');
    assert.deepEqual([made?.text, made?.notes], ["What's weather in Oslo?", []]);
    const promoted = await found.fill('prompt:tested/completable-prompt');
    assert.equal(promoted?.text, 'Please promote Eve to the head of the Sales team.');
    assert.equal(await found.fill('prompt:tested/args-prompt'), null);
  });

  it('keep the text of a resource, and name one that has none', async () => {
    await rig.server(installed('everything')).start(NEVER);
    const found = finder(pick('Text'), type('1'), pick('Blob'), type('2'));
    await found.find('', noCommands);
    const text = await found.fill('prompt:tested/resource-prompt');
    assert.match(text?.text ?? '', /following resource:\n\ndemo:\/\/resource\/dynamic\/text\/1\nResource 1/);
    const blob = await found.fill('prompt:tested/resource-prompt');
    assert.match(blob?.notes.join() ?? '', /omitted a part of the prompt: demo:\/\/resource\/dynamic\/blob\/2 \(.+ KiB\)\.$/);
  });

  it('fail in words', async () => {
    await rig.server(installed('everything')).start(NEVER);
    const found = finder(pick('Text'), type('not a number'));
    await found.find('', noCommands);
    assert.equal(await found.fill('prompt:tested/resource-prompt'), null);
    assert.match(failed.join('\n'), /^tested,The server "tested" answered with an error: .*Invalid resourceId/);
    assert.equal((await rejection(found.fill('prompt:tested/no-such'))).message, 'The server no longer has this prompt.');
    await rig.server({ command: 'no-such-command-of-loupe' }).start(NEVER);
    await found.find('', noCommands);
    assert.deepEqual(told.at(-1)?.notes, [
      'tested: The command "no-such-command-of-loupe" was not found. Install it, or correct "command".',
    ]);
  });
});

describe('the resources of a real MCP server', function () {
  this.timeout(START_MS);
  let rig: McpRig;
  let resources: ServerResources;

  beforeEach(() => {
    rig = new McpRig({});
    resources = new ServerResources({ configured: () => Promise.resolve(), servers: () => rig.servers.servers(), clock: systemClock });
  });

  afterEach(() => rig.servers.dispose());

  const named = (uri: string): ResourceBase => ({ type: 'reference', name: uri, serverName: 'tested' });

  it('are listed once their server has answered, and read', async () => {
    const server = rig.server(installed('everything'));
    let changes = 0;
    await resources.refresh(() => (changes += 1));
    assert.deepEqual([resources.listed(), server.status], [[], 'stopped'], 'typing starts nothing');
    await server.start(NEVER);
    await resources.refresh(() => (changes += 1));
    const [first] = resources.listed();
    assert.ok(first !== undefined);
    assert.equal(changes, 1);
    assert.match(first.item.name, /^demo:\/\/resource\/static\/document\//);
    assert.equal(resources.known(first.item).ok, false, 'listing reads none');
    const read = await resources.read(first.item, NEVER);
    assert.ok(read.ok && read.content.length > 100);
    assert.equal(resources.known(first.item), read);
  });

  it('are refused when they are no text, or not there', async () => {
    rig.server(installed('everything'));
    const reasonOf = async (uri: string): Promise<string> => {
      const read = await resources.read(named(uri), NEVER);
      return read.ok ? '' : read.reason;
    };
    assert.equal(await reasonOf('demo://resource/dynamic/blob/1'), 'demo://resource/dynamic/blob/1 is not a text file.');
    assert.match(await reasonOf('demo://none'), /^The server "tested" answered with an error: .*demo:\/\/none/);
  });

  it('are as they were when reading is stopped', async () => {
    rig.server(installed('everything'));
    const item = named('demo://resource/dynamic/text/1');
    const before = await resources.read(item, NEVER);
    assert.equal(before.ok, true);
    assert.equal(await resources.read(item, AbortSignal.abort()), before);
  });
});
