import assert from 'node:assert/strict';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import type { RequestInput } from '../../../src/engine/request/request.js';
import { readablePage, requestSections, headings } from '../../../src/host/documents/readablePage.js';
import { requestParts } from '../../../src/host/request/requestParts.js';
import { convert as convertAnthropic } from '../../../src/providers/anthropic/convert.js';
import { convert as convertOpenAi } from '../../../src/providers/openaiCompatible/convert.js';
import type { Convert } from '../../../src/engine/run/model.js';
import { assistant, call, result, results, text, user } from '../../support/engine/messages.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { PLAIN, requestOf, withFiles } from '../../support/engine/requests.js';
import { TieredChat } from '../../support/engine/tieredChat.js';

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };

const NOTES = 'First line\nSecond line of the notes, which is longer';

function pageOf(change: Partial<RequestInput>, convert: Convert): string[] {
  const { prompt, size, params, model } = requestOf({ ...PLAIN, ...change }, new BlockFactory(characters, sha256));
  const { body } = convert(model, prompt, params, new Map());
  const parts = requestParts(prompt);
  const framingTokens = parts.reduce((rest, { tokens }) => rest - tokens, size.tokens);
  const request = { title: 'Next request · 9 tokens', head: ['Not sent yet.'], parts, body, framingTokens, response: [] };
  return readablePage(requestSections(request)).split('\n');
}

const titles = (lines: readonly string[]): string[] => headings(lines).map((heading) => heading.text);

describe('A readable request', () => {
  it('has a heading for each part in the order it is sent, with its source and tokens, and its text as it is', () => {
    const page = pageOf(
      {
        systemPrompt: 'Be brief.',
        ...withFiles({ 'src/notes.md': NOTES }),
        tools: [
          {
            key: 'tool:files/write',
            definition: { type: 'toolDefinition', name: 'write', description: 'Writes a file.', schema: SCHEMA, isRetired: false },
          },
        ],
        messages: [
          user('u', 'Write them down.'),
          assistant('a', 'I will.', { ...call('c', { path: 'a.md', text: NOTES }), name: 'write' }),
          results('r', { ...result('c', text('No space left.')), name: 'write', isError: true }),
          user('v', 'Thanks'),
        ],
      },
      convertAnthropic,
    );
    assert.deepEqual(titles(page), [
      'Next request · 9 tokens',
      '1 · Tool files/write · 78 tokens',
      '1.2 · parameters',
      '2 · System prompt of Loupe · 185 tokens',
      '3 · System prompt, yours · 9 tokens',
      '4 · Files, text before them · 65 tokens',
      '5 · File src/notes.md · 103 tokens',
      '6 · Files, text after them · 41 tokens',
      '7 · You · 16 tokens',
      '8 · Assistant · 7 tokens',
      '9 · Assistant, call of write · 84 tokens',
      '9.2 · text',
      '10 · Result of write, failed · 14 tokens',
      '11 · You · 6 tokens',
      'Everything else · 35 tokens',
    ]);
    const at = page.indexOf('━━━ 9.2 · text');
    assert.deepEqual(page.slice(at - 4, at + 5), [
      '{',
      '  "path": "a.md"',
      '}',
      '',
      '━━━ 9.2 · text',
      ...NOTES.split('\n'),
      '',
      '━━━ 10 · Result of write, failed · 14 tokens',
    ]);
    assert.ok(page.includes('            "text": ⟨9.2⟩'), page.join('\n'));
  });

  it('names the texts around the files of a tier as those around the working files', () => {
    const chat = new TieredChat();
    chat.repeat(2, { 'a.ts': 'a' }, {});
    const prompt = chat.repeat(2, { 'a.ts': 'a', 'b.ts': 'b' }, {});
    const [, ...parts] = requestParts(prompt).map(({ title }) => title);
    const around = (file: string): string[] => ['Files, text before them', `File ${file}`, 'Files, text after them'];
    assert.deepEqual(parts.slice(0, 6), [...around('a.ts'), ...around('b.ts')]);
  });

  it('has each cache mark where it stands', () => {
    const page = pageOf({ cacheMode: 'cached', messages: [user('u', 'Hello')] }, convertAnthropic);
    assert.deepEqual(titles(page).slice(1, -1), [
      '1 · System prompt of Loupe · 184 tokens',
      '— cache mark, for 5 minutes —',
      '2 · You · 5 tokens',
      '— cache mark, for 5 minutes —',
    ]);
  });

  it('says what a protocol adds to a text', () => {
    const reason = 'There is no space left on the device, not even for this.';
    const page = pageOf(
      {
        messages: [
          user('u', 'Go'),
          assistant('a', call('c', {})),
          results('r', { ...result('c', text(reason)), isError: true }),
          user('v', 'So?'),
        ],
      },
      convertOpenAi,
    );
    assert.ok(page.includes(`      "content": "Error: " + ⟨4⟩`), page.join('\n'));
    assert.ok(page.includes(reason));
  });

  it('keeps a text apart that looks like a heading, and a path with a line break', () => {
    const page = pageOf({ ...withFiles({ 'a\nb': '' }), messages: [user('u', '━━━ 1 · You · 5 tokens\n━━━━ no')] }, convertAnthropic);
    assert.equal(page[0], '━━━━━ Next request · 9 tokens');
    assert.equal(headings(page).length, 7);
    assert.ok(page.includes('━━━ 1 · You · 5 tokens'));
    assert.ok(page.some((line) => line.startsWith('━━━━━ 3 · File a b · ')));
  });

  it('leaves out the bytes of an image, and says how many there are', () => {
    const parts = requestParts({ tools: [], system: [], messages: [] });
    const body = JSON.stringify({ image: `data:image/png;base64,${'A'.repeat(9_978)}` });
    const sections = requestSections({ title: 'Request', head: [], parts, body, framingTokens: 0, response: ['Response: HTTP 200'] });
    assert.match(sections.at(-2)?.text ?? '', /"image": ⟨10,000 characters of encoded data⟩/);
    assert.equal(sections.at(-1)?.heading, 'Response: HTTP 200');
  });

  it('has no headings where another text is in its place', () => {
    assert.deepEqual(headings(['━━ x', '━━━ y']), []);
  });
});
