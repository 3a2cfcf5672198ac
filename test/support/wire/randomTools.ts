import fc from 'fast-check';
import type { OfferedTool } from '../../../src/engine/request/gather.js';
import { sentToolNames } from '../../../src/engine/record/toolNames.js';
import { offeredName, WORKSPACE_SERVER } from '../../../src/engine/tools/serverName.js';
import { ANTHROPIC_CAPABILITIES } from '../../../src/providers/anthropic/defaults.js';
import { sha256 } from '../engine/ports.js';

/* Random tools of servers and extensions: colliding or invalid names, missing descriptions, small schemas. */

/** Servers: Loupe's own, MCP servers (keys in a file), and extensions. */
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

export const anyTools = fc.uniqueArray(anyTool, { selector: ({ key }) => key, maxLength: 5 });

/** A Loupe tool with the name that the Messages API would get for another tool. Null when that keeps its name. */
function namesakeOf({ definition }: OfferedTool): OfferedTool | null {
  const [renamed] = sentToolNames(new Set([definition.name]), ANTHROPIC_CAPABILITIES.toolNames, sha256);
  return renamed === undefined ? null : { key: `tool:${WORKSPACE_SERVER}/${renamed[1]}`, definition: { ...definition, name: renamed[1] } };
}

/** The tools of a chat. In a third of the chats each has its namesake. */
export const anyToolPool = fc
  .record({ tools: fc.uniqueArray(anyTool, { selector: ({ key }) => key, minLength: 2, maxLength: 5 }), hasNamesakes: fc.nat(2) })
  .map(({ tools, hasNamesakes }) => (hasNamesakes === 0 ? [...tools, ...tools.flatMap((tool) => namesakeOf(tool) ?? [])] : tools));
