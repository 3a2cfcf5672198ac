import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SentMessage } from '../../src/engine/chat/message.js';
import { BlockFactory } from '../../src/engine/request/blockFactory.js';
import type { Convert, Model } from '../../src/engine/run/model.js';
import { readablePage, requestSections, headings, type Section } from '../../src/host/documents/readablePage.js';
import { fieldNumber } from '../../src/host/documents/requestForm.js';
import { requestParts, type RequestPart } from '../../src/host/request/requestParts.js';
import { convert as convertForVsCode } from '../../src/host/models/languageModels/convert.js';
import { LANGUAGE_MODEL_CAPABILITIES } from '../../src/host/models/languageModels/languageModelSource.js';
import { convert as convertAnthropic } from '../../src/providers/anthropic/convert.js';
import { ANTHROPIC_CAPABILITIES } from '../../src/providers/anthropic/defaults.js';
import { convert as convertOpenAi } from '../../src/providers/openaiCompatible/convert.js';
import { OPENAI_COMPATIBLE_CAPABILITIES } from '../../src/providers/openaiCompatible/defaults.js';
import { convert as convertPractice } from '../../src/providers/practice/convert.js';
import { PRACTICE_STANDARD } from '../../src/providers/practice/models.js';
import { depth } from '../support/depth.mjs';
import { OPEN_MODEL } from '../support/engine/models.js';
import { characters, sha256 } from '../support/engine/ports.js';
import { anyFiles } from '../support/engine/randomTranscript.js';
import { requestOf } from '../support/engine/requests.js';
import { inRuns } from '../support/forAll.js';
import { IMAGES, randomChat } from '../support/wire/randomChats.js';

const RUNS = depth({ short: 80, deep: 2_500 });

const PROTOCOLS: readonly (readonly [convert: Convert, capabilities: Model['capabilities']])[] = [
  [convertAnthropic, ANTHROPIC_CAPABILITIES],
  [convertOpenAi, OPENAI_COMPATIBLE_CAPABILITIES],
  [convertPractice, PRACTICE_STANDARD.capabilities],
  [convertForVsCode, LANGUAGE_MODEL_CAPABILITIES],
];

/** Ends of texts: such that are long enough to be referred to, and such that look like the document's own marks. */
const anyEnd = fc.constantFrom(
  '',
  ' and so on, and so on, and so on, and so on',
  '\n━━━ 1 · You · 12 tokens\n━━━━ 2 · Assistant\n— cache mark, for 5 minutes —\n',
  '\r\n━━━━━ x\r\n⟨1⟩ "⟨2⟩" + ⟨3⟩, longer than the least that is referred to',
  '{"text": "as JSON", "more": "than the least that is referred to"}',
);

/** The messages with longer texts. */
function lengthened(messages: readonly SentMessage[], ends: readonly string[]): SentMessage[] {
  let at = 0;
  const json = JSON.stringify(messages, (_, value: unknown) => {
    const isText = typeof value === 'object' && value !== null && 'type' in value && value.type === 'text' && 'text' in value;
    at += isText ? 1 : 0;
    return isText ? { ...value, text: `${String(value.text)}${ends[at % ends.length] ?? ''}` } : value;
  });
  return JSON.parse(json) as SentMessage[];
}

/** The body whose form this is: each reference is replaced by what it stands for. */
function bodyIn(form: string, parts: readonly RequestPart[]): unknown {
  const values = new Map(parts.flatMap(({ fields }, part) => fields.map(({ value }, field) => [fieldNumber(part, field), value] as const)));
  const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
  const json = form.replace(new RegExp(`${STRING}|⟨([\\d.]+)⟩`, 'g'), (token, number: string | undefined) => {
    assert.ok(number === undefined || values.has(number), token);
    return number === undefined ? token : JSON.stringify(values.get(number));
  });
  // A sum of texts is one text.
  const sum = new RegExp(`${STRING}(?: \\+ ${STRING})+`, 'g');
  const joined = json.replace(sum, (texts) => {
    const each = Array.from(texts.matchAll(new RegExp(STRING, 'g')), ([text]) => JSON.parse(text) as string);
    return JSON.stringify(each.join(''));
  });
  return JSON.parse(joined);
}

/** With half surrogate pairs as strict protocols send them. */
function wellFormed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\uFFFD'));
}

/** The sections that a reader of the page finds. */
function sectionsIn(page: string): Section[] {
  const lines = page.split(/\r\n|\r|\n/).slice(0, -1);
  const found = headings(lines);
  return found.map(({ line, text: heading }, index) => {
    // Before each heading, and at the end, stands an empty line that belongs to no text.
    const below = lines.slice(line + 1, (found[index + 1]?.line ?? lines.length + 1) - 1);
    return { heading, text: below.length === 0 ? null : below.join('\n') };
  });
}

describe('A readable request', () => {
  it('has every value of the body, as it is sent, under headings that no content can forge', () => {
    const anyChat = fc.record({
      chat: randomChat([{ protocol: OPEN_MODEL.protocol, model: OPEN_MODEL.ref.model }]),
      ends: fc.array(anyEnd, { minLength: 1, maxLength: 5 }),
      files: anyFiles,
      systemPrompt: fc.constantFrom('', 'Answer as a pilot would, and keep it short, please.\n', '━━━ Next request'),
      cacheMode: fc.constantFrom('all-off' as const, 'cached' as const),
    });
    inRuns(RUNS).forAll(anyChat, ({ chat, ends, ...content }) => {
      const messages = lengthened(chat.messages, ends);
      for (const [convert, capabilities] of PROTOCOLS) {
        const model = { ...OPEN_MODEL, capabilities: { ...capabilities, images: false, reasoningReplay: 'never' as const } };
        const { prompt, params } = requestOf({ ...content, model, messages }, new BlockFactory(characters, sha256));
        const { body } = convert(model, prompt, params, IMAGES);
        const parts = requestParts(prompt);
        const sections = requestSections({ title: 'Next request', head: ['Not sent.'], parts, body, framingTokens: 3, response: [] });
        const shown = sectionsIn(readablePage(sections));
        assert.deepEqual(
          shown,
          sections.map(({ heading, text }) => ({
            heading: heading.replace(/[\r\n]+/g, ' '),
            text: text?.replace(/\r\n?/g, '\n') ?? null,
          })),
        );
        const form = sections.at(-1)?.text?.split('\n').slice(1).join('\n') ?? '';
        assert.deepEqual(wellFormed(bodyIn(form, parts)), wellFormed(JSON.parse(body)));
      }
    });
  }).timeout(120_000);
});
