import { type TemplateResult, html } from 'lit';

/* Codicons for kinds of files, because webviews have no access to VS Code's file icon themes. */

const KINDS: Readonly<Record<string, string>> = {
  markdown: 'md mdx markdown',
  json: 'json jsonc json5 jsonl',
  'file-text': 'txt log rst adoc tex',
  table: 'csv tsv',
  database: 'sql db sqlite',
  notebook: 'ipynb',
  terminal: 'sh bash zsh fish ps1 bat cmd',
  'settings-gear': 'yaml yml toml ini cfg conf env properties editorconfig',
  'file-media': 'png jpg jpeg gif webp svg bmp ico mp3 mp4 wav',
  'file-pdf': 'pdf',
  'file-zip': 'zip gz tar tgz xz 7z',
  'symbol-color': 'css scss sass less',
};

const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries(KINDS).flatMap(([icon, extensions]) => extensions.split(' ').map((extension) => [extension, icon] as const)),
);

/** Returns the codicon for a file by its extension. The path may end in line numbers: `src/a.ts:3-6`. */
export function fileIcon(path: string): string {
  const extension = /\.([^./]+?)(?::\d+(?:-\d+)?)?$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return BY_EXTENSION.get(extension) ?? 'file-code';
}

/** A codicon that screen readers skip. The text next to the icon, or the name of the button, says the meaning. */
export function icon(name: string): TemplateResult {
  return html`<i class="codicon codicon-${name}" aria-hidden="true"></i>`;
}
