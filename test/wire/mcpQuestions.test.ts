import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { mock } from 'node:test';
import type { JsonObject } from '../../src/engine/json.js';
import type { ToolProgress } from '../../src/engine/ports.js';
import type { Elicit } from '../../src/tools/mcp/elicitation.js';
import type { McpServer } from '../../src/tools/mcp/mcpServer.js';
import { column, columns } from '../support/columns.js';
import { serveHttp, Shared } from '../support/mcp/newestServer.mjs';
import { callOptions, installed, McpRig, NEVER } from '../support/mcp/rig.js';
import { resumeTimers, stopTimers } from '../support/wire/stoppedTimers.js';

/** Starting the servers takes a second on a busy computer. */
const START_MS = 30_000;

const hostile = { command: process.execPath, args: [join(process.cwd(), 'test/support/mcp/hostileServer.mjs')] };

describe('a question of an MCP server', function () {
  this.timeout(START_MS);
  let rig: McpRig;

  beforeEach(() => {
    rig = new McpRig({});
  });

  afterEach(() => rig.servers.dispose());

  const text = async (server: McpServer, tool: string, args: JsonObject): Promise<string> => {
    const { content } = await server.call(tool, args, callOptions(new Map()));
    return content.map((item) => (item.type === 'text' ? item.text : item.type)).join('\n');
  };

  it('is a form with all kinds of fields, and the answer goes back', async () => {
    rig.elicit = () => Promise.resolve({ action: 'accept', content: { name: 'Ada', check: true, integer: 7, number: 1.5 } });
    const said = await text(rig.server(installed('everything')), 'trigger-elicitation-request', {});
    assert.match(said, /- Name: Ada\n- Agreed to terms: true\n- Favorite Integer: 7\n- Favorite Number: 1\.5/);
    const [request] = rig.questions;
    assert.ok(request?.kind === 'form');
    assert.equal(request.message, 'Please provide inputs for the following fields:');
    assert.deepEqual(columns(request.fields, 'name', 'type', 'isRequired'), [
      ['name', 'text', true],
      ['check', 'boolean', false],
      ['firstLine', 'text', false],
      ['email', 'text', false],
      ['homepage', 'text', false],
      ['birthdate', 'text', false],
      ['integer', 'number', false],
      ['number', 'number', false],
      ['untitledSingleSelectEnum', 'choice', false],
      ['untitledMultipleSelectEnum', 'choices', false],
      ['titledSingleSelectEnum', 'choice', false],
      ['titledMultipleSelectEnum', 'choices', false],
      ['legacyTitledEnum', 'choice', false],
    ]);
    assert.deepEqual(request.fields[11], {
      name: 'titledMultipleSelectEnum',
      title: 'Titled Multiple Select Enum',
      description: 'Choose your favorite types of fish',
      isRequired: false,
      type: 'choices',
      choices: [
        { value: 'fish-1', label: 'Tuna' },
        { value: 'fish-2', label: 'Salmon' },
        { value: 'fish-3', label: 'Trout' },
      ],
      minItems: 1,
      maxItems: 3,
      initial: ['fish-1'],
    });
  });

  it('may be declined, or closed', async () => {
    const server = rig.server(installed('everything'));
    rig.elicit = () => Promise.resolve({ action: 'decline' });
    assert.match(await text(server, 'trigger-elicitation-request', {}), /User declined/);
    rig.elicit = () => Promise.resolve({ action: 'cancel' });
    assert.match(await text(server, 'trigger-elicitation-request', {}), /User cancelled/);
  });

  it('may be a page to open, but only one of the web', async () => {
    const server = rig.server(installed('everything'));
    rig.elicit = () => Promise.resolve({ action: 'accept', content: {} });
    assert.match(await text(server, 'trigger-url-elicitation', { url: 'https://example.com/login' }), /User completed/);
    assert.deepEqual(rig.questions, [
      { kind: 'url', message: 'Please open the link to complete this action.', url: 'https://example.com/login', finished: null },
    ]);
    assert.match(await text(server, 'trigger-url-elicitation', { url: 'file:///etc/passwd' }), /User declined/);
    assert.equal(rig.questions.length, 1);
  });

  it('in place of a result has the call made again when the page is done', async () => {
    const server = rig.server(installed('everything'));
    rig.elicit = () => Promise.resolve({ action: 'accept', content: {} });
    const args = { url: 'https://example.com/login', errorPath: true };
    assert.match(await text(server, 'trigger-url-elicitation', args), /User completed/);
    const finished = rig.questions.map((request) => request.kind === 'url' && request.finished !== null);
    assert.deepEqual(finished, [true, false]);
    rig.elicit = () => Promise.resolve({ action: 'decline' });
    const { isError, content } = await server.call('trigger-url-elicitation', args, callOptions(new Map()));
    assert.equal(isError, true);
    assert.match(JSON.stringify(content), /browser-based authorization/);
  });

  it('of the newest revision comes with a result, and the answer with the next call', async () => {
    const peer = await serveHttp(new Shared());
    rig.elicit = () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } });
    assert.equal(await text(rig.server({ url: peer.url }), 'greet', {}), 'accept Ada');
    rig.elicit = () => Promise.resolve({ action: 'decline' });
    assert.equal(await text(rig.only(), 'greet', {}), 'decline ');
    await rig.servers.dispose();
    await peer.close();
  });

  it('stops the clock of the call', async () => {
    rig = new McpRig({ silentCallMs: 500, longestCallMs: 600 });
    rig.elicit = () => {
      mock.timers.tick(1_200);
      return Promise.resolve({ action: 'accept', content: { name: 'Ada' } });
    };
    stopTimers();
    try {
      assert.match(await text(rig.server(hostile), 'ask', {}), /"name":"Ada"/);
    } finally {
      resumeTimers();
    }
  });

  it('is told with its call, as long as it is there', async () => {
    const progress: ToolProgress[] = [];
    rig.elicit = () => Promise.resolve({ action: 'decline' });
    const options = { ...callOptions(new Map()), onProgress: (told: ToolProgress) => void progress.push(told) };
    await rig.server(hostile).call('ask', {}, options);
    const base = { done: 0, total: null, text: null };
    assert.deepEqual(progress, [
      { ...base, asks: true },
      { ...base, asks: false },
    ]);
  });

  it('closes when its call is stopped', async () => {
    const stop = new AbortController();
    const asked = new Promise<AbortSignal>((resolve) => {
      rig.elicit = (_name, _request, signal) => {
        resolve(signal);
        // This dialog never closes.
        return new Promise(() => undefined);
      };
    });
    const server = rig.server(hostile);
    const call = server.call('ask', {}, { ...callOptions(new Map()), signal: stop.signal });
    const signal = await asked;
    const closed = once(signal, 'abort');
    stop.abort(new Error('stopped by the user'));
    await assert.rejects(call, /stopped by the user/);
    await closed;
  });

  it('that cannot be shown is cancelled, and the failure is reported', async () => {
    const broken: Elicit = () => Promise.reject(new Error('no window'));
    rig.elicit = broken;
    const server = rig.server(hostile);
    await server.start(NEVER);
    assert.match(await text(server, 'ask', {}), /"action":"cancel"/);
    assert.deepEqual(column(rig.errors, 'message'), ['Loupe failed unexpectedly: no window']);
  });
});
