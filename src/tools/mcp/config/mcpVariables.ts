/** A variable `${...}` in a configuration, by its meaning. */
export type Variable =
  | { readonly kind: 'input'; readonly id: string }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'workspaceFolder' | 'workspaceFolderBasename' | 'userHome' }
  | { readonly kind: 'unknown'; readonly text: string };

const VARIABLE = /\$\{([^{}]*)\}/g;

export function variablesIn(text: string): readonly Variable[] {
  return [...text.matchAll(VARIABLE)].map(([, inner]) => variable(inner ?? ''));
}

/** Replaces variables by their values. Text inside of a value is never replaced. */
export function substituted(text: string, valueOf: (variable: Variable) => string): string {
  return text.replace(VARIABLE, (_, inner: string) => valueOf(variable(inner)));
}

function variable(inner: string): Variable {
  if (inner === 'workspaceFolder' || inner === 'workspaceFolderBasename' || inner === 'userHome') {
    return { kind: inner };
  }
  const [, kind, name = ''] = /^(input|env):(.+)$/s.exec(inner) ?? [];
  if (kind === 'input') {
    return { kind, id: name };
  }
  return kind === 'env' ? { kind, name } : { kind: 'unknown', text: `\${${inner}}` };
}
