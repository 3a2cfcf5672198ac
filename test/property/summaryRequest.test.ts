import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatConfig } from '../../src/engine/chat/settings/config.js';
import { promptBlocks } from '../../src/engine/model/prompt.js';
import type { ComposedRequest } from '../../src/engine/next/compose.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import type { ActiveFile, EditorSource } from '../../src/host/context/editorState/editorSource.js';
import { PRACTICE_STANDARD } from '../../src/providers/practice/models.js';
import { depth } from '../support/depth.mjs';
import { NO_EDITOR } from '../support/host/editor.js';
import { EchoTool } from '../support/host/reading.js';
import { MemoryFiles, useWindows } from '../support/host/window.js';

/** The text that is selected in the editor. */
interface Selected {
  text: string | null;
}

type Step = (session: ChatSession, files: MemoryFiles, selected: Selected) => Promise<void>;

const item = (name: string) => ({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null }) as const;
const send =
  (text: string): Step =>
  ({ conversation }) =>
    conversation.send(text);

const withFile =
  (text: string): Step =>
  async (session, { texts }) => {
    texts.set('a.ts', text);
    await session.context.add(item('a.ts'));
  };
const withoutFile: Step = (session) => session.context.remove(item('a.ts'));
/** Longer than the minimum of the cache. */
const LONG = 'two\n'.repeat(2_000);

const step: fc.Arbitrary<Step> = fc.oneof(
  // The first text picks a rule.
  { weight: 4, arbitrary: fc.constantFrom('The tide at the boat', 'Text', '/long 100', '/tool echo {"a": 1}').map(send) },
  fc.constantFrom('one\n', LONG).map(withFile),
  fc.constant(withoutFile),
  fc.constantFrom('push(item);', 'pop();', null).map(
    (text): Step =>
      (_session, _files, selected) => {
        selected.text = text;
        return Promise.resolve();
      },
  ),
  fc.constantFrom('Be brief.', null).map(
    (text): Step =>
      (session) =>
        session.fragments.set('fragment', text),
  ),
);

const config = fc.constantFrom<Partial<ChatConfig>>(
  ...(['adaptive', 'adaptive', 'tiered', 'plain', 'message-70'] as const).map((layout) => ({ layout, cacheMode: 'cached' as const })),
  ...(['all-off', 'system'] as const).map((cacheMode) => ({ cacheMode })),
);

function activeFile({ text }: Selected): ActiveFile | null {
  return text === null ? null : { path: 'a.ts', withheld: null, visible: null, selection: { lines: [1, 1], text, isCut: false } };
}

const keys = ({ prompt }: ComposedRequest): readonly string[] => promptBlocks(prompt).map(({ key, hash }) => `${key} ${hash}`);

describe('the request for a summary', () => {
  const windows = useWindows();

  async function check(chosen: Partial<ChatConfig>, steps: readonly Step[], last: string): Promise<void> {
    await windows.newFolder();
    const files = new MemoryFiles();
    files.texts.set('.loupe/rules/tides.md', '---\nname: Tides\ninclude: agent\ndescription: The tide and the boat.\n---\nIn metres.');
    const selected: Selected = { text: 'heap();' };
    const editor: EditorSource = { ...NO_EDITOR, active: () => Promise.resolve(activeFile(selected)) };
    const { session } = await windows.openChat({ files, editor, tools: new EchoTool(), models: [PRACTICE_STANDARD], config: chosen });
    for (const each of steps) {
      await each(session, files, selected);
    }
    const sent: ComposedRequest[] = [];
    const toSend = session.next.toSend.bind(session.next);
    session.next.toSend = async (picking) => {
      const composed = await toSend(picking);
      sent.push(composed);
      return composed;
    };
    await session.conversation.send(last);
    const before = keys(sent.at(-1) ?? assert.fail('Nothing was sent.'));
    const asked = keys(await session.next.withInstruction(session.state, 'Summarize.'));
    assert.deepEqual(asked.slice(0, before.length), before);
    assert.match(asked.at(-1) ?? '', /^instruction /);
    await windows.closeAll();
  }

  it('begins with the blocks of the last request', async () => {
    const last = fc.constantFrom('The tide at the boat', 'Text', '/tool echo {"a": 1}');
    await fc.assert(fc.asyncProperty(config, fc.array(step, { maxLength: 8 }), last, check), { numRuns: depth({ short: 24, deep: 600 }) });
  });
});
