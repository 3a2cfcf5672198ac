/*
 * VS Code's file icon themes are not available to webviews: a codicon tells the kind of a file.
 */

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

/** The codicon for a file, by the extension of its name; a path may end in lines, as `src/a.ts:3-6` does. */
export function fileIcon(path: string): string {
  const extension = /\.([^./]+?)(?::\d+(?:-\d+)?)?$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return BY_EXTENSION.get(extension) ?? 'file-code';
}
