import assert from 'node:assert/strict';
import { parseMcpConfig, type McpConfig, type McpSource } from '../../../src/tools/mcp/config/mcpConfig.js';
import { parseMcpFile } from '../../../src/tools/mcp/config/mcpFile.js';
import { column, columns } from '../../support/columns.js';
import { sha256 } from '../../support/mcp/rig.js';

const FILE = '.vscode/mcp.json';
const file = (content: unknown): McpSource => ({ place: FILE, isOwn: false, folder: '/work/space', content });
const settings = (content: unknown): McpSource => ({ place: 'loupe.mcpServers', isOwn: false, folder: '/work/space', content });
const parse = (...sources: readonly McpSource[]): { servers: McpConfig['servers']; mistakes: readonly string[] } => {
  const { servers, mistakes } = parseMcpConfig(sources, { sha256, environment: { REGION: 'eu' } });
  return { servers, mistakes: mistakes.map(({ text }) => text) };
};
const mistakesOf = (entry: unknown, inputs: unknown): readonly string[] => parse(file({ servers: { docs: entry }, inputs })).mistakes;

describe('the configuration of MCP servers', () => {
  it('has servers that are processes, and servers that are elsewhere', () => {
    const content = parseMcpFile(`{
      // The comments and commas of VS Code's files.
      "servers": {
        "files": { "command": "npx", "args": ["-y", "files@1"], "env": { "LEVEL": 3, "HOME": null }, "envFile": ".env", "cwd": "sub" },
        "web": { "type": "http", "url": "https://mcp.example/mcp", "headers": { "Authorization": "Bearer \${input:token}" } },
      },
      "inputs": [{ "id": "token", "type": "promptString", "password": true, "description": "Token of the web server" }],
    }`);
    const { servers, mistakes } = parse(file(content));
    assert.deepEqual(mistakes, []);
    assert.deepEqual(columns(servers, 'name', 'launch'), [
      ['files', { type: 'stdio', command: 'npx', args: ['-y', 'files@1'], env: { LEVEL: '3', HOME: null }, envFile: '.env', cwd: 'sub' }],
      ['web', { type: 'http', url: 'https://mcp.example/mcp', headers: { Authorization: 'Bearer ${input:token}' }, oauth: null }],
    ]);
    assert.deepEqual(
      servers.map(({ inputs }) => [...inputs.keys()]),
      [[], ['token']],
    );
  });

  it('may be missing or empty', () => {
    assert.deepEqual(parse(file(undefined), settings({}), file(parseMcpFile(' \n'))), { servers: [], mistakes: [] });
  });

  it('that is no JSON is named with the line', () => {
    for (const [text, line] of [
      ['{\n"servers": {\n}}}', 3],
      ['nonsense', 1],
      ['['.repeat(200_000), 1],
      ['{"a": "b', 1],
    ] as const) {
      assert.deepEqual(parse(file(parseMcpFile(text))).mistakes, [
        `${FILE}: Line ${line} is not valid JSON, so Loupe ignores its servers.`,
      ]);
    }
  });

  it('has the place of each mistake, and the line of one that is no JSON', () => {
    const { mistakes } = parseMcpConfig([settings([]), file(parseMcpFile('{\n"servers": {\n}}}'))], { sha256, environment: {} });
    assert.deepEqual(columns(mistakes, 'place', 'line'), [
      ['loupe.mcpServers', null],
      [FILE, 3],
    ]);
  });

  it('of another shape is named, and the rest works', () => {
    const cases: readonly (readonly [unknown, readonly string[]])[] = [
      [[], ['The content must be an object with "servers".']],
      [{ servers: [] }, ['"servers" must be an object with a server under each name.']],
      [{ servers: {}, inputs: {} }, ['"inputs" must be a list.']],
      [{ mcpServers: [] }, ['"mcpServers" must be an object with a server under each name.']],
      [{ server: {} }, ['Loupe does not know "server" and ignores it.']],
    ];
    for (const [content, sentences] of cases) {
      assert.deepEqual(
        parse(file(content)).mistakes,
        sentences.map((sentence) => `${FILE}: ${sentence}`),
      );
    }
    const mixed = parse(file({ servers: { bad: { command: 5 }, good: { command: 'good' } } }));
    assert.deepEqual([column(mixed.servers, 'name'), mixed.mistakes], [['good'], [`${FILE}, server "bad": "command" must be a string.`]]);
  });

  it('names each wrong member of a server, and never quotes a value', () => {
    const cases: readonly (readonly [unknown, string])[] = [
      ['text', 'A server must be an object with "command" or "url".'],
      [{}, 'The server needs "command" or "url".'],
      [{ type: 'http' }, 'The server needs "url".'],
      [{ type: 'stdio' }, 'The server needs "command".'],
      [{ type: 'socket', command: 'a' }, '"type" must be "stdio", "http" or "sse".'],
      [{ type: 'sse', command: 'a' }, 'The server needs "url".'],
      [{ command: ' ' }, '"command" must be a string.'],
      [{ command: 'a', args: 'secret' }, '"args" must be a list of strings.'],
      [{ command: 'a', args: ['x', null] }, '"args" must be a list of strings.'],
      [{ command: 'a', env: { A: [] } }, '"env" must be an object of strings.'],
      [{ command: 'a', cwd: 1 }, '"cwd" must be a string.'],
      [{ command: 'a', envFile: [] }, '"envFile" must be a string.'],
      [{ url: 'ftp://a' }, '"url" must begin with https:// or http://.'],
      [{ url: 'https://a', headers: { A: null } }, '"headers" must be an object of strings.'],
      ...[{ clientId: 5 }, { clientId: ' ' }, { callbackPort: '80' }, { callbackPort: 70_000 }, 'id'].map(
        (oauth) =>
          [{ url: 'https://a', oauth }, '"oauth" must be an object with "clientId" (a string) or "callbackPort" (a port number).'] as const,
      ),
      [{ command: 'a', sandboxEnabled: true }, 'The server requires a sandbox. Loupe has no sandbox, so it does not start the server.'],
      [{ command: 'a', url: 'https://a' }, 'Loupe does not know "url" for the type "stdio" and ignores it.'],
      [{ command: 'a', extra: 1 }, 'Loupe does not know "extra" for the type "stdio" and ignores it.'],
      [{ command: '${relativeFile}' }, '"command" contains ${relativeFile}, a variable that Loupe does not know.'],
      [{ command: '${env:GONE}' }, '"command" names the environment variable GONE, which is not set. Loupe uses an empty text.'],
      [{ command: 'a', args: ['${GONE}'] }, '"args" names the environment variable GONE, which is not set. Loupe uses an empty text.'],
      [{ command: 'a', args: ['${command:x}'] }, '"args" contains ${command:x}, a variable that Loupe does not know.'],
      [{ url: 'https://a', headers: { A: '${input:b}' } }, '"headers" names the input "b", but "inputs" does not define it correctly.'],
    ];
    for (const [entry, sentence] of cases) {
      assert.deepEqual(mistakesOf(entry, undefined), [`${FILE}, server "docs": ${sentence}`]);
    }
  });

  it('has servers in the notations of VS Code, Claude Code and Cursor', () => {
    const content = {
      mcpServers: {
        ports: { command: 'serve', args: ['--port', 8080, '${REGION}', '${ZONE:-a}'], env: { DEBUG: true }, alwaysAllow: ['x'] },
        off: { command: 'serve', disabled: true },
        old: { type: 'sse', url: 'https://a/sse', headers: { Version: 1 } },
      },
      servers: Object.fromEntries(
        ['http', 'streamable-http', 'streamableHttp', 'streamable_http'].map((type) => [type, { type, url: 'https://a/mcp' }]),
      ),
    };
    const { servers, mistakes } = parse(file(content));
    assert.deepEqual(mistakes, []);
    assert.deepEqual(column(servers, 'name'), ['http', 'streamable-http', 'streamableHttp', 'streamable_http', 'ports', 'old']);
    assert.deepEqual(
      servers.slice(-2).map(({ launch }) => launch),
      [
        {
          ...{ type: 'stdio', command: 'serve', args: ['--port', '8080', '${REGION}', '${ZONE:-a}'], env: { DEBUG: 'true' } },
          ...{ envFile: null, cwd: null },
        },
        { type: 'http', url: 'https://a/sse', headers: { Version: '1' }, oauth: null },
      ],
    );
  });

  it('reads the client of a sign-in as VS Code and Claude Code write it', () => {
    const oauth = (value: object): object => ({ url: 'https://a', oauth: value });
    const { servers, mistakes } = parse(file({ servers: { id: oauth({ clientId: 'x', other: 1 }), port: oauth({ callbackPort: 8080 }) } }));
    assert.deepEqual(mistakes, []);
    assert.deepEqual(
      servers.map(({ launch }) => launch.type === 'http' && launch.oauth),
      [
        { clientId: 'x', callbackPort: null },
        { clientId: null, callbackPort: 8080 },
      ],
    );
  });

  it('has a server once that several files have', () => {
    const docs = { command: 'docs' };
    const { servers, mistakes } = parse(file({ servers: { docs } }), { ...file({ mcpServers: { docs } }), place: '.mcp.json' });
    assert.deepEqual([column(servers, 'place'), mistakes], [[FILE], []]);
  });

  it('names each wrong input', () => {
    const cases: readonly (readonly [unknown, string])[] = [
      [{ type: 'promptString' }, `${FILE}: inputs[0] needs an "id".`],
      [{ id: 'a' }, `${FILE}, input "a": "type" must be "promptString" or "pickString".`],
      [
        { id: 'a', type: 'command', command: 'rm' },
        `${FILE}, input "a": Loupe does not support the type "command", which runs a command of VS Code. Use "promptString" or "pickString".`,
      ],
      [{ id: 'a', type: 'promptString', password: 'yes' }, `${FILE}, input "a": "password" must be true or false.`],
      [{ id: 'a', type: 'promptString', default: 1 }, `${FILE}, input "a": "description" and "default" must be strings.`],
      [{ id: 'a', type: 'pickString' }, `${FILE}, input "a": "options" must be a list of strings, with at least one.`],
      [{ id: 'a', type: 'pickString', options: ['x', 1] }, `${FILE}, input "a": "options" must be a list of strings, with at least one.`],
    ];
    for (const [input, sentence] of cases) {
      assert.deepEqual(mistakesOf({ command: 'a' }, [input]), [sentence]);
    }
    const twice = { id: 'a', type: 'promptString' };
    assert.deepEqual(mistakesOf({ command: 'a' }, [twice, twice]), [
      `${FILE}, input "a": Another input has the same "id". Loupe uses only the first one.`,
    ]);
  });

  it('refuses names that cannot be shown', () => {
    for (const name of ['', ' ', 'a\nb', 'a\u202eb', 'x'.repeat(101)]) {
      const { servers, mistakes } = parse(file({ servers: { [name]: { command: 'a' } } }));
      assert.equal(servers.length, 0);
      assert.match(mistakes[0] ?? '', /A name must have 1 to 100 characters, without line breaks and other hidden ones\.$/);
    }
  });

  it('prefers the user to the workspace where both have a server of one name', () => {
    const { servers, mistakes } = parse(
      settings({ servers: { docs: { command: 'mine' } } }),
      file({ servers: { docs: { command: 'theirs' } } }),
    );
    assert.deepEqual(
      servers.map(({ place, launch }) => [place, launch.type === 'stdio' ? launch.command : '']),
      [['loupe.mcpServers', 'mine']],
    );
    assert.deepEqual(mistakes, [`${FILE}: A server named "docs" is also in loupe.mcpServers. Loupe uses that server. Rename this one.`]);
  });

  it('knows no workspace folder where none is open', () => {
    const { servers, mistakes } = parse({ ...settings({ servers: { a: { command: '${workspaceFolder}/a' } } }), folder: null });
    assert.deepEqual(
      [servers, mistakes],
      [[], ['loupe.mcpServers, server "a": "command" needs a workspace folder, but no folder is open.']],
    );
  });

  it('gives a server another identity when anything of it changes, and only then', () => {
    const inputs = [
      { id: 'a', type: 'promptString' },
      { id: 'b', type: 'promptString' },
    ];
    const identity = (entry: object, own: unknown, source: typeof file): string | undefined =>
      parse(source({ servers: { docs: entry }, inputs: own })).servers[0]?.identity;
    const first = identity({ command: 'x', args: ['${input:a}'], env: { A: '1', B: '2' } }, inputs, file);
    assert.equal(identity({ env: { B: '2', A: '1' }, args: ['${input:a}'], command: 'x' }, [inputs[0]], file), first);
    const others = [
      identity({ command: 'y', args: ['${input:a}'], env: { A: '1', B: '2' } }, inputs, file),
      identity({ command: 'x', args: ['${input:b}'], env: { A: '1', B: '2' } }, inputs, file),
      identity({ command: 'x', args: ['${input:a}'], env: { A: '1', B: '2' } }, [{ id: 'a', type: 'promptString', password: true }], file),
      identity({ command: 'x', args: ['${input:a}'], env: { A: '1', B: '2' } }, inputs, settings),
    ];
    assert.equal(new Set([first, ...others]).size, 5);
  });
});
