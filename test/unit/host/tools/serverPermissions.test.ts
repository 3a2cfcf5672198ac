import assert from 'node:assert/strict';
import { ServerPermissions } from '../../../../src/host/tools/serverPermissions.js';
import type { StartRequest } from '../../../../src/tools/mcp/mcpPorts.js';

const asked = (identity: string): StartRequest => ({
  ...{ name: 'files', place: '.vscode/mcp.json', identity },
  launch: { type: 'stdio', line: 'npx files', cwd: null, given: [] },
});

const NEVER = new AbortController().signal;

describe('the leave of the user for servers of a workspace', () => {
  let kept: Map<string, unknown>;
  let leaves: ServerPermissions;
  let changes: number;

  const open = (): ServerPermissions => {
    const memory = {
      get: (key: string) => kept.get(key),
      update: (key: string, value: unknown) => {
        kept.set(key, value);
        return Promise.resolve();
      },
    };
    return new ServerPermissions(memory, assert.ifError);
  };

  beforeEach(() => {
    kept = new Map();
    leaves = open();
    changes = 0;
    leaves.onChange(() => {
      changes += 1;
    });
  });

  it('is asked for once for each command, and kept for other windows', async () => {
    const first = leaves.mayStart(asked('a'), NEVER);
    assert.deepEqual([leaves.question()?.id, leaves.question()?.line, changes], ['a', 'npx files', 1]);
    assert.equal(leaves.answer('a', true), true);
    assert.equal(await first, true);
    assert.deepEqual([leaves.question(), changes], [null, 2]);
    assert.equal(await leaves.mayStart(asked('a'), NEVER), true);
    assert.equal(await open().mayStart(asked('a'), NEVER), true);
    void leaves.mayStart(asked('another command'), NEVER);
    assert.equal(leaves.question()?.id, 'another command');
  });

  it('is not kept where it is refused', async () => {
    const first = leaves.mayStart(asked('a'), NEVER);
    leaves.answer('a', false);
    assert.equal(await first, false);
    void leaves.mayStart(asked('a'), NEVER);
    assert.equal(leaves.question()?.id, 'a');
  });

  it('is asked for one server after the other', async () => {
    const both = [leaves.mayStart(asked('a'), NEVER), leaves.mayStart(asked('b'), NEVER)];
    assert.equal(leaves.question()?.id, 'a');
    leaves.answer('a', false);
    assert.equal(leaves.question()?.id, 'b');
    leaves.answer('b', true);
    assert.deepEqual(await Promise.all(both), [false, true]);
    assert.equal(leaves.answer('b', true), false, 'it is not open any more');
  });

  it('is not needed any more when the server is stopped', async () => {
    const life = new AbortController();
    const first = leaves.mayStart(asked('a'), life.signal);
    life.abort();
    assert.equal(await first, false);
    assert.equal(leaves.question(), null);
    assert.equal(await leaves.mayStart(asked('a'), life.signal), false);
    assert.equal(leaves.question(), null);
  });

  it('is asked for anew where what was kept is not what Loupe wrote', () => {
    kept.set('mcp.allowed', { a: true });
    void leaves.mayStart(asked('a'), NEVER);
    assert.equal(leaves.question()?.id, 'a');
  });
});
