import assert from 'node:assert/strict';
import { vscodeGroups, type ListedTool } from '../../../../src/host/tools/vscode/vscodeGroups.js';

describe("the tools of VS Code's list", () => {
  const listed = (name: string): ListedTool => ({ name, description: `Does ${name}.`, inputSchema: undefined });
  const contributors = new Map([
    ['lint', 'some.linter'],
    ['fix', 'some.linter'],
    ['mcp_notes_read', 'some.extension'],
  ]);

  function names(tools: readonly string[], own: readonly string[]): Record<string, string[]> {
    const groups = vscodeGroups(tools.map(listed), contributors, new Set(own));
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
    const [group] = vscodeGroups([listed('fix')], contributors, new Set());
    assert.deepEqual(group?.tools[0]?.inputSchema, { type: 'object', properties: {} });
  });
});
