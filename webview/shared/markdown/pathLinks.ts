import { MOST_FOUND_PATHS } from '../../../src/protocol/panel/toWebview.js';
import { fileTarget } from '../controls/links.js';

/** Time in ms for which Loupe collects paths before it asks the host. */
const COLLECT_MS = 100;
/** Time in ms after which Loupe asks again about a file that did not exist. A tool can have written it since. */
const ASK_AGAIN_MS = 10_000;

const SHOW = 'loupe-paths';

/** Shows the marked paths in a finished block as links, as soon as the host knows the files. */
export function showPaths(from: EventTarget, nodes: readonly Node[]): void {
  const marks = nodes.flatMap(marksIn);
  if (marks.length > 0) {
    from.dispatchEvent(new CustomEvent(SHOW, { bubbles: true, composed: true, detail: marks }));
  }
}

/** Makes links of the marked paths whose files exist in the workspace. Asks the host in batches, one after another. */
export class PathLinks {
  readonly #ask: (paths: readonly string[]) => void;
  readonly #found = new Set<string>();
  /** When the host said that a file does not exist, by path, in ms. */
  readonly #missing = new Map<string, number>();
  /** The marks of each path whose file is not known yet. */
  readonly #waiting = new Map<string, HTMLElement[]>();
  /** The paths of the question to the host. Null without a question. */
  #asked: readonly string[] | null = null;
  #timer: number | null = null;

  /** `ask` sends a question to the host. The answer is a call of `answered`. */
  constructor(panel: EventTarget, ask: (paths: readonly string[]) => void) {
    this.#ask = ask;
    panel.addEventListener(SHOW, (event) => {
      this.#show((event as CustomEvent<readonly HTMLElement[]>).detail);
    });
  }

  #show(marks: readonly HTMLElement[]): void {
    for (const mark of marks) {
      const path = pathOf(mark);
      if (this.#found.has(path)) {
        showLink(mark);
      } else if (performance.now() - (this.#missing.get(path) ?? -Infinity) > ASK_AGAIN_MS) {
        this.#waiting.set(path, [...(this.#waiting.get(path) ?? []), mark]);
      }
    }
    this.#askSoon();
  }

  /** Handles the host's answer to the question. `found`: the paths of existing files. */
  answered(found: readonly string[]): void {
    const exists = new Set(found);
    for (const path of this.#asked ?? []) {
      if (exists.has(path)) {
        this.#found.add(path);
        this.#waiting.get(path)?.forEach(showLink);
      } else {
        this.#missing.set(path, performance.now());
      }
      this.#waiting.delete(path);
    }
    this.#asked = null;
    this.#askSoon();
  }

  #askSoon(): void {
    if (this.#asked === null && this.#timer === null && this.#waiting.size > 0) {
      this.#timer = window.setTimeout(() => {
        this.#timer = null;
        this.#asked = [...this.#waiting.keys()].slice(0, MOST_FOUND_PATHS);
        this.#ask(this.#asked);
      }, COLLECT_MS);
    }
  }
}

function marksIn(node: Node): readonly HTMLElement[] {
  return node instanceof HTMLElement ? [...node.querySelectorAll<HTMLElement>('span[data-path]')] : [];
}

function pathOf(mark: HTMLElement): string {
  return fileTarget(mark.dataset['path'] ?? '')?.path ?? '';
}

function showLink(mark: HTMLElement): void {
  const href = mark.dataset['path'] ?? '';
  const link = document.createElement('a');
  link.setAttribute('role', 'link');
  link.tabIndex = 0;
  link.dataset['href'] = href;
  link.title = href;
  link.append(...mark.childNodes);
  mark.replaceWith(link);
}
