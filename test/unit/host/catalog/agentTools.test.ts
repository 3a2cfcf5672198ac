import assert from 'node:assert/strict';
import type { AgentProfile } from '../../../../src/engine/context/agentProfile.js';
import { readProfiles } from '../../../../src/host/context/catalog/readProfiles.js';
import { nextRequestRows } from '../../../../src/host/panel/nextRequest/contextUsed.js';
import { column } from '../../../support/columns.js';
import { readerOf, readingOf, textsOf } from '../../../support/host/catalogReading.js';
import { chatAmongFiles, type ChatAmongFiles } from '../../../support/host/filesInChat.js';
import { EchoServer, toolboxWith } from '../../../support/host/toolServer.js';
import { useWindows } from '../../../support/host/window.js';
import { readsOneBadAmongThreeGood } from '../../../support/oneBad.js';

const READING = ['list_files', 'read_file', 'search_text'];
const OWN = [...READING, 'edit_file', 'run_command', 'fetch_page', 'put_session_file'].sort();
const OTHERS = ['io_github_tides__read_table', 'sheets__read_table', 'sheets__write_table'];

const GITHUB = '.github/agents/reviewer.agent.md';
const CLAUDE = '.claude/agents/reviewer.md';
const CHAT_MODE = '.github/chatmodes/reviewer.chatmode.md';

/** The file of an agent, its front matter, and the tools that requests offer. */
const LISTS = [
  [GITHUB, '', [...OWN, ...OTHERS]],
  [GITHUB, "tools: ['read', 'search']", READING],
  [GITHUB, 'tools: [Read, SEARCH]', READING],
  [GITHUB, 'tools: read, search', READING],
  ['.github/agents/reviewer.md', "tools: ['read/readFile', 'search/textSearch', 'search/fileSearch']", READING],
  [GITHUB, "tools: ['edit/editFiles', 'execute/runInTerminal', 'web/fetch']", ['edit_file', 'fetch_page', 'run_command']],
  [GITHUB, "tools: ['sheets/*', 'read']", ['read_file', 'sheets__read_table', 'sheets__write_table']],
  [GITHUB, 'tools: [sheets/read_table]', ['sheets__read_table']],
  [GITHUB, 'tools: ["io.github/tides/*"]', ['io_github_tides__read_table']],
  [GITHUB, 'tools: ["tides/*"]', []],
  [GITHUB, 'tools: []', []],
  [GITHUB, 'tools: ["*"]', [...OWN, ...OTHERS]],
  [GITHUB, 'tools: *', [...OWN, ...OTHERS]],
  [CHAT_MODE, "tools: ['codebase', 'editFiles', 'runCommands', 'fetch']", ['edit_file', 'fetch_page', 'run_command', 'search_text']],
  [CLAUDE, 'name: reviewer\ntools: Read, Grep, Glob', READING],
  ['.claude/agents/team/reviewer.md', 'name: reviewer\ntools:\n  - Read\n  - Grep\n  - Glob', READING],
  [CLAUDE, 'tools: Read, Bash(git diff, git log), Write', ['edit_file', 'read_file', 'run_command']],
  [CLAUDE, 'tools: mcp__sheets__read_table, mcp__io_github_tides', ['io_github_tides__read_table', 'sheets__read_table']],
  [CLAUDE, 'disallowedTools: Write, Edit, Bash, mcp__sheets', [...OWN.filter((name) => !/edit|run/.test(name)), OTHERS[0] ?? '']],
  [CLAUDE, 'tools: Read, Edit\ndisallowedTools: Edit', ['read_file']],
  [CLAUDE, 'disallowedTools: Bash(rm *)', [...OWN, ...OTHERS]],
  ['.gemini/agents/reviewer.md', 'tools: [read_file, mcp_sheets_*]', ['read_file', 'sheets__read_table', 'sheets__write_table']],
  ['.gemini/agents/reviewer.md', 'tools: ["mcp_*", glob]', ['list_files', ...OTHERS]],
  ['.gemini/agents/reviewer.md', 'tools: [mcp_sheets_read_table]', ['sheets__read_table']],
  ['.loupe/agents/reviewer.md', 'tools: [sheets, "workspace:read_file"]', ['read_file', 'sheets__read_table', 'sheets__write_table']],
] as const;

describe('an agent with a list of tools', () => {
  const windows = useWindows();

  function open(path: string, head: string): Promise<ChatAmongFiles> {
    const servers = [
      new EchoServer('workspace', ...OWN),
      new EchoServer('io.github tides', 'read_table'),
      new EchoServer('sheets', 'read_table', 'write_table'),
    ];
    const files = { [path]: `---\n${head}\n---\nYou review code.` };
    return chatAmongFiles(windows, files, { toolbox: toolboxWith(servers, windows.folder), config: { agent: 'reviewer' } });
  }

  for (const [path, head, offered] of LISTS) {
    it(`is offered no other tools: ${path} with ${JSON.stringify(head)}`, async () => {
      const { session, window } = await open(path, head);
      await session.conversation.send('Hello');
      const body = JSON.parse(window.model.bodies.at(-1) ?? '') as { readonly tools?: readonly { readonly name: string }[] };
      const names = (body.tools ?? []).map(({ name }) => name.replaceAll(/[. ]/g, '_'));
      assert.deepEqual(names.sort(), [...offered].sort());
    });
  }

  for (const [head, remark] of [
    ["tools: ['read', 'search']", null],
    ["tools: ['read', 'todo', 'github/*', 'mcp__gone__x']", 'names tools that this chat does not have: todo, github/*, mcp__gone__x.'],
    [
      'tools: Bash(git *), Read\ndisallowedTools: Edit(docs/**)',
      'limits a part of a tool, which Loupe cannot do: Bash(git *), Edit(docs/**). Loupe asks before each call.',
    ],
  ] as const) {
    it(`names what Loupe cannot follow: ${JSON.stringify(head)}`, async () => {
      const { session } = await open(CLAUDE, head);
      const { remarks } = nextRequestRows(await session.next.preview({ text: '', editing: null }));
      assert.deepEqual(column(remarks, 'text'), remark === null ? [] : [`${CLAUDE} ${remark}`]);
    });
  }

  it('cannot call another tool, and the user cannot add it to the chat', async () => {
    const { session, window } = await open(GITHUB, "tools: ['read']");
    await session.context.add({
      type: 'tool',
      name: 'edit_file',
      serverName: 'workspace',
      includeMode: 'manual',
      addedHash: null,
      given: null,
    });
    await session.conversation.send('/tool edit_file {}');
    assert.doesNotMatch(window.model.bodies.at(0) ?? '', /"name":"edit_file"/);
    assert.match(window.model.bodies.at(-1) ?? '', /edit_file/);
    assert.deepEqual(
      window.toolbox.servers().flatMap((server) => (server instanceof EchoServer ? server.calls : [])),
      [],
    );
  });
});

describe('a list of agent files', () => {
  readsOneBadAmongThreeGood({
    good: (name) => ({ path: `.claude/agents/${name}.md`, text: `---\nname: ${name}\ntools: Read, Grep\n---\nYou are ${name}.` }),
    bad: Object.fromEntries(
      Object.entries({
        'an alias': '---\ndescription: *a\n---\nBad.',
        'an open quotation': '---\ndescription: "a\n---\nBad.',
        'no keys': '---\n- a\n---\nBad.',
        'a key twice': '---\nmodel: a\nmodel: b\n---\nBad.',
        'tools that are no list': '---\ntools:\n  git: [\n---\nBad.',
        'a part of a tool': '---\ntools: Bash(git *)\n---\nBad.',
        'a missing file': null,
      }).map(([kind, text]) => [kind, { path: '.claude/agents/bad.md', text }]),
    ),
    read: async (files) => {
      const paths = files.map(({ path }) => ({ path, source: path, prefix: '', file: path }));
      const profiles = await readProfiles(paths, readingOf(readerOf(Object.fromEntries(files.map(({ path, text }) => [path, text])))));
      const said = [...profiles.values()].flatMap((profile: AgentProfile) => [
        ...textsOf(profile.remarks),
        ...(profile.problem === null ? [] : [profile.source]),
      ]);
      return { values: profiles, said };
    },
    named: '.claude/agents/bad.md',
  });
});
