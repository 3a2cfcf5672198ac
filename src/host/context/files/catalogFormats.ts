/* The files of the catalog, agents and prompts: one row for each format. Paths begin in a workspace folder. */

export interface CatalogFormatRow {
  readonly type: 'rule' | 'reference' | 'skill' | 'agent' | 'prompt';
  /** Paths of single files. */
  readonly files: readonly string[];
  /** Folders with files of this format, at any depth. */
  readonly folders: readonly string[];
  /** The ends of the paths of files in these folders. */
  readonly endings: readonly string[];
  /** Matches paths in these folders that are of another kind. */
  readonly except: RegExp | null;
  /** Whether the files can be in a subfolder of the workspace. They then apply to the files of the subfolder. */
  readonly isNested: boolean;
  /** How the front matter decides when a request contains the file. */
  readonly modes:
    | 'always'
    | 'paths'
    | 'applyTo'
    | 'cursor'
    | 'trigger'
    | 'kiro'
    | 'roo'
    | 'continue'
    | 'trae'
    | 'augment'
    | 'own'
    | 'skill';
  /** Whose way of importing other files the text has. */
  readonly imports: 'claude' | 'agents' | 'cursor' | 'kiro' | null;
  /** Where relative patterns of the front matter match; see `Anchoring`. */
  readonly anchoring: 'anyFolder' | 'names' | 'root';
  /** Placeholders: `$ARGUMENTS` (`dollar`), `${input:name}` (`braces`) or `{{args}}` (`args`). Null without any. */
  readonly placeholders: 'dollar' | 'braces' | 'args' | null;
}

const RULE = {
  type: 'rule',
  files: [],
  folders: [],
  endings: ['.md'],
  except: null,
  isNested: false,
  modes: 'always',
  imports: null,
  anchoring: 'names',
  placeholders: null,
} as const satisfies CatalogFormatRow;

const PROMPT = { ...RULE, type: 'prompt' } as const satisfies CatalogFormatRow;

/** The folders of the programs that read skills: https://agentskills.io/specification. */
const SKILL_FOLDERS = [
  ...['agent', 'agents', 'amazonq', 'augment', 'claude', 'cline', 'clinerules', 'codex', 'continue', 'copilot', 'cursor', 'devin'],
  ...['factory', 'gemini', 'github', 'goose', 'junie', 'kilocode', 'kiro', 'loupe', 'opencode', 'qwen', 'roo', 'trae', 'warp', 'windsurf'],
].map((program) => `.${program}/skills`);

/** Matches files in `.roo` that are no rules: those of other folders, caches and system files. */
const NO_ROO_RULE =
  /^(?!rules(?:-[^/]+)?\/)|\.(?:DS_Store|bak|cache|crdownload|db|dmp|dump|eslintcache|lock|log|old|part|partial|py[co]|stackdump|sw[op]|te?mp)$|\/Thumbs\.db$/;

export const CATALOG_FORMATS = {
  // https://agents.md
  agents: { ...RULE, files: ['AGENTS.md'], isNested: true, imports: 'agents' },
  // https://developers.openai.com/codex/guides/agents-md: instead of the AGENTS.md of the same folder.
  agentsOverride: { ...RULE, files: ['AGENTS.override.md'], isNested: true, imports: 'agents' },
  // https://code.claude.com/docs/en/memory
  claude: { ...RULE, files: ['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md'], isNested: true, imports: 'claude' },
  claudeRules: { ...RULE, folders: ['.claude/rules'], isNested: true, modes: 'paths', imports: 'claude', anchoring: 'root' },
  // https://code.visualstudio.com/docs/copilot/customization/custom-instructions
  copilot: { ...RULE, files: ['.github/copilot-instructions.md'] },
  instructions: { ...RULE, folders: ['.github/instructions'], endings: ['.instructions.md'], modes: 'applyTo', anchoring: 'anyFolder' },
  // https://cursor.com/docs/context/rules
  cursorFile: { ...RULE, files: ['.cursorrules'], imports: 'cursor' },
  cursor: {
    ...{ ...RULE, folders: ['.cursor/rules'], endings: ['.mdc', '.md'], isNested: true },
    ...{ modes: 'cursor', imports: 'cursor', anchoring: 'anyFolder' },
  },
  // https://docs.cline.bot/customization/cline-rules
  cline: {
    ...{ ...RULE, files: ['.clinerules'], folders: ['.clinerules', '.cline/rules'], endings: ['.md', '.txt'], modes: 'paths' },
    except: /^(?:workflows|hooks|skills|agents)\//,
  },
  // https://docs.windsurf.com/windsurf/cascade/memories
  windsurf: {
    ...{ ...RULE, files: ['.windsurfrules', '.windsurf/rules'], folders: ['.windsurf/rules', '.devin/rules'] },
    ...{ isNested: true, modes: 'trigger' },
  },
  // https://antigravity.google/docs/rules-workflows
  antigravity: { ...RULE, folders: ['.agents/rules', '.agent/rules'], isNested: true, modes: 'trigger' },
  // https://kiro.dev/docs/steering
  kiro: { ...RULE, folders: ['.kiro/steering'], modes: 'kiro', imports: 'kiro' },
  // https://geminicli.com/docs/cli/gemini-md
  gemini: { ...RULE, files: ['GEMINI.md'], isNested: true, imports: 'agents' },
  // https://docs.roocode.com/features/custom-instructions: all files of any type, except caches and system files.
  roo: { ...RULE, files: ['.roorules'], folders: ['.roo'], endings: [''], except: NO_ROO_RULE, modes: 'roo' },
  // https://kilocode.ai/docs/agent-behavior/custom-rules
  kilo: {
    ...{ ...RULE, files: ['.kilocoderules'], folders: ['.kilocode'], endings: ['.md', '.txt'] },
    ...{ except: /^(?!rules(?:-[^/]+)?\/)/, modes: 'roo' },
  },
  // https://docs.continue.dev/customize/deep-dives/rules
  continue: { ...RULE, folders: ['.continue/rules'], modes: 'continue' },
  // https://junie.jetbrains.com/docs/guidelines-and-memory.html
  junie: { ...RULE, files: ['.junie/guidelines.md', '.junie/AGENTS.md'] },
  // https://docs.trae.ai/ide/rules
  trae: { ...RULE, folders: ['.trae/rules'], modes: 'trae' },
  // https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/context-project-rules.html
  amazonq: { ...RULE, folders: ['.amazonq/rules'] },
  // https://docs.augmentcode.com/setup-augment/guidelines
  augment: { ...RULE, files: ['.augment-guidelines'], folders: ['.augment/rules'], modes: 'augment' },
  // https://zed.dev/docs/ai/rules
  zed: { ...RULE, files: ['.rules'] },
  // https://docs.warp.dev/agent-platform/capabilities/rules
  warp: { ...RULE, files: ['WARP.md'], isNested: true },
  loupeRule: { ...RULE, folders: ['.loupe/rules'], modes: 'own', anchoring: 'anyFolder' },
  loupeReference: { ...RULE, type: 'reference', folders: ['.loupe/references'], modes: 'own', anchoring: 'anyFolder' },
  skill: { ...RULE, type: 'skill', folders: SKILL_FOLDERS, endings: ['/SKILL.md'], isNested: true, modes: 'skill', placeholders: 'dollar' },
  loupeAgent: { ...RULE, type: 'agent', folders: ['.loupe/agents'], except: /\// },
  // https://code.visualstudio.com/docs/copilot/customization/custom-agents
  githubAgent: { ...RULE, type: 'agent', folders: ['.github/agents'], except: /\/|^README\.md$/ },
  chatMode: { ...RULE, type: 'agent', folders: ['.github/chatmodes'], endings: ['.chatmode.md'], except: /\// },
  // https://code.claude.com/docs/en/sub-agents
  claudeAgent: { ...RULE, type: 'agent', folders: ['.claude/agents'], except: /(?:^|\/)README\.md$/ },
  // https://geminicli.com/docs/core/subagents
  geminiAgent: { ...RULE, type: 'agent', folders: ['.gemini/agents'], except: /\/|^README\.md$/ },
  // https://code.visualstudio.com/docs/copilot/customization/prompt-files
  githubPrompt: { ...PROMPT, folders: ['.github/prompts'], endings: ['.prompt.md'], placeholders: 'braces' },
  // https://code.claude.com/docs/en/slash-commands
  claudeCommand: { ...PROMPT, folders: ['.claude/commands'], placeholders: 'dollar' },
  // https://opencode.ai/docs/commands
  opencodeCommand: { ...PROMPT, folders: ['.opencode/commands', '.opencode/command'], placeholders: 'dollar' },
  // https://docs.factory.ai/cli/configuration/custom-slash-commands
  factoryCommand: { ...PROMPT, folders: ['.factory/commands'], placeholders: 'dollar' },
  // https://geminicli.com/docs/cli/custom-commands
  geminiCommand: { ...PROMPT, folders: ['.gemini/commands'], endings: ['.toml'], placeholders: 'args' },
  // https://cursor.com/docs/context/commands
  cursorCommand: { ...PROMPT, folders: ['.cursor/commands'] },
  // https://docs.cline.bot/customization/workflows
  clineWorkflow: { ...PROMPT, folders: ['.clinerules/workflows'] },
  // https://docs.windsurf.com/windsurf/cascade/workflows
  windsurfWorkflow: { ...PROMPT, folders: ['.windsurf/workflows'], isNested: true },
  // https://antigravity.google/docs/rules-workflows
  antigravityWorkflow: { ...PROMPT, folders: ['.agents/workflows', '.agent/workflows'] },
  // https://docs.roocode.com/features/slash-commands
  rooCommand: { ...PROMPT, folders: ['.roo/commands'] },
  // https://docs.continue.dev/customize/deep-dives/prompts
  continuePrompt: { ...PROMPT, folders: ['.continue/prompts'] },
  // https://kilo.ai/docs/agent-behavior/workflows
  kiloWorkflow: { ...PROMPT, folders: ['.kilocode/workflows'] },
  // https://docs.augmentcode.com/using-augment/custom-commands
  augmentCommand: { ...PROMPT, folders: ['.augment/commands'] },
} as const satisfies Readonly<Record<string, CatalogFormatRow>>;
