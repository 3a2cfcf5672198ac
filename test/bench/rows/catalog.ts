import { setImmediate } from 'node:timers/promises';
import { EMPTY_CATALOG, type Catalog } from '../../../src/engine/context/catalogItem.js';
import { CatalogRanker } from '../../../src/host/context/catalog/catalogRanker.js';
import { readCatalog } from '../../../src/host/context/catalog/readCatalog.js';
import { nextRequestRows } from '../../../src/host/panel/nextRequest/contextUsed.js';
import { MemoryFiles, Windows } from '../../support/host/window.js';
import { medianOf, race } from '../race.js';
import type { Row } from '../row.js';
import { longestStall } from '../stall.js';
import { realTexts } from '../texts.js';
import { readingOf } from '../../support/host/catalogReading.js';

const DRAFT = { images: [], messageId: 'draft', editing: null };

export const RULES = 1_000;
/** Characters of a rule, some twenty lines. */
const TEXT = 1_500;
const ROUNDS = 5;
const KEYS = 100;
export const TYPED = 'how do I parse the value of a function in typescript, and where do the errors go?';
const TYPING = 'Loupe, one key';

/** Types a message in a chat with a large catalog. Each key composes the preview and its rows. */
export const catalog: Row = {
  name: 'catalog',
  job: `compose the next request at a key, with ${RULES.toLocaleString('en')} rules of ${String(TEXT)} characters to pick from`,
  async measure() {
    const rules = await readRules();
    const reading = await longestStall(() => new CatalogRanker().rank(rules, TYPED, { most: 20, loadsTools: true }));
    const windows = new Windows();
    await windows.load();
    await windows.newFolder();
    try {
      const files = new MemoryFiles();
      files.catalog = () => Promise.resolve(rules);
      const session = await windows.open({ files }).chats.create();
      const type = async (): Promise<number> => {
        const started = performance.now();
        for (let key = 1; key <= KEYS; key += 1) {
          nextRequestRows(await session.next.preview({ ...DRAFT, text: TYPED.slice(0, key % TYPED.length) }));
          await setImmediate();
        }
        return (performance.now() - started) / KEYS;
      };
      await type();
      const stall = await longestStall(type);
      const samples = await race([{ name: TYPING, run: type }], { rounds: ROUNDS });
      return {
        samples,
        amount: null,
        verdicts: [
          { what: 'ms for a key', measured: medianOf(samples, TYPING), target: { atMost: 16 } },
          { what: 'longest stall while typing, ms', measured: stall, target: { atMost: 20 } },
          { what: 'longest stall while the rules are first ranked, ms', measured: reading, target: { atMost: 20 } },
        ],
      };
    } finally {
      await windows.closeAll();
    }
  },
};

/** Rules with real texts, picked for messages. */
export async function readRules(): Promise<Catalog> {
  const text = realTexts().join('\n');
  const step = Math.floor((text.length - TEXT) / RULES);
  const rules = Array.from({ length: RULES }, (_, at) => {
    const body = text.slice(at * step, at * step + TEXT);
    const description = (body.match(/[A-Za-z]{4,}/g) ?? []).slice(0, 12).join(' ');
    return { path: `.loupe/rules/r${String(at)}.md`, content: `---\ninclude: agent\ndescription: ${description}\n---\n${body}` };
  });
  const contents = new Map(rules.map(({ path, content }) => [path, content]));
  return readCatalog(
    rules.map(({ path }) => ({ path, source: path, prefix: '', file: path })),
    readingOf((path) => {
      const content = contents.get(path) ?? '';
      return Promise.resolve({ ok: true, content, bytes: content.length });
    }),
    EMPTY_CATALOG,
  );
}
