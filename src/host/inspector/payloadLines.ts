/*
 * Splits a JSON body into lines for display. Adds only line breaks and indentation: numbers, escapes and the order of
 * members stay as sent. Keeps offsets instead of texts, so that a body of many megabytes needs little memory.
 */

interface PayloadLine {
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

const INDENT = '  ';

export class PayloadLines {
  readonly #body: string;
  readonly #lines: readonly PayloadLine[];

  /** `body` must be valid JSON. */
  constructor(body: string) {
    this.#body = body;
    this.#lines = linesOf(body);
  }

  get count(): number {
    return this.#lines.length;
  }

  /** Returns lines `[from, to)`, each cut to `most` characters. `cut`: number of removed characters. */
  read(from: number, to: number, most: number): { readonly text: string; readonly cut: number }[] {
    return this.#lines.slice(from, to).map((line) => {
      const end = Math.min(line.to, line.from + most);
      return { text: `${INDENT.repeat(line.depth)}${this.#body.slice(line.from, end)}`, cut: line.to - end };
    });
  }

  /** Returns the lines `[from, to)` of the object at offset `place`, or of the object around a list with one object. */
  around(place: number): readonly [from: number, to: number] {
    let opening = this.#openingBefore(this.#lineAt(place));
    let lines = this.#block(opening);
    // Replaces the only object of a list by the object that contains the list.
    for (;;) {
      const list = this.#openingBefore(opening);
      const isOnly = this.#endsWith(list, '[') && list === opening - 1 && this.#block(list)[1] === lines[1] + 1;
      const holder = isOnly ? this.#openingBefore(list) : -1;
      if (holder <= 0) {
        return lines;
      }
      opening = holder;
      lines = this.#block(opening);
    }
  }

  #lineAt(place: number): number {
    let [low, high] = [0, this.#lines.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lines[middle]?.from ?? 0) <= place) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Returns the line at which the outer object or list begins. 0 at the top. */
  #openingBefore(at: number): number {
    const depth = this.#lines[at]?.depth ?? 0;
    let before = at;
    while (before > 0 && (this.#lines[before]?.depth ?? 0) >= depth) {
      before -= 1;
    }
    return before;
  }

  #block(opening: number): readonly [from: number, to: number] {
    const depth = this.#lines[opening]?.depth ?? 0;
    let to = opening + 1;
    while (to < this.#lines.length && (this.#lines[to]?.depth ?? 0) > depth) {
      to += 1;
    }
    return [opening, Math.min(to + 1, this.#lines.length)];
  }

  #endsWith(at: number, bracket: string): boolean {
    return this.#body[(this.#lines[at]?.to ?? 0) - 1] === bracket;
  }
}

/** Matches characters at which a line can end. Also quotes, because brackets inside strings do not end a line. */
const STRUCTURE = /["[\]{},]/g;

function linesOf(body: string): PayloadLine[] {
  const lines: PayloadLine[] = [];
  const structure = new RegExp(STRUCTURE);
  let [from, depth] = [0, 0];
  const end = (to: number): void => {
    if (to > from) {
      lines.push({ from, to, depth });
    }
    from = to;
  };
  for (let match = structure.exec(body); match !== null; match = structure.exec(body)) {
    const at = match.index;
    switch (match[0]) {
      case '"':
        structure.lastIndex = endOfString(body, at);
        break;
      case ',':
        end(at + 1);
        break;
      case '[':
      case '{':
        if (isClosing(body[at + 1])) {
          // Skips an empty object or list, which gets no line break.
          structure.lastIndex = at + 2;
        } else {
          end(at + 1);
          depth += 1;
        }
        break;
      default:
        end(at);
        depth -= 1;
    }
  }
  end(body.length);
  return lines;
}

function isClosing(character: string | undefined): boolean {
  return character === ']' || character === '}';
}

function endOfString(body: string, start: number): number {
  for (let at = body.indexOf('"', start + 1); at !== -1; at = body.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (body[at - 1 - backslashes] === '\\') {
      backslashes += 1;
    }
    if (backslashes % 2 === 0) {
      return at + 1;
    }
  }
  return body.length;
}
