import type { ToolLimit, ToolPattern } from '../../../engine/context/toolLimit.js';
import { WORKSPACE_SERVER } from '../../../engine/tools/serverName.js';
import type { FrontMatter } from './reading/frontMatter.js';

/**
 * The names of Loupe's own tools in other programs, in lower case:
 * - https://docs.github.com/en/copilot/reference/custom-agents-configuration#tool-aliases
 * - https://code.visualstudio.com/docs/agents/reference/tools-reference, and the older names without a slash
 * - https://code.claude.com/docs/en/tools-reference
 * - https://geminicli.com/docs/reference/tools
 */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  read_file: ['read', 'read/readfile', 'readfile', 'notebookread', 'read_many_files'],
  list_files: ['search', 'search/filesearch', 'search/listdirectory', 'filesearch', 'listdirectory', 'glob', 'ls', 'list_directory'],
  search_text: ['search', 'search/textsearch', 'search/codebase', 'textsearch', 'codebase', 'grep', 'grep_search'],
  edit_file: [
    ...['edit', 'edit/editfiles', 'edit/createfile', 'edit/editnotebook', 'editfiles', 'createfile', 'editnotebook'],
    ...['write', 'multiedit', 'notebookedit', 'replace', 'write_file'],
  ],
  run_command: ['execute', 'execute/runinterminal', 'runinterminal', 'runcommands', 'shell', 'bash', 'powershell', 'run_shell_command'],
  fetch_page: ['web', 'web/fetch', 'fetch', 'webfetch', 'web_fetch'],
};

interface AgentTools {
  /** Null if the file names no tools, or sets only their include modes. */
  readonly limit: ToolLimit | null;
  readonly remarks: readonly string[];
}

/**
 * Reads the lists `tools` and `disallowedTools`. A name in a list is a tool of this or another program, `server/tool`,
 * `server/*`, `server:tool`, `mcp__server__tool`, `mcp_server_tool`, `mcp_server_*`, `mcp_*` or a server. Empty `tools`
 * allow no tool, and `*` allows all.
 */
export function agentTools(values: FrontMatter['values'], source: string): AgentTools {
  const [tools, denied] = [listOf(values.get('tools')), listOf(values.get('disallowedTools'))];
  if (tools === null && denied === null) {
    return { limit: null, remarks: [] };
  }
  const all = [...(tools ?? []), ...(denied ?? [])];
  const names = (tools ?? []).map(withoutRule);
  const allowed = tools === null || names.includes('*') ? null : names.map(patternOf);
  // A rule such as `Bash(rm *)` denies a part of a tool. Loupe asks before each command anyway.
  const whole = (denied ?? []).filter((name) => withoutRule(name) === name);
  return { limit: { allowed, denied: whole.map(patternOf) }, remarks: ruleRemarks(all, source) };
}

/** Splits a text at commas outside parentheses. */
const COMMA = /,(?![^(]*\))/;

/** Returns the names of a list or of a text with commas. Null without a list. */
function listOf(value: unknown): readonly string[] | null {
  if (typeof value !== 'string' && !Array.isArray(value)) {
    return null;
  }
  const all: readonly unknown[] = typeof value === 'string' ? value.split(COMMA) : value;
  return all.flatMap((each) => (typeof each === 'string' && each.trim() !== '' ? [each.trim()] : []));
}

/** Returns the tool in a rule of Claude Code, such as `Bash(git *)`. */
function withoutRule(name: string): string {
  return name.replace(/\(.*\)$/, '');
}

function ruleRemarks(names: readonly string[], source: string): readonly string[] {
  const rules = names.filter((name) => withoutRule(name) !== name);
  return rules.length === 0
    ? []
    : [`${source} limits a part of a tool, which Loupe cannot do: ${rules.join(', ')}. Loupe asks before each call.`];
}

/** The ways to write a server and one or all of its tools. Gemini CLI forbids `_` in the names of servers. */
const FORMS = [/^mcp__(.+?)(?:__(.+))?$/, /^mcp_(.+)_(\*)$/, /^mcp_([^_]+)_(.+)$/, /^(.+)[/:](.+)$/];

function patternOf(written: string): ToolPattern {
  const own = Object.keys(OTHER_NAMES).filter((tool) => OTHER_NAMES[tool]?.includes(written.toLowerCase()) === true);
  if (own.length > 0) {
    return { written, server: WORKSPACE_SERVER, tools: own };
  }
  if (written === 'mcp_*') {
    return { written, server: { not: WORKSPACE_SERVER }, tools: null };
  }
  const [, server, name] = FORMS.map((form) => form.exec(written)).find((found) => found !== null) ?? [];
  if (server === undefined) {
    return { written, server: null, tools: [written] };
  }
  return { written, server, tools: name === undefined || name === '*' ? null : [name] };
}
