import { htmlToMarkdown } from '@mdream/js';
import { Readability } from '@mozilla/readability';
import * as linkedom from 'linkedom/worker';
import type { PageText } from './conversion.js';
import { pageTitle } from './pageTitle.js';

/** The types of the library need the types of the DOM, which the extension host does not have. */
const Reader = Readability as unknown as new (
  document: unknown,
  options: { readonly keepClasses: boolean },
) => { parse(): { readonly title?: string | null; readonly content?: string | null } | null };

/** A page with more characters is a list or a reference, not an article. Finding an article in it takes too long. */
const LONGEST_ARTICLE_PAGE = 2_000_000;

/** A shorter article is probably only a part of the page. Loupe then converts the whole page. */
const SHORTEST_ARTICLE = 200;

/** A page with a password field and a shorter text is probably only a form to log in. Ordinary pages have more text. */
const LONGEST_LOGIN = 400;
/** A page with any form and a shorter text is probably only this form. */
const LONGEST_FORM = 200;

/** Elements whose text is not for readers, with their content. */
const UNREAD = /<(script|style|noscript|template|svg|iframe|button|select|textarea)\b[^>]*>[^]*?<\/\1\s*>/gi;

/** Converts a web page to Markdown. Keeps the article without menus, or the whole page if it contains no article. */
export function markdownOf(source: string): PageText {
  const article = source.length > LONGEST_ARTICLE_PAGE ? null : articleIn(source);
  const short = article === null ? '' : markdown(article.html);
  const body = short.length >= SHORTEST_ARTICLE ? short : longer(short, markdown(bodyIn(source)));
  const title = pageTitle(article?.title ?? titleIn(source));
  return {
    title,
    text: title === null || body === '' || body.startsWith(`# ${title}`) ? body : `# ${title}\n\n${body}`,
    warning: warningOf(body, source),
  };
}

function longer(a: string, b: string): string {
  return b.length > a.length ? b : a;
}

interface Article {
  readonly title: string;
  readonly html: string;
}

function articleIn(source: string): Article | null {
  // The parser needs the elements that HTML allows to omit.
  const whole = /<html\b/i.test(source) && /<body\b/i.test(source) ? source : `<html><body>${source}</body></html>`;
  const { document } = linkedom.parseHTML(whole) as unknown as { readonly document: unknown };
  // `keepClasses`: the classes of code blocks name their languages.
  const article = new Reader(document, { keepClasses: true }).parse();
  return typeof article?.content !== 'string' ? null : { title: article.title ?? '', html: article.content };
}

function bodyIn(source: string): string {
  const start = /<body\b[^>]*>/i.exec(source);
  return start === null ? source.replace(/<head\b[^>]*>[^]*?<\/head\s*>/i, '') : source.slice(start.index);
}

function titleIn(source: string): string {
  return markdown(/<title\b[^>]*>([^]*?)<\/title\s*>/i.exec(source)?.[1] ?? '');
}

function markdown(html: string): string {
  const read = html
    .replaceAll(UNREAD, '')
    // The addresses of links and images cost many tokens. Their texts stay.
    .replaceAll(/<\/?a\b[^>]*>/gi, '')
    .replaceAll(/<img\b[^>]*>/gi, (image) => alternativeOf(image));
  return htmlToMarkdown(read).trim();
}

function alternativeOf(image: string): string {
  const [, , doubleQuoted, singleQuoted] = /\balt\s*=\s*("([^"]*)"|'([^']*)')/i.exec(image) ?? [];
  return doubleQuoted ?? singleQuoted ?? '';
}

function warningOf(text: string, source: string): PageText['warning'] {
  const { length } = text;
  const isLogin = /<input\b[^>]*\btype\s*=\s*["']?password\b/i.test(source) && length < LONGEST_LOGIN;
  if (isLogin || (length < LONGEST_FORM && /<form\b/i.test(source))) {
    return 'login';
  }
  return length === 0 ? 'empty' : null;
}
