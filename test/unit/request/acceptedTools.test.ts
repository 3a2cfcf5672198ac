import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/engine/json.js';
import type { Capabilities } from '../../../src/engine/model/model.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import type { OfferedTool } from '../../../src/engine/request/gather.js';
import type { Request } from '../../../src/engine/request/request.js';
import { adaptationSentences } from '../../../src/host/request/sizeTexts.js';
import { ANTHROPIC_CAPABILITIES } from '../../../src/providers/anthropic/defaults.js';
import { OPENAI_COMPATIBLE_CAPABILITIES } from '../../../src/providers/openaiCompatible/defaults.js';
import { OPEN_MODEL, withCapabilities } from '../../support/engine/models.js';
import { user } from '../../support/engine/messages.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { requestOf } from '../../support/engine/requests.js';

const GOOD: JsonObject = { type: 'object', properties: { path: { type: 'string' } } };

const tool = (name: string, schema: Json): OfferedTool => ({
  key: `tool:files/${name}`,
  definition: { type: 'toolDefinition', name, description: 'Reads.', schema, isRetired: false },
});

function rules({ toolNames, toolSchemas, mostTools }: Capabilities): Partial<Capabilities> {
  return { toolNames, toolSchemas, mostTools };
}

describe('a request whose tools the provider does not accept as they are', () => {
  const factory = new BlockFactory(characters, sha256);
  const request = (tools: readonly OfferedTool[], capabilities: Capabilities): Request =>
    requestOf({ model: withCapabilities(OPEN_MODEL, rules(capabilities)), tools, messages: [user('u1', 'Read')] }, factory);
  const offered = ({ prompt }: Request): Json[] =>
    prompt.tools.flatMap(({ part }): Json[] => (part.type === 'toolDefinition' ? [[part.name, part.schema]] : []));
  const said = ({ adaptations }: Request): readonly string[] => adaptationSentences(adaptations, 'Large');

  it('has the other tools without a change, and says which it has in another form', () => {
    const union: JsonObject = { oneOf: [GOOD, { type: 'object' }] };
    const made = request([tool('first', GOOD), tool('union', union), tool('last', GOOD)], ANTHROPIC_CAPABILITIES);
    assert.deepEqual(offered(made), [
      ['first', GOOD],
      ['union', GOOD],
      ['last', GOOD],
    ]);
    assert.deepEqual(said(made), ['Sent in another form: the input schema of 1 tool.']);
    assert.deepEqual(said(request([tool('first', GOOD)], ANTHROPIC_CAPABILITIES)), []);
  });

  it('omits a tool that cannot be offered, and says so', () => {
    const odata: JsonObject = { type: 'object', properties: { $top: { type: 'integer' } } };
    const made = request([tool('first', GOOD), tool('list', odata), tool('text', 'text'), tool('last', GOOD)], ANTHROPIC_CAPABILITIES);
    assert.deepEqual(offered(made), [
      ['first', GOOD],
      ['last', GOOD],
    ]);
    assert.deepEqual(said(made), [
      'Not offered: text. Large does not accept the input schema.',
      'Not offered: list. Large does not accept names of arguments such as "$top".',
    ]);
  });

  it('omits a tool that the server refused shortly before, and says so', () => {
    const model = { ...OPEN_MODEL, refusedTools: ['list', 'gone'] };
    const made = requestOf({ model, tools: [tool('first', GOOD), tool('list', GOOD)], messages: [user('u1', 'Read')] }, factory);
    assert.deepEqual(offered(made), [['first', GOOD]]);
    assert.deepEqual(said(made), ['Not offered: list. Large refused a request with it. Loupe tries again an hour later.']);
  });

  it('offers 128 of 191 tools to an endpoint that takes no more, and says how to choose', () => {
    const many = Array.from({ length: 191 }, (_, at) => tool(`tool${String(at)}`, GOOD));
    const made = request(many, OPENAI_COMPATIBLE_CAPABILITIES);
    assert.equal(offered(made).length, 128);
    assert.deepEqual(said(made), ['Not offered: 63 tools. Large accepts at most 128. Choose the tools of this chat in Manage context.']);
    assert.equal(offered(request(many, { ...OPENAI_COMPATIBLE_CAPABILITIES, mostTools: null })).length, 191);
  });

  it('keeps its blocks from request to request', () => {
    const tools = [tool('21st-dev__search', { type: 'object' }), tool('fine', GOOD)];
    const [first, second] = [request(tools, OPENAI_COMPATIBLE_CAPABILITIES), request(tools, OPENAI_COMPATIBLE_CAPABILITIES)];
    assert.deepEqual(
      first.prompt.tools.map((block, at) => block === second.prompt.tools[at]),
      [true, true],
    );
    assert.match(JSON.stringify(offered(first)[0]), /^\["t_21st-dev__search_[0-9a-f]{8}"/, 'this protocol wants a letter first');
  });
});
