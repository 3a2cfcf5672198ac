import * as vscode from 'vscode';

/** Opens an absolute web address in the user's browser. Returns false after a cancel. */
export async function openAddress(address: string): Promise<boolean> {
  // VS Code passes on a text as it is, although the types allow only a `Uri`. A `Uri` decodes `%26` in a parameter, and
  // the parameter then ends early.
  return vscode.env.openExternal(address as unknown as vscode.Uri);
}
