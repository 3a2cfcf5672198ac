import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { contextRows, nextRequestRows } from '../../../../src/host/panel/nextRequest/contextUsed.js';
import { managerView } from '../../../../src/host/panel/manager/managerView.js';
import { MANAGED_TYPES } from '../../../../src/protocol/panel/manager.js';
import { column } from '../../../support/columns.js';
import { lastAttempt } from '../../../support/host/reading.js';
import { chatAmongFiles } from '../../../support/host/filesInChat.js';
import { managedOf } from '../../../support/host/managed.js';
import { useWindows } from '../../../support/host/window.js';

/** Rule files of all supported editors in all places. Each text occurs in one file only. */
const RULES: Readonly<Record<string, string>> = {
  'AGENTS.md': '',
  'CLAUDE.md': '',
  '.claude/CLAUDE.md': '',
  '.github/copilot-instructions.md': '',
  '.github/instructions/all.instructions.md': 'applyTo: "**"',
  '.github/instructions/web/css.instructions.md': 'applyTo: "**/*.css"',
  '.cursorrules': '',
  '.cursor/rules/always.mdc': 'alwaysApply: true',
  '.cursor/rules/deep/er/style.mdc': 'globs: *.ts',
  '.clinerules/always.md': '',
  '.clinerules/paths.md': 'paths:\n  - src/**',
  '.clinerules/note.txt': '',
  '.loupe/rules/tides.md': 'name: Tides',
  '.loupe/rules/sub/winds.md': 'include: agent\ndescription: How wind is measured',
  'src/AGENTS.md': '',
  'src/CLAUDE.md': '',
  'src/deep/AGENTS.md': '',
  'other/AGENTS.md': '',
};

const FILES = {
  ...Object.fromEntries(
    Object.entries(RULES).map(([path, head]) => [path, `${head === '' ? '' : `---\n${head}\n---\n`}The rule in ${path} itself.`]),
  ),
  '.loupe/references/api.md': 'GET /tides',
  ...Object.fromEntries(
    ['agents', 'claude', 'github'].map((client) => [
      `.${client}/skills/${client}-pdf/SKILL.md`,
      `---\nname: ${client}-pdf\ndescription: Fill in PDF forms\n---\nOpen it.`,
    ]),
  ),
  '.loupe/agents/reviewer.md': 'You review.',
  '.github/agents/tester.agent.md': 'You test.',
  'src/deep/a.ts': 'export const a = 1;',
};

/** The rules in the chat below: always, or for src/deep/a.ts. */
const SENT = Object.keys(RULES).filter((path) => !/css|winds|^other/.test(path));

describe('a repository with the rule files of every editor', () => {
  const windows = useWindows();

  it('shows each once with its source, before and after sending, and sends each once', async () => {
    const { window, session } = await chatAmongFiles(windows, FILES, {});
    await session.context.add({ type: 'file', name: 'src/deep/a.ts', includeMode: 'manual', addedHash: null, given: null });
    const composed = await session.next.preview({ text: '', editing: null });
    const rows = nextRequestRows(composed);
    const shown = { search: '', open: MANAGED_TYPES, servers: [], proof: null, rows: {} };
    const [rules, references, skills] = managerView(managedOf(session, composed), shown).sections;
    assert.deepEqual(rules?.rows.map(({ name, source }) => source ?? name).sort(), Object.keys(RULES).sort());
    assert.deepEqual(column(references?.rows, 'name'), ['.loupe/references/api.md']);
    assert.deepEqual(
      skills?.rows.map(({ source }) => source).sort(),
      Object.keys(FILES)
        .filter((path) => path.endsWith('SKILL.md'))
        .sort(),
    );
    assert.deepEqual(rows.available, { rule: Object.keys(RULES).length, reference: 1, skill: 3, tool: 0 });
    await session.conversation.send('Hello');
    const body = window.model.bodies.at(-1) ?? '';
    assert.deepEqual(
      Object.keys(RULES).map((path) => [path, body.split(`The rule in ${path} itself.`).length - 1]),
      Object.keys(RULES).map((path) => [path, SENT.includes(path) ? 1 : 0]),
    );
    const { groups } = contextRows(lastAttempt(session.state), session.state) ?? assert.fail('There are no rows.');
    const used = groups.find(({ type }) => type === 'rule')?.items ?? [];
    assert.deepEqual(used.map(({ name }) => (name === 'Tides' ? '.loupe/rules/tides.md' : name)).sort(), [...SENT].sort());
    const nearest = ['AGENTS.md', 'src/AGENTS.md', 'src/deep/AGENTS.md'].map((path) => body.indexOf(`The rule in ${path} itself.`));
    const sorted = [...nearest].sort((a, b) => a - b);
    assert.deepEqual(nearest, sorted, 'the nearest stands last');
  });

  it('costs a request that changes nothing of a thousand items no more than a kilobyte of log', async () => {
    const rules = Array.from({ length: 1_000 }, (_, at) => [
      `.loupe/rules/r${String(at)}.md`,
      `---\ninclude: agent\ndescription: Number ${String(at)}\n---\nText.`,
    ]);
    const started = async (files: Readonly<Record<string, string>>): Promise<number> => {
      // Ids are those of the chat before.
      await windows.newFolder();
      const { window, session } = await chatAmongFiles(windows, files, {});
      await session.conversation.send('Paint the lighthouse white');
      await session.conversation.send('Paint the lighthouse white');
      const folder = join(window.folder, 'chats', session.id);
      const [log = ''] = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
      const lines = (await readFile(join(folder, log), 'utf8')).split('\n').filter((line) => line.includes('"attempt-started"'));
      assert.equal(lines.length, 2);
      return lines[1]?.length ?? 0;
    };
    const [without, withAll] = [await started({}), await started(Object.fromEntries(rules) as Record<string, string>)];
    assert.ok(withAll - without <= 1_024, `${String(withAll - without)} bytes`);
  });
});
