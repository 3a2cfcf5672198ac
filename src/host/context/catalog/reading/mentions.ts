import { proseOf } from './prose.js';

/* Finds the files that a rule mentions, outside of code and comments. */

/** How the rules of a program mention files. */
export interface MentionStyle {
  /** The folder of a relative path: that of the rule, or the workspace folder. */
  readonly from: 'rule' | 'workspaceFolder';
  /** Signs of a mention, in addition to `@path`. */
  readonly link: RegExp | null;
  /** Whether the program removes HTML comments from rules. */
  readonly dropsComments: boolean;
}

export interface Mention {
  readonly path: string;
  /** False for a word that may be a name, such as `@someone`. Loupe does not report that no such file exists. */
  readonly isPath: boolean;
}

/** Matches `@path`, in which a backslash keeps the next blank. Email addresses do not match. */
const AT = /@(?<![\p{Script=Latin}\p{N}_@/.\\]@)((?:\\.|[^\s\\@`"<>|，。、；：！？（）「」『』《》])+)/gu;

/** Matches signs after a path that belong to the sentence. */
const SENTENCE_END = /[.,;:!?"'*_>\]}…]$/;

const HAS_EXTENSION = /[^/]\.[A-Za-z]\w*$/;

export function mentionsIn(text: string, { link }: MentionStyle): readonly Mention[] {
  if (!text.includes('@') && (link === null || text.search(link) === -1)) {
    return [];
  }
  const { text: prose } = proseOf(text);
  const named = Array.from(prose.matchAll(AT), (found) => mentionOf(found[1] ?? '')).filter((mention) => mention !== null);
  const linked = link === null ? [] : Array.from(prose.matchAll(link), (found) => ({ path: withoutSection(found[1] ?? ''), isPath: true }));
  return [...named, ...linked].filter(({ path }) => path !== '');
}

export function withoutComments(text: string): string {
  return text.includes('<!--') ? proseOf(text).withoutComments.trim() : text;
}

/** Returns null for an address, and for names of modules such as `@/components`. */
function mentionOf(written: string): Mention | null {
  const path = withoutSection(withoutSentenceEnd(written)).replaceAll(/\\(.)/g, '$1');
  const isFromRoot = path.startsWith('/');
  if (/^\w+:/.test(path) || (isFromRoot && !/\.mdc?$/.test(path))) {
    return null;
  }
  return { path, isPath: HAS_EXTENSION.test(path) || /^(?:\.{1,2}|~)\//.test(path) };
}

function withoutSentenceEnd(path: string): string {
  const inside = path.includes('(') ? path : path.replace(/\).*/, '');
  return SENTENCE_END.test(inside) ? withoutSentenceEnd(inside.slice(0, -1)) : inside;
}

/** Removes a section or lines, such as `#usage` or `#L10`. */
function withoutSection(path: string): string {
  return path.replace(/#.*$/, '');
}
