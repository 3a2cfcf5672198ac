import assert from 'node:assert/strict';
import { stemmer } from 'stemmer';
import type { Json } from '../../../src/engine/json.js';
import type { ToolOutcome } from '../../../src/engine/ports.js';
import type { ToolDefinition } from '../../../src/engine/model/block.js';
import { FIND_TOOLS, findTools, findToolsDefinition } from '../../../src/engine/tools/findTools.js';
import { offeredName, WORKSPACE_SERVER } from '../../../src/engine/tools/serverName.js';

function tool(name: string, description: string, properties: Json): ToolDefinition {
  return { type: 'toolDefinition', name, description, schema: { type: 'object', properties }, isRetired: false };
}

const ISSUES = tool('github__create_issue', 'Opens an issue.\n\nIt needs a repository.', { title: { type: 'string' } });
const MERGE = tool('github__merge', 'Merges a pull request into its base branch.', {});
const QUERY = tool('db__query', 'Runs SQL.', { statement: { type: 'string', description: 'What to select from the warehouse' } });
const BLANK = tool('files__read me', '', {});
const ALL = [ISSUES, MERGE, QUERY, BLANK];

function search(all: readonly ToolDefinition[], query: unknown): Promise<ToolOutcome> {
  return findTools(all, query, { stem: stemmer, pause: () => Promise.resolve() });
}

async function found(query: unknown): Promise<readonly string[]> {
  return (await search(ALL, query)).content.map((item) => (item.type === 'toolReference' ? item.name : ''));
}

describe('the tool that loads tools', () => {
  it('lists each by its name and one line, in their order', () => {
    const long = tool('x__long', `${'a'.repeat(119)}\u{1F30A} and more`, {});
    const { name, description } = findToolsDefinition([...ALL, long]);
    assert.equal(name, FIND_TOOLS);
    assert.deepEqual(description.split('\n').slice(2), [
      '- github__create_issue: Opens an issue. It needs a repository.',
      '- github__merge: Merges a pull request into its base branch.',
      '- db__query: Runs SQL.',
      '- files__read me',
      `- x__long: ${'a'.repeat(119)}…`,
    ]);
  });

  it('has a name that no tool of a server can have', () => {
    for (const serverName of ['', 'find_tools', 'find']) {
      assert.notEqual(offeredName({ serverName, name: 'find_tools' }), FIND_TOOLS);
      assert.notEqual(offeredName({ serverName, name: 'tools' }), FIND_TOOLS);
    }
    assert.equal(offeredName({ serverName: WORKSPACE_SERVER, name: FIND_TOOLS }), FIND_TOOLS, 'and Loupe itself has no such tool');
  });

  it('loads what is named, all of it and nothing else', async () => {
    assert.deepEqual(await found('db__query, github__merge'), ['github__merge', 'db__query']);
    assert.deepEqual(await found('files__read me'), ['files__read me']);
  });

  it('loads what fits words best: of names, descriptions and arguments', async () => {
    assert.deepEqual(await found('merge the pull request'), ['github__merge']);
    assert.deepEqual(await found('warehouse'), ['db__query']);
    assert.deepEqual(await found('issues with a title'), ['github__create_issue']);
    const many = Array.from({ length: 9 }, (_, at) => tool(`notes__${at}`, 'Finds a note.', {}));
    assert.equal((await search(many, 'note')).content.length, 5);
  });

  it('says so where nothing fits, and where nothing is asked for', async () => {
    const none = await search(ALL, 'weather');
    assert.deepEqual([none.isError, none.content.map(({ type }) => type)], [false, ['text']]);
    for (const query of [undefined, 3, '', ' ']) {
      const { isError, content } = await search(ALL, query);
      assert.deepEqual([isError, content.map(({ type }) => type)], [true, ['text']]);
    }
  });
});
