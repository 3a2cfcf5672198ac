import type { WrittenType } from '../../../engine/record/item.js';

/** Returns the path and text of a new catalog file. Null for a name without letters and digits. */
export function catalogTemplate(kind: WrittenType, name: string): { readonly path: string; readonly text: string } | null {
  const stem = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  if (stem === '') {
    return null;
  }
  switch (kind) {
    case 'rule':
      return { path: `.loupe/rules/${stem}.md`, text: frontMatter({ name, description: '', include: 'always' }) };
    case 'reference':
      return { path: `.loupe/references/${stem}.md`, text: frontMatter({ name, description: '', include: 'manual' }) };
    case 'skill':
      // The name of a skill is the name of its folder: https://agentskills.io/specification
      return { path: `.agents/skills/${stem}/SKILL.md`, text: frontMatter({ name: stem, description: '' }) };
  }
}

/** Returns front matter. Writes values as JSON, which is valid YAML, because a name may contain any character. */
function frontMatter(values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([key, value]) => `${key}: ${value === '' ? '' : JSON.stringify(value)}`.trimEnd());
  return ['---', ...lines, '---', '', ''].join('\n');
}
