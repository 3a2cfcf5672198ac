import DOMPurify from 'dompurify';
import { visibleNodes } from '../visibleText.js';

/*
 * Checks the HTML of the renderer a second time. Only elements and attributes that the renderer uses reach the page,
 * without URLs that a browser would follow or fetch.
 */

const ALLOWED_TAGS = [
  'a',
  'blockquote',
  'br',
  'code',
  'div',
  'em',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'li',
  'ol',
  'p',
  'pre',
  's',
  'span',
  'strong',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'ul',
];

const ALLOWED_ATTR = ['aria-label', 'class', 'data-href', 'data-info', 'data-path', 'dir', 'role', 'start', 'tabindex', 'title'];

/** Returns rendered Markdown as DOM nodes. Marks hidden characters, except in code blocks: `CodeBlock` marks those. */
export function sanitize(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS,
    ALLOWED_ATTR,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode() !== null) {
    const node = walker.currentNode as Text;
    // A text node at the top level has no parent element.
    const frame = node.parentElement?.closest('pre') ?? null;
    if (frame === null) {
      texts.push(node);
    }
  }
  for (const node of texts) {
    showHidden(node);
  }
  return fragment;
}

function showHidden(node: Text): void {
  const nodes = visibleNodes(node.data);
  if (nodes.some((piece) => piece instanceof Element)) {
    node.replaceWith(...nodes);
  }
}
