import { isObject, type Json, type JsonObject } from '../../../src/engine/json.js';
import { readContents, readMessages, readPrompts, readResources } from '../../../src/tools/mcp/foreignLists.js';
import { type ForeignList, readsOneBadAmongThreeGood } from '../../support/oneBad.js';

/** Reads items, and finds them by the name that `nameOf` returns. */
function reading(
  read: (items: readonly Json[], note: (text: string) => void) => readonly JsonObject[],
  nameOf: (item: JsonObject) => Json | undefined,
): ForeignList<Json>['read'] {
  return (items) => {
    const said: string[] = [];
    const values = read(items, (text) => said.push(text)).map((item) => [textOf(nameOf(item)), item] as const);
    return Promise.resolve({ values: new Map(values), said });
  };
}

const textOf = (name: Json | undefined): string => (typeof name === 'string' ? name : '');

const WITH_NULLS = Object.fromEntries(['title', 'description', 'icons', '_meta'].map((member) => [`${member} null`, { [member]: null }]));

const each = (bad: JsonObject, damages: Readonly<Record<string, JsonObject>>): Record<string, JsonObject> =>
  Object.fromEntries(Object.entries(damages).map(([kind, damage]) => [kind, { ...bad, ...damage }]));

describe('the prompts of an MCP server', () => {
  const good = (name: string): JsonObject => ({ name, description: `Asks for ${name}.`, arguments: [{ name: 'a', required: true }] });
  readsOneBadAmongThreeGood<Json>({
    good,
    bad: each(good('bad'), {
      ...WITH_NULLS,
      'arguments null': { arguments: null },
      'arguments as text': { arguments: 'a' },
      'an argument without a name': { arguments: [{ required: true }] },
      'an argument that is null': { arguments: [null] },
      'required as text': { arguments: [{ name: 'a', required: 'yes' }] },
    }),
    read: reading(readPrompts, ({ name }) => name),
    named: '"bad"',
  });
  readsOneBadAmongThreeGood<Json>({
    good,
    bad: { 'no prompt': null, 'a list': [], 'no name': { description: 'x' }, 'an empty name': { name: '' } },
    read: reading(readPrompts, ({ name }) => name),
    named: 'it has no name',
  });
});

describe('the resources of an MCP server', () => {
  const good = (uri: string): JsonObject => ({ uri, name: `Name of ${uri}`, size: 7 });
  readsOneBadAmongThreeGood<Json>({
    good,
    bad: each(good('bad'), {
      ...WITH_NULLS,
      'name null': { name: null },
      'annotations null': { annotations: null },
      'size null': { size: null },
    }),
    read: reading(readResources, ({ uri }) => uri),
    named: '"bad"',
  });
  readsOneBadAmongThreeGood<Json>({
    good,
    bad: { 'no resource': null, 'no URI': { name: 'x' }, 'a number as URI': { uri: 7, name: 'x' } },
    read: reading(readResources, ({ uri }) => uri),
    named: 'it has no URI',
  });
});

describe('the parts of a resource of an MCP server', () => {
  readsOneBadAmongThreeGood<Json>({
    good: (uri) => ({ uri, text: `Text of ${uri}` }),
    bad: {
      'neither text nor data': { uri: 'bad' },
      'text null': { uri: 'bad', text: null },
      'mimeType null': { uri: 'bad', text: '', mimeType: null },
    },
    read: reading(readContents, ({ uri }) => uri),
    named: '"bad"',
  });
});

describe('the messages of a prompt of an MCP server', () => {
  readsOneBadAmongThreeGood<Json>({
    good: (text) => ({ role: 'user', content: { type: 'text', text } }),
    bad: {
      'no message': null,
      'no content': { role: 'user' },
      'an unknown type': { role: 'user', content: { type: 'video' } },
      'text null': { role: 'user', content: { type: 'text', text: null } },
      'an unknown role': { role: 'system', content: { type: 'text', text: 'bad' } },
    },
    read: reading(readMessages, ({ content }) => (isObject(content) ? content['text'] : undefined)),
    named: 'of a prompt',
  });
});
