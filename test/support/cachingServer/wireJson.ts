/**
 * JSON with the order of members and the spelling of numbers, which `JSON.parse` loses (it sorts integer-like keys, and
 * rounds). Both count for caches, which compare the sent text: "verify that the keys in your tool_use content blocks
 * have stable ordering".
 */
export type WireNode =
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, WireNode> }
  | { readonly kind: 'array'; readonly items: readonly WireNode[] }
  | { readonly kind: 'string'; readonly value: string }
  /** A number, a boolean or null in its original spelling. */
  | { readonly kind: 'literal'; readonly spelling: string };

export function parseWireJson(text: string): WireNode {
  // The rest relies on valid JSON.
  JSON.parse(text);
  return new Reader(text).node();
}

/** The node as text without insignificant white space and without the named members of the node itself. */
export function wireText(node: WireNode, without: readonly string[]): string {
  switch (node.kind) {
    case 'object': {
      const members = [...node.members].filter(([name]) => !without.includes(name));
      return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${wireText(value, [])}`).join(',')}}`;
    }
    case 'array':
      return `[${node.items.map((item) => wireText(item, [])).join(',')}]`;
    case 'string':
      return JSON.stringify(node.value);
    case 'literal':
      return node.spelling;
  }
}

/** A member of an object. Undefined when missing or null. */
export function member(node: WireNode | undefined, name: string): WireNode | undefined {
  const found = node?.kind === 'object' ? node.members.get(name) : undefined;
  return found?.kind === 'literal' && found.spelling === 'null' ? undefined : found;
}

export function stringMember(node: WireNode | undefined, name: string): string | undefined {
  const found = member(node, name);
  return found?.kind === 'string' ? found.value : undefined;
}

export function items(node: WireNode | undefined, name: string): readonly WireNode[] {
  const found = member(node, name);
  return found?.kind === 'array' ? found.items : [];
}

export function isTrue(node: WireNode | undefined, name: string): boolean {
  const found = member(node, name);
  return found?.kind === 'literal' && found.spelling === 'true';
}

/** Reads valid JSON only. */
class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  node(): WireNode {
    this.skipSpace();
    switch (this.text.charAt(this.at)) {
      case '{':
        return { kind: 'object', members: new Map(this.list('}', () => this.namedNode())) };
      case '[':
        return { kind: 'array', items: this.list(']', () => this.node()) };
      case '"':
        return { kind: 'string', value: this.string() };
      default:
        return { kind: 'literal', spelling: this.literal() };
    }
  }

  private namedNode(): [string, WireNode] {
    const name = this.string();
    this.skipSpace();
    this.at += 1; // the colon
    return [name, this.node()];
  }

  private list<T>(end: string, read: () => T): T[] {
    const found: T[] = [];
    this.at += 1; // the opening bracket
    this.skipSpace();
    while (this.text.charAt(this.at) !== end) {
      found.push(read());
      this.skipSpace();
      if (this.text.charAt(this.at) === ',') {
        this.at += 1;
        this.skipSpace();
      }
    }
    this.at += 1;
    return found;
  }

  private string(): string {
    const start = this.at;
    this.at += 1;
    while (this.text.charAt(this.at) !== '"') {
      this.at += this.text.charAt(this.at) === '\\' ? 2 : 1;
    }
    this.at += 1;
    return JSON.parse(this.text.slice(start, this.at)) as string;
  }

  private literal(): string {
    const start = this.at;
    while (/[-+.\w]/u.test(this.text.charAt(this.at))) {
      this.at += 1;
    }
    return this.text.slice(start, this.at);
  }

  private skipSpace(): void {
    while (' \t\r\n'.includes(this.text.charAt(this.at)) && this.at < this.text.length) {
      this.at += 1;
    }
  }
}
