import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoupeError } from '../../../src/engine/errors.js';
import { configuredSecrets } from '../../../src/tools/mcp/configuredSecrets.js';
import { parseMcpConfig } from '../../../src/tools/mcp/config/mcpConfig.js';
import { inputKey } from '../../../src/tools/mcp/resolveLaunch.js';
import { column } from '../../support/columns.js';
import { sha256 } from '../../support/mcp/rig.js';

const INPUTS = [
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
      [{ place: 'mcp.json', isOwn: false, folder, content: { servers: { docs: entry }, inputs: INPUTS } }],
      sha256,
    ).servers;
    assert.ok(server !== undefined);
    const kept = new Map(Object.entries(entered).map(([id, value]) => [inputKey(server.identity, id, { sha256 }), value]));
    const found = await configuredSecrets(server, {
      sha256,
      environment: { TIDES_TOKEN: 'of-the-environment', REGION: 'eu' },
      home: '/home/me',
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
