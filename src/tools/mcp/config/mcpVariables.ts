/** A variable `${...}` in a configuration, by its meaning. */
export type Variable =
  | { readonly kind: 'input'; readonly id: string }
  /** `fallback`: the text for a variable that is not set. Null if the configuration has none. */
  | { readonly kind: 'env'; readonly name: string; readonly fallback: string | null }
  /** A setting of VS Code, such as `editor.fontFamily`. */
  | { readonly kind: 'config'; readonly key: string }
  /** `name`: the name of a workspace folder. Null for the folder of the configuration. */
  | { readonly kind: 'workspaceFolder' | 'workspaceFolderBasename'; readonly name: string | null }
  | { readonly kind: 'userHome' | 'pathSeparator' }
  | { readonly kind: 'unknown'; readonly text: string };

const VARIABLE = /\$\{([^{}]*)\}/g;

/** Variables of VS Code that depend on the active editor or on the window, so a server cannot have them. */
const OF_EDITOR: ReadonlySet<string> = new Set([
  ...['cwd', 'execPath', 'defaultBuildTask', 'lineNumber', 'columnNumber', 'selectedText', 'file', 'fileWorkspaceFolder'],
  ...['fileBasename', 'fileBasenameNoExtension', 'fileDirname', 'fileDirnameBasename', 'fileExtname', 'extensionInstallFolder'],
  ...['relativeFile', 'relativeFileDirname'],
]);

export function variablesIn(text: string): readonly Variable[] {
  return [...text.matchAll(VARIABLE)].map(([, inner]) => variable(inner ?? ''));
}

/** Returns the variables in a text as they are written, such as `${env:NAME}`. */
export function variableTexts(text: string): readonly string[] {
  return text.match(VARIABLE) ?? [];
}

/** Replaces variables by their values. Text inside of a value is never replaced. */
export function substituted(text: string, valueOf: (variable: Variable) => string): string {
  return text.replace(VARIABLE, (_, inner: string) => valueOf(variable(inner)));
}

/** Reads a variable in the notation of VS Code (`env:NAME`), or of Claude Code (`NAME` and `NAME:-text`). */
function variable(inner: string): Variable {
  if (inner === 'userHome') {
    return { kind: inner };
  }
  if (inner === 'pathSeparator' || inner === '/') {
    return { kind: 'pathSeparator' };
  }
  const [, folder, name] = /^(workspaceFolder|workspaceFolderBasename)(?::(.+))?$/s.exec(inner) ?? [];
  if (folder === 'workspaceFolder' || folder === 'workspaceFolderBasename') {
    return { kind: folder, name: name ?? null };
  }
  const [, kind, value = ''] = /^(input|env|config):(.+)$/s.exec(inner) ?? [];
  switch (kind) {
    case 'input':
      return { kind, id: value };
    case 'env':
      return { kind, name: value, fallback: null };
    case 'config':
      return { kind, key: value };
    default:
      return environmentVariable(inner) ?? { kind: 'unknown', text: `\${${inner}}` };
  }
}

function environmentVariable(inner: string): Variable | null {
  const [, name = '', fallback] = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inner) ?? [];
  return name === '' || OF_EDITOR.has(name) ? null : { kind: 'env', name, fallback: fallback ?? null };
}
