import assert from 'node:assert/strict';
import { refusedTool } from '../../../src/providers/http/refusedTool.js';

const NAMES = ['read', 'write', 'find'];
const MESSAGES_API = JSON.stringify({ tools: NAMES.map((name) => ({ name })) });
const COMPLETIONS = JSON.stringify({ tools: NAMES.map((name) => ({ type: 'function', function: { name } })) });

describe('the tool that a server refuses', () => {
  it('is known by its place or its name in the message', () => {
    const place = "tools.2.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'";
    assert.equal(refusedTool(place, MESSAGES_API), 'find');
    assert.equal(refusedTool("Invalid schema for function 'write': array schema missing items.", COMPLETIONS), 'write');
    assert.equal(refusedTool("Invalid 'tools[0].function.name': string does not match pattern.", COMPLETIONS), 'read');
  });

  it('is unknown when the message names no tool of the request', () => {
    for (const message of ['tools.9: bad', "function 'other' is bad", 'tools: too many', 'messages.2: bad']) {
      assert.equal(refusedTool(message, COMPLETIONS), null);
    }
    assert.equal(refusedTool('tools.0: bad', 'no JSON'), null);
  });
});
