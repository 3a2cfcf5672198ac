/** Prefix of provider ids for VS Code's language models. Ids of other providers never start with this prefix. */
export const VSCODE_PROVIDER_PREFIX = 'vscode.';

/** Whether an extension in VS Code provides the models of this provider and manages the access to them. */
export function isVscodeProvider(id: string): boolean {
  return id.startsWith(VSCODE_PROVIDER_PREFIX);
}
