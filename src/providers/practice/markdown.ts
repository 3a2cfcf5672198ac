export interface MarkdownScan {
  readonly plain: readonly string[];
  /** The line before each fenced code block, or ''. */
  readonly captions: readonly string[];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Finds fenced code blocks by the rules of CommonMark. An unclosed block extends to the end. */
export function scanMarkdown(text: string): MarkdownScan {
  const plain: string[] = [];
  const captions: string[] = [];
  let open: string | null = null;
  let before = '';
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, fence, info] = FENCE.exec(line) ?? [];
    if (fence === undefined || info === undefined) {
      if (open === null) {
        plain.push(line);
      }
    } else if (open === null) {
      open = fence;
      captions.push(before);
    } else if (fence.startsWith(open) && info.trim() === '') {
      open = null;
    }
    before = line;
  }
  return { plain, captions };
}

/** Formats Markdown inline code, even for text with backticks. */
export function inlineCode(text: string): string {
  const runs = new Set(Array.from(text.matchAll(/`+/g), (run) => run[0].length));
  let length = 1;
  while (runs.has(length)) {
    length += 1;
  }
  const quote = '`'.repeat(length);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${quote}${space}${text}${space}${quote}`;
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
