import type { Ttl } from './prompt.js';
import { invalid } from './refusal.js';
import { items, member, stringMember, type WireNode } from './wireJson.js';

/** "You can define up to 4 cache breakpoints." */
const MOST_MARKS = 4;

export interface Markable {
  readonly node: WireNode;
  readonly path: string;
}

/** Returns the mark of each block or null, in the order of the prompt. Throws a `Refusal` for invalid marks. */
export function readMarks(blocks: readonly Markable[], request: WireNode): (Ttl | null)[] {
  const marks = blocks.map(explicitMark);
  const explicit = marks.filter((mark) => mark !== null).length;
  if (explicit > MOST_MARKS) {
    throw invalid(`A maximum of ${MOST_MARKS} blocks with cache_control may be provided. Found ${explicit}.`);
  }
  if (member(request, 'cache_control') !== undefined) {
    throw invalid('cache_control: this server takes no mark of the whole request');
  }
  checkOrder(blocks, marks);
  return marks;
}

function explicitMark({ node, path }: Markable): Ttl | null {
  refuseNestedMarks(node, path);
  const control = member(node, 'cache_control');
  if (control === undefined) {
    return null;
  }
  if (isThinking(node)) {
    throw invalid(`${path}.${stringMember(node, 'type') ?? ''}.cache_control: Extra inputs are not permitted`);
  }
  if (isEmptyText(node)) {
    throw invalid(`${path}.text: cache_control cannot be set for empty text blocks`);
  }
  return readTtl(control, `${path}.cache_control`);
}

/** "Sub-content blocks themselves cannot be cached directly." The API's answer is not documented. */
function refuseNestedMarks(node: WireNode, path: string): void {
  items(node, 'content').forEach((nested, index) => {
    if (member(nested, 'cache_control') !== undefined) {
      throw invalid(`${path}.content.${index}.cache_control: mark the top-level block instead`);
    }
  });
}

function readTtl(control: WireNode, path: string): Ttl {
  if (stringMember(control, 'type') !== 'ephemeral') {
    throw invalid(`${path}.type: Input should be 'ephemeral'`);
  }
  const names = control.kind === 'object' ? [...control.members.keys()] : [];
  const extra = names.find((name) => name !== 'type' && name !== 'ttl');
  if (extra !== undefined) {
    throw invalid(`${path}.ephemeral.${extra}: Extra inputs are not permitted`);
  }
  const ttl = member(control, 'ttl') === undefined ? '5m' : stringMember(control, 'ttl');
  if (ttl !== '5m' && ttl !== '1h') {
    throw invalid(`${path}.ephemeral.ttl: Input should be '5m' or '1h'`);
  }
  return ttl;
}

/** "Cache entries with longer TTL must appear before shorter TTLs." */
function checkOrder(blocks: readonly Markable[], marks: readonly (Ttl | null)[]): void {
  const short = marks.indexOf('5m');
  const late = marks.findIndex((mark, index) => mark === '1h' && short >= 0 && index > short);
  if (late >= 0) {
    throw invalid(
      `${blocks[late]?.path ?? ''}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' ` +
        'cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.',
    );
  }
}

function isThinking(node: WireNode): boolean {
  const type = stringMember(node, 'type');
  return type === 'thinking' || type === 'redacted_thinking';
}

function isEmptyText(node: WireNode): boolean {
  return stringMember(node, 'type') === 'text' && stringMember(node, 'text') === '';
}
