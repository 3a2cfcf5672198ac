import assert from 'node:assert/strict';
import { PromptFinder } from '../../src/host/tools/prompts/promptFinder.js';
import type { Mentions } from '../../src/protocol/panel/mentions.js';
import { systemClock } from '../../src/host/window/systemPorts.js';
import { installed, McpRig, NEVER } from '../support/mcp/rig.js';
import { rejection } from '../support/rejection.js';
import { cancel, pick, ScriptedWizard, type, type Action } from '../unit/host/providers/scriptedWizard.js';

const START_MS = 30_000;

describe('the prompts of a real MCP server, in the message box', function () {
  this.timeout(START_MS);
  let rig: McpRig;
  let told: Mentions[];

  beforeEach(() => {
    rig = new McpRig({});
    told = [];
  });

  afterEach(() => rig.servers.dispose());

  const finder = (...script: readonly Action[]): PromptFinder =>
    new PromptFinder({
      configured: () => Promise.resolve(),
      servers: () => rig.servers.servers(),
      clock: systemClock,
      tell: (mentions) => told.push(mentions),
      questions: new ScriptedWizard(script),
      slowly: (work) => work(new AbortController().signal),
    });

  it('start no server while the user types, and are told once one that runs has answered', async () => {
    const server = rig.server(installed('everything'));
    const found = finder();
    await found.find('');
    assert.equal(server.status, 'stopped');
    assert.deepEqual(
      told.map(({ rows }) => rows.map(({ kind, key }) => [kind, key])),
      [[['server', 'tested']]],
    );
    await server.start(NEVER);
    await found.find('');
    assert.deepEqual(
      told.slice(1).map(({ rows, notes }) => [rows.length, notes]),
      [
        [0, ['Asking tested for its prompts…']],
        [4, []],
      ],
    );
    await found.find('args');
    assert.deepEqual(
      told.slice(3).map(({ mark, text, rows }) => [mark, text, rows.map(({ name, about }) => `${name} | ${about}`)]),
      [['/', 'args', ['tested:args-prompt | Arguments Prompt: A prompt with two arguments, one required and one optional']]],
    );
  });

  it('become text with what the user fills in', async () => {
    await rig.server(installed('everything')).start(NEVER);
    const found = finder(type('Oslo'), type(''), pick('Sales'), pick('Eve'), type('Oslo'), cancel);
    await found.find('');
    assert.deepEqual(await found.fill('prompt:tested/args-prompt'), { text: "What's weather in Oslo?", skipped: [] });
    const promoted = await found.fill('prompt:tested/completable-prompt');
    assert.equal(promoted?.text, 'Please promote Eve to the head of the Sales team.');
    assert.equal(await found.fill('prompt:tested/args-prompt'), null);
  });

  it('keep the text of a resource, and name one that has none', async () => {
    await rig.server(installed('everything')).start(NEVER);
    const found = finder(pick('Text'), type('1'), pick('Blob'), type('2'));
    await found.find('');
    const text = await found.fill('prompt:tested/resource-prompt');
    assert.match(text?.text ?? '', /following resource:\n\ndemo:\/\/resource\/dynamic\/text\/1\nResource 1/);
    const blob = await found.fill('prompt:tested/resource-prompt');
    assert.match(blob?.skipped.join() ?? '', /^demo:\/\/resource\/dynamic\/blob\/2 \(.+ KiB\)$/);
  });

  it('fail in words', async () => {
    await rig.server(installed('everything')).start(NEVER);
    const found = finder(pick('Text'), type('not a number'));
    await found.find('');
    assert.match(
      (await rejection(found.fill('prompt:tested/resource-prompt'))).message,
      /^The server "tested" answered with an error: .*Invalid resourceId/,
    );
    assert.equal((await rejection(found.fill('prompt:tested/no-such'))).message, 'The server no longer has this prompt.');
    await rig.server({ command: 'no-such-command-of-loupe' }).start(NEVER);
    await found.find('');
    assert.deepEqual(told.at(-1)?.notes, [
      'tested: The command "no-such-command-of-loupe" was not found. Install it, or correct "command".',
    ]);
  });
});
