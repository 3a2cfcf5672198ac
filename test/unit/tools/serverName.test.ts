import assert from 'node:assert/strict';
import { offeredName, WORKSPACE_SERVER } from '../../../src/engine/tools/serverName.js';

const NAMES = ['read', '_read', '__read', 'log__read', '_log__read', '~read', '~_read', '_~read', ''];
const SERVERS = ['git', 'git_', 'git__', 'git__log', 'git_log', 'git~', 'git_~', 'git~_', 'git_~_log', '_', '__'];

describe('the name by which a model calls a tool', () => {
  it('is that of the tool behind that of its server, and the tool’s own where the tool is Loupe’s', () => {
    assert.equal(offeredName({ serverName: 'git_log', name: 'read' }), 'git_log__read');
    assert.equal(offeredName({ serverName: WORKSPACE_SERVER, name: 'read' }), 'read');
  });

  it('is never that of another tool, also where the names of servers and tools run into each other', () => {
    const all = SERVERS.flatMap((serverName) => NAMES.map((name) => offeredName({ serverName, name })));
    assert.equal(new Set(all).size, SERVERS.length * NAMES.length);
  });
});
