import * as vscode from 'vscode';
import type { RandomHex } from '../../engine/ports.js';

export interface WebviewPeer {
  connect(post: (message: unknown) => void): void;
  /** Call this when the webview is hidden or closed. Posts nothing until the webview is ready again. */
  hidden(): void;
  receive(message: unknown): Promise<void>;
}

/** A page: the bundle `dist/webview/{name}.js`, its style sheet, and the element `<loupe-{name}>`. */
export interface PageSource {
  readonly extensionUri: vscode.Uri;
  readonly random: RandomHex;
  readonly name: string;
  readonly title: string;
}

export interface ViewTabPorts extends Pick<PageSource, 'extensionUri' | 'random'> {
  readonly showLog: () => void;
}

/** Fills a webview with an empty `<loupe-{name}>`. The content security policy forbids foreign scripts and styles. */
export function showPage(webview: vscode.Webview, { extensionUri, random, name, title }: PageSource): void {
  const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  const nonce = random.hex(32);
  const file = (path: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, path)).toString();
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `font-src ${webview.cspSource}`,
    `img-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  webview.html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file(`${name}.css`)}">
<title>${title}</title>
</head>
<body>
<loupe-${name}></loupe-${name}>
<script type="module" nonce="${nonce}" src="${file(`${name}.js`)}"></script>
</body>
</html>`;
}
