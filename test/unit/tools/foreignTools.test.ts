import { isObject, type JsonObject } from '../../../src/engine/json.js';
import { readTools } from '../../../src/tools/mcp/foreignTools.js';
import { readsOneBadAmongThreeGood } from '../../support/oneBad.js';

const good = (name: string): JsonObject => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object', properties: { a: {} } } });
const bad = good('bad');

function nested(levels: number): JsonObject {
  let schema: JsonObject = { type: 'object' };
  for (let level = 0; level < levels; level += 1) schema = { type: 'object', properties: { a: schema } };
  return schema;
}

describe('the tools of an MCP server', () => {
  readsOneBadAmongThreeGood<JsonObject>({
    good,
    bad: {
      'outputSchema {}': { ...bad, outputSchema: {} },
      'description null': { ...bad, description: null },
      'annotations null': { ...bad, annotations: null },
      'required null': { ...bad, inputSchema: { type: 'object', required: null } },
      'properties null': { ...bad, inputSchema: { type: 'object', properties: null } },
      'no inputSchema': { name: 'bad' },
      'a string as type': { ...bad, inputSchema: { type: 'string' } },
      'an unknown type': { ...bad, inputSchema: { type: 'object', properties: { a: { type: 'any' } } } },
      'a bad icon': { ...bad, icons: [7] },
      'a schema of 20,000 levels': { ...bad, inputSchema: nested(20_000) },
    },
    read: (items) => {
      const said: string[] = [];
      const read = readTools(items, 'the server', (text) => said.push(text));
      const values = new Map(read.flatMap((tool) => (isObject(tool) && typeof tool['name'] === 'string' ? [[tool['name'], tool]] : [])));
      return Promise.resolve({ values, said });
    },
    named: '"bad"',
  });
});
