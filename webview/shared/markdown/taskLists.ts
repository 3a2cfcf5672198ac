import MarkdownIt, { type MarkdownIt as Renderer, type Token } from 'markdown-it';

const BOX = /^\[([ xX])\] /;

/** Shows `[ ]` and `[x]` at the start of a list item as boxes that cannot be changed. */
export function showTasks(md: Renderer): void {
  md.core.ruler.push('task_lists', ({ tokens }) => {
    for (const [index, { children }] of tokens.entries()) {
      const [first] = children ?? [];
      if (tokens[index - 1]?.type === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open' && first?.type === 'text') {
        const mark = BOX.exec(first.content)?.[1];
        if (mark !== undefined) {
          first.content = first.content.replace(BOX, '');
          children?.unshift(boxOf(mark !== ' '));
        }
      }
    }
  });
  md.renderer.rules['task'] = (tokens, index) => {
    const isDone = (tokens[index]?.meta as { done: boolean } | undefined)?.done === true;
    return `<span class="task${isDone ? ' done' : ''}" role="img" aria-label="${isDone ? 'Done' : 'To do'}"></span> `;
  };
}

function boxOf(done: boolean): Token {
  const box = new MarkdownIt.Token('task', 'span', 0);
  box.meta = { done };
  return box;
}
