import assert from 'node:assert/strict';
import { contributors, vscodeGroups, type ListedTool } from '../../../../src/host/tools/vscode/vscodeGroups.js';
import { readsOneBadAmongThreeGood } from '../../../support/oneBad.js';

const described = (name: string): ListedTool => ({ name, description: `Does ${name}.`, inputSchema: undefined });

/** Returns the tools that Loupe reads, by name, and the sentences about invalid ones. */
function reading(tools: readonly (ListedTool | null)[]): {
  readonly values: ReadonlyMap<string, unknown>;
  readonly said: readonly string[];
} {
  const said: string[] = [];
  const groups = vscodeGroups(tools, { contributors: new Map([['bad', 'some.linter']]), own: new Set() }, (text) => said.push(text));
  return { values: new Map(groups.flatMap(({ tools: of }) => of.map((tool) => [tool.name, tool]))), said };
}

describe("the tools of VS Code's list", () => {
  const extensions = new Map([
    ['lint', 'some.linter'],
    ['fix', 'some.linter'],
    ['mcp_notes_read', 'some.extension'],
  ]);

  function names(tools: readonly string[], own: readonly string[]): Record<string, string[]> {
    const said: string[] = [];
    const groups = vscodeGroups(tools.map(described), { contributors: extensions, own: new Set(own) }, (text) => said.push(text));
    assert.deepEqual(said, []);
    return Object.fromEntries(groups.map(({ name, tools: of }) => [name, of.map((tool) => tool.name)]));
  }

  it('are grouped by the extension that contributes them, in one order whatever the order of the list', () => {
    const wanted = { 'some.linter': ['fix', 'lint'], vscode: ['search'] };
    for (const list of [
      ['lint', 'search', 'fix'],
      ['fix', 'lint', 'search'],
    ]) {
      const found = names(list, []);
      assert.deepEqual(found, wanted);
      assert.deepEqual(Object.keys(found), Object.keys(wanted));
    }
  });

  it('are without those of MCP servers that Loupe runs itself', () => {
    const list = ['mcp_files_read_file', 'mcp_files_list', 'mcp_other_list.all', 'read_file'];
    assert.deepEqual(names(list, ['read_file', 'list.all']), { vscode: ['mcp_files_list', 'mcp_other_list.all', 'read_file'] });
    assert.deepEqual(names(['mcp_other_list_all'], ['list.all']), {}, 'as VS Code writes the name');
  });

  it('keep what an extension contributes, also under such a name', () => {
    assert.deepEqual(names(['mcp_notes_read'], ['read']), { 'some.extension': ['mcp_notes_read'] });
  });

  it('take no arguments where they tell none', () => {
    assert.deepEqual(reading([described('fix')]).values.get('fix'), {
      name: 'fix',
      title: null,
      description: 'Does fix.',
      inputSchema: { type: 'object', properties: {} },
      saysItOnlyReads: false,
    });
  });

  it('have the same bytes for any order of the keys and required names of a schema', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', title: 't' }, b: { enum: ['y', 'x'] } }, required: ['a', 'b'] };
    const shuffled = { required: ['b', 'a'], properties: { b: { enum: ['y', 'x'] }, a: { title: 't', type: 'string' } }, type: 'object' };
    const bytes = (inputSchema: object): string => JSON.stringify([...reading([{ ...described('fix'), inputSchema }]).values]);
    assert.equal(bytes(schema), bytes(shuffled));
    assert.match(bytes(schema), /"enum":\["y","x"\]/, 'the order of values has a meaning');
  });

  const bad = described('bad');
  readsOneBadAmongThreeGood<ListedTool | null>({
    good: described,
    bad: {
      'a description that is null': { ...bad, description: null },
      'required null': { ...bad, inputSchema: { type: 'object', required: null } },
      'a schema for texts': { ...bad, inputSchema: { type: 'string' } },
      'a list as schema': { ...bad, inputSchema: [] },
    },
    read: (items) => Promise.resolve(reading(items)),
    named: 'tool "bad" of the extension some.linter',
  });
  readsOneBadAmongThreeGood<ListedTool | null>({
    good: described,
    bad: { 'no tool': null, 'no name': { ...bad, name: undefined }, 'a name that is a number': { ...bad, name: 7 } },
    read: (items) => Promise.resolve(reading(items)),
    named: 'of VS Code: it has no name',
  });
});

describe('the extensions of the tools in VS Code', () => {
  const extension = (id: string): { readonly id: string; readonly packageJSON: unknown } => ({
    id,
    packageJSON: { contributes: { languageModelTools: [{ name: `${id}_tool` }] } },
  });
  const of = (packageJSON: unknown): { readonly id: string; readonly packageJSON: unknown } => ({ id: 'bad', packageJSON });

  readsOneBadAmongThreeGood({
    good: extension,
    bad: {
      'no package.json': of(null),
      'contributes null': of({ contributes: null }),
      'tools by name': of({ contributes: { languageModelTools: { a: {} } } }),
      'a tool that is null': of({ contributes: { languageModelTools: [null, 7] } }),
    },
    read: (items) => {
      const values = new Map([...contributors(items)].map(([tool, id]) => [id, tool]));
      return Promise.resolve({ values, said: [] });
    },
    named: null,
  });
});
