import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { parseMcpConfig } from '../../../src/tools/mcp/config/mcpConfig.js';
import type { McpInput } from '../../../src/tools/mcp/config/mcpInputs.js';
import { resolveLaunch, type ResolvedLaunch, inputKey } from '../../../src/tools/mcp/resolveLaunch.js';
import { columns, column } from '../../support/columns.js';
import { NEVER, sha256 } from '../../support/mcp/rig.js';
import { rejection } from '../../support/rejection.js';
import type { LoupeError } from '../../../src/engine/errors.js';
import { configuredSecrets } from '../../../src/tools/mcp/configuredSecrets.js';

const INPUTS = [
  { id: 'token', type: 'promptString', password: true, description: 'The token' },
  { id: 'level', type: 'pickString', options: ['low', { label: 'High', value: 'high' }], default: 'low' },
];

describe('what a configured MCP server is started with', () => {
  let folder: string;
  let kept: Map<string, string>;
  let asked: McpInput[];
  let answers: Record<string, string | null>;
  let environment: Record<string, string | undefined>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-launch-'));
    kept = new Map();
    asked = [];
    answers = { token: 'sk-very-secret-99', level: 'high' };
    environment = { PATH: '/bin', HOME: '/home/me', EDITOR_KEY: 'not for servers', REGION: 'eu' };
  });

  afterEach(() => rm(folder, { recursive: true }));

  const resolve = async (entry: object): Promise<ResolvedLaunch> => {
    const source = { place: 'mcp.json', isOwn: false, folder, content: { servers: { docs: entry }, inputs: INPUTS } };
    const { servers, mistakes } = parseMcpConfig([source], { sha256, environment });
    assert.ok(
      mistakes.every(({ text }) => text.includes('not set')),
      'an unset variable is the only remark',
    );
    const [server] = servers;
    assert.ok(server !== undefined);
    return resolveLaunch(
      server,
      {
        sha256,
        environment,
        home: '/home/me',
        setting: (key) => (key === 'tides.port' ? '8080' : null),
        folderNamed: (name) => (name === 'docs' ? '/work/docs' : null),
        inputs: {
          get: (key) => Promise.resolve(kept.get(key) ?? null),
          keep: (key, value) => Promise.resolve(void kept.set(key, value)),
          forget: (key) => Promise.resolve(void kept.delete(key)),
          ask: (_server, input) => {
            asked.push(input);
            return Promise.resolve(answers[input.id] ?? null);
          },
        },
      },
      NEVER,
    );
  };

  it('has the values of all variables, and a value is no variable itself', async () => {
    environment['REGION'] = '${userHome}';
    const { launch } = await resolve({
      command: '${workspaceFolder}/run',
      args: ['--in=${workspaceFolderBasename}', '${env:REGION}', '${input:level}'],
      env: { AT: '${userHome}/x', HOME: null },
      cwd: 'sub',
    });
    assert.deepEqual(launch, {
      type: 'stdio',
      command: `${folder}/run`,
      args: [`--in=${folder.split('/').at(-1) ?? ''}`, '${userHome}', 'high'],
      env: { PATH: '/bin', AT: '/home/me/x' },
      cwd: join(folder, 'sub'),
    });
  });

  it('has the variables of VS Code, of its settings and of other folders, and those of Claude Code', async () => {
    const { launch } = await resolve({
      command: '~/bin/tides',
      args: [
        '${config:tides.port}',
        '${workspaceFolder:docs}${pathSeparator}a',
        '${workspaceFolderBasename:docs}',
        '${REGION}',
        '${ZONE:-a b}',
      ],
      cwd: '~',
    });
    assert.deepEqual(launch, {
      type: 'stdio',
      command: '/home/me/bin/tides',
      args: ['8080', `/work/docs${sep}a`, 'docs', 'eu', 'a b'],
      env: { PATH: '/bin', HOME: '/home/me' },
      cwd: '/home/me',
    });
  });

  it('lets the server reach the internet through a proxy', async () => {
    Object.assign(environment, { https_proxy: 'http://proxy:3128', NODE_EXTRA_CA_CERTS: '/ca.pem' });
    const { launch } = await resolve({ command: 'x' });
    assert.deepEqual(launch.type === 'stdio' && launch.env, {
      ...{ PATH: '/bin', HOME: '/home/me' },
      ...{ https_proxy: 'http://proxy:3128', NODE_EXTRA_CA_CERTS: '/ca.pem' },
    });
  });

  it('gets an empty text for a variable that is not set', async () => {
    const { launch } = await resolve({ command: 'x', args: ['--x=${env:GONE}', '${GONE}'] });
    assert.deepEqual(launch.type === 'stdio' && launch.args, ['--x=', '']);
  });

  it('replaces variables in the client id of a sign-in', async () => {
    const { launch } = await resolve({ url: 'https://mcp.example', oauth: { clientId: '${input:token}', callbackPort: 8080 } });
    assert.deepEqual(launch.type === 'http' && launch.oauth, { clientId: 'sk-very-secret-99', callbackPort: 8080 });
  });

  it('asks for an input once, and keeps it for this configuration only', async () => {
    const entry = { url: 'https://mcp.example', headers: { Authorization: 'Bearer ${input:token}' } };
    await resolve(entry);
    const { launch } = await resolve(entry);
    assert.deepEqual(launch, {
      type: 'http',
      url: 'https://mcp.example',
      headers: { Authorization: 'Bearer sk-very-secret-99' },
      oauth: null,
    });
    assert.deepEqual(columns(asked, 'id', 'description', 'isPassword'), [['token', 'The token', true]]);
    await resolve({ ...entry, url: 'https://other.example' });
    assert.equal(asked.length, 2);
    assert.ok([...kept.keys()].every((key) => /^[0-9a-f]{64}$/.test(key)));
  });

  it('offers what may be picked', async () => {
    await resolve({ command: 'x', args: ['${input:level}'] });
    assert.deepEqual(
      [asked[0]?.options, asked[0]?.initial],
      [
        [
          { label: 'low', value: 'low' },
          { label: 'High', value: 'high' },
        ],
        'low',
      ],
    );
  });

  it('takes variables from a file, below those of "env"', async () => {
    await writeFile(join(folder, '.env'), 'A=1\n# a comment\nB="two words"\nAPI_KEY=from-the-file-42\n');
    const { launch, secrets } = await resolve({ command: 'x', envFile: '.env', env: { A: '9' } });
    assert.deepEqual(launch.type === 'stdio' ? launch.env : null, {
      PATH: '/bin',
      HOME: '/home/me',
      A: '9',
      B: 'two words',
      API_KEY: 'from-the-file-42',
    });
    assert.equal(secrets.redact('the key from-the-file-42 and two words'), 'the key [key] and two words');
  });

  it('is known to be secret where it was entered as a password, or where its name says so', async () => {
    environment['GITHUB_TOKEN'] = 'ghp_0123456789';
    const { secrets } = await resolve({
      command: 'x',
      args: ['${input:token}', '${env:GITHUB_TOKEN}', '${input:level}'],
      env: { MY_SECRET: 'hush-hush-77', LEVEL: 'high' },
    });
    assert.equal(secrets.redact('sk-very-secret-99 ghp_0123456789 hush-hush-77 high /bin'), '[key] [key] [key] high /bin');
    const web = await resolve({ url: 'https://a.example', headers: { Authorization: 'Bearer abcd-efgh-1234', Accept: 'text/plain' } });
    assert.equal(web.secrets.redact('abcd-efgh-1234 text/plain'), '[key] text/plain');
  });

  it('is refused in words where something is missing', async () => {
    answers['token'] = null;
    const cases: readonly (readonly [object, string])[] = [
      [{ command: '${input:token}' }, 'The input "token" of the server has no value. Start the server again to enter a value.'],
      [{ command: '${config:tides.gone}' }, 'The server needs the setting "tides.gone" of VS Code, which has no text or number.'],
      [{ command: '${workspaceFolder:gone}' }, 'The server needs the workspace folder "gone", which is not open.'],
      [{ command: 'x', envFile: 'none.env' }, `Loupe could not read ${join(folder, 'none.env')} (ENOENT). Correct "envFile".`],
      [
        { url: '${env:REGION}' },
        'With the values of its variables, "url" of the server is not a valid web address. Correct "url" or the variables.',
      ],
      [
        { url: 'https://a.example', headers: { Bad: 'a\nb' } },
        'The header "Bad" has an invalid name or value. Correct it in the configuration.',
      ],
    ];
    for (const [entry, sentence] of cases) {
      assert.equal((await rejection(resolve(entry))).message, sentence);
    }
  });
});

const SECRET_INPUTS = [
  { id: 'token', type: 'promptString', password: true, description: 'The token' },
  { id: 'level', type: 'promptString', description: 'The level' },
];

describe('the secrets of a configured MCP server', () => {
  let folder: string;
  let errors: LoupeError[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-secrets-'));
    errors = [];
  });

  afterEach(() => rm(folder, { recursive: true }));

  const secrets = async (entry: object, entered: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const [server] = parseMcpConfig(
      [{ place: 'mcp.json', isOwn: false, folder, content: { servers: { docs: entry }, inputs: SECRET_INPUTS } }],
      { sha256, environment: {} },
    ).servers;
    assert.ok(server !== undefined);
    const kept = new Map(Object.entries(entered).map(([id, value]) => [inputKey(server.identity, id, { sha256 }), value]));
    const found = await configuredSecrets(server, {
      sha256,
      environment: { TIDES_TOKEN: 'of-the-environment', REGION: 'eu' },
      home: '/home/me',
      setting: (key) => (key === 'tides.token' ? 'of-the-settings' : null),
      folderNamed: () => null,
      inputs: {
        get: (key) => Promise.resolve(kept.get(key) ?? null),
        keep: () => assert.fail('nothing is kept'),
        forget: () => assert.fail('nothing is forgotten'),
        ask: () => assert.fail('nothing is asked'),
      },
      reportError: (error) => errors.push(error),
    });
    return [...new Set(found)].toSorted();
  };

  it('are what was entered as a password, and headers and variables that are secret by their names', async () => {
    const http = { url: 'https://tides.example', headers: { Authorization: 'Bearer ${input:token}', 'X-Level': '${input:level}' } };
    assert.deepEqual(await secrets(http, { token: 'entered-one', level: 'high' }), ['Bearer entered-one', 'entered-one']);
    const stdio = { command: 'tides', args: ['${env:TIDES_TOKEN}', '${env:REGION}'], env: { API_KEY: 'written-there', MODE: 'quick' } };
    assert.deepEqual(await secrets(stdio, {}), ['of-the-environment', 'written-there']);
    assert.deepEqual(await secrets({ command: 'tides', args: ['${config:tides.token}'] }, {}), ['of-the-settings']);
  });

  it('are those of its file, and without the file the others', async () => {
    const entry = { command: 'tides', env: { API_KEY: 'written-there' }, envFile: '${workspaceFolder}/tides.env' };
    await writeFile(join(folder, 'tides.env'), 'TIDES_SECRET=of-the-file\nMODE=quick\n');
    assert.deepEqual(await secrets(entry, {}), ['of-the-file', 'written-there']);
    await rm(join(folder, 'tides.env'));
    assert.deepEqual(await secrets(entry, {}), ['written-there']);
    assert.deepEqual(column(errors, 'code'), ['mcp.envFile']);
  });

  it('are none of what was not entered', async () => {
    const entry = { url: 'https://tides.example', headers: { 'X-Api-Key': '${input:token}', Authorization: 'Bearer ${input:token}' } };
    assert.deepEqual(await secrets(entry, {}), []);
  });
});
