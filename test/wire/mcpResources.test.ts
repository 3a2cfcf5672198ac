import assert from 'node:assert/strict';
import type { ResourceBase } from '../../src/engine/record/item.js';
import { ServerResources } from '../../src/host/tools/resources/serverResources.js';
import { systemClock } from '../../src/host/window/systemPorts.js';
import { installed, McpRig, NEVER } from '../support/mcp/rig.js';

const START_MS = 30_000;

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
