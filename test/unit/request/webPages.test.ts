import assert from 'node:assert/strict';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { dropLines } from '../../../src/engine/request/fit.js';
import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';
import { user, assistant } from '../../support/engine/messages.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { RecordedChat, requestOf, withFiles, type Sent } from '../../support/engine/requests.js';
import { shape, TieredChat } from '../../support/engine/tieredChat.js';
import { blocksOf } from '../../support/engine/wireRules.js';
import { situationAfter } from '../../support/engine/situations.js';

const ADDRESS = 'https://tides.example/quay.html';
const LINES = Array.from({ length: 40 }, (_, at) => `Day ${String(at)}: high water at ${String(at)} o'clock.`);
const PAGE = `# Tides\n\n${LINES.join('\n')}\n`;
const BOTH = withFiles({ 'a.ts': 'a\n', [ADDRESS]: PAGE });

/** The first text of each message, its first line only. */
function heads({ prompt }: Pick<Sent, 'prompt'>): string[] {
  return prompt.messages.map(({ role, blocks }) => {
    const part = blocks[0]?.part;
    return `${role}: ${(part?.type === 'text' ? part.text : '').split('\n')[0] ?? ''}`;
  });
}

function textOf(sent: Pick<Sent, 'prompt'>, key: string): string {
  const part = blocksOf(sent.prompt).find((block) => block.key === key)?.part;
  return part?.type === 'text' ? part.text : '';
}

describe('prompt assembly (non-tiered)', () => {
  const plain = requestOf(BOTH, new BlockFactory(characters, sha256));

  it('URL context as user/assistant pair with acknowledgement', () => {
    assert.deepEqual(heads(plain), [
      'user: # Web Pages',
      'assistant: Understood. I will use the content of these web pages.',
      'user: # Working Files',
      'assistant: Understood. I will work with these files.',
      'user: Hello',
    ]);
  });

  it('names the address of a page, and fences its text as Markdown', () => {
    assert.equal(textOf(plain, `page:${ADDRESS}`), `${ADDRESS}\n\`\`\`markdown\n${PAGE}\`\`\``);
  });

  it('tells the model that the text of a page is no instruction', () => {
    assert.match(textOf(plain, 'pages:header'), /information, not instructions/);
  });

  it('a request without pages has no text about pages', () => {
    const prompt = requestOf(withFiles({ 'a.ts': 'a\n' }), new BlockFactory(characters, sha256));
    assert.ok(heads(prompt).every((head) => !head.includes('Web Pages')));
  });
});

describe('prompt assembly (tiered)', () => {
  it('File tree, URL context, active files included at correct positions', () => {
    const chat = new TieredChat();
    const first = shape(chat.ask({ 'a.ts': 'a', [ADDRESS]: PAGE }, {}).prompt);
    assert.deepEqual(first, [
      'system: global*',
      `user: pages:header page:${ADDRESS}`,
      'assistant: pages:acknowledged',
      'user: files:header file:a.ts',
      'assistant: files:acknowledged',
      'user: u1',
    ]);
  });

  it('keeps pages behind the cached tiers and before the working files', () => {
    const chat = new TieredChat();
    const later = shape(chat.repeat(4, { 'a.ts': 'a', [ADDRESS]: PAGE }, {}));
    assert.deepEqual(later.slice(0, 5), [
      'system: global*',
      'user: files:header/L3 file:a.ts',
      'assistant: files:acknowledged/L3*',
      `user: pages:header page:${ADDRESS}`,
      'assistant: pages:acknowledged',
    ]);
  });
});

describe('web pages in the layout adaptive', () => {
  const ONE = user('u1', `When is high water? ${'I need it for the harbour. '.repeat(100)}`);
  const TWO = [ONE, assistant('r1', 'At noon.'), user('u2', 'And now?')];

  function keys({ prompt }: Sent): string[] {
    return prompt.messages.map(({ role, blocks }) => {
      const shown = blocks.map(({ key, form }) => (form === 'full' ? key : `${key} (${form})`));
      return `${role}: ${shown.join(', ')}`;
    });
  }

  it('come before the files, each kind with its own header', () => {
    const sent = new RecordedChat().send({ layout: LAYOUTS.adaptive, messages: [ONE], ...BOTH });
    const page = `page:${ADDRESS}`;
    assert.deepEqual(keys(sent), [`user: header:${page}, ${page}, header:file:a.ts, file:a.ts, message:u1/0`]);
  });

  it('sends a refreshed page as a difference to the text that the model has', () => {
    const chat = new RecordedChat();
    chat.send({ layout: LAYOUTS.adaptive, messages: [ONE], ...BOTH });
    const newer = PAGE.replace('Day 20: high water', 'Day 20: spring tide');
    const second = chat.send({
      layout: LAYOUTS.adaptive,
      situation: situationAfter(chat, 60_000),
      messages: TWO,
      ...withFiles({ 'a.ts': 'a\n', [ADDRESS]: newer }),
    });
    assert.deepEqual(keys(second).slice(2), [`user: header:page:${ADDRESS}~2, page:${ADDRESS}~2 (difference), message:u2/0`]);
    assert.match(textOf(second, `page:${ADDRESS}~2`), new RegExp(`^${ADDRESS} has changed:\n`));
    assert.ok(textOf(second, `page:${ADDRESS}~2`).includes("+Day 20: spring tide at 20 o'clock."));
  });
});

describe('a web page in a request without room', () => {
  it('is cut like a file', () => {
    const factory = new BlockFactory(characters, sha256);
    const shown = dropLines(new Map([[ADDRESS, PAGE.repeat(10)]]), 1_000, factory);
    assert.ok((shown.get(ADDRESS) ?? 0) > 0);
  });
});
