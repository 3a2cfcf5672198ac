import fc from 'fast-check';
import type { OfferedTool } from '../../../src/engine/request/gather.js';
import { offeredName, WORKSPACE_SERVER } from '../../../src/engine/tools/serverName.js';

/*
 * Tools as servers and extensions offer them: several servers with a tool of one name, names that run into each other or that
 * no protocol takes, no description, and schemas that say little.
 */

/** Of Loupe, of MCP servers, whose names are keys of a file, and of extensions. */
const SERVERS = [WORKSPACE_SERVER, 'files', 'git', 'git__log', 'git_', 'a b', 'publisher.extension', 'dépôt', 's'.repeat(100)];

const NAMES = ['read', 'write', 'log__read', '_log__read', '_read', '__read', 'read file', 'fs.read', 'ä', '', 'r'.repeat(130)];

const SCHEMAS = [
  { type: 'object', properties: { path: { type: 'string' } }, required: ['path'], additionalProperties: false },
  { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {} },
  { properties: { path: {} } },
  {},
];

export const anyTool: fc.Arbitrary<OfferedTool> = fc
  .record({
    serverName: fc.constantFrom(...SERVERS),
    name: fc.constantFrom(...NAMES),
    description: fc.constantFrom('', ' ', 'Does things.', 'Reads.\n\ud800\u200b'),
    schema: fc.constantFrom(...SCHEMAS),
  })
  .map(({ serverName, name, description, schema }) => ({
    key: `tool:${serverName}/${name}`,
    definition: { type: 'toolDefinition', name: offeredName({ serverName, name }), description, schema, isRetired: false },
  }));

/** The tools that one request offers. */
export const anyTools = fc.uniqueArray(anyTool, { selector: ({ key }) => key, maxLength: 5 });
