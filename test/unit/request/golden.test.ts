import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANTHROPIC_PROTOCOL } from '../../../src/providers/anthropic/defaults.js';
import { OPENAI_COMPATIBLE_PROTOCOL } from '../../../src/providers/openaiCompatible/defaults.js';
import { PRACTICE_PROTOCOL } from '../../../src/providers/practice/models.js';
import { sha256 } from '../../support/engine/ports.js';
import { scriptedHouse } from '../../support/host/scriptedHouse.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';
import { root } from '../../support/paths.mjs';
import { GOLDEN_CHATS, GoldenTool, type GoldenChat } from './goldenChats.js';

/*
 * The requests of some chats on the wire. A changed body makes every cache cold. If the change is intended,
 * LOUPE_GOLDEN=write writes the files. Read the difference.
 */

const FOLDER = join(root, 'test/unit/request/golden');
const IS_WRITING = process.env['LOUPE_GOLDEN'] === 'write';

/** Signs reasoning in each protocol. The practice model has none. */
const PROTOCOLS: Readonly<Record<string, (name: string) => string>> = {
  [ANTHROPIC_PROTOCOL]: (name) => `signature ${name}`,
  [OPENAI_COMPATIBLE_PROTOCOL]: () => 'reasoning_content',
  [PRACTICE_PROTOCOL]: (name) => name,
};

/** Golden files are for reading: longer texts become length and SHA-256. */
const LONGEST_SHOWN = 2_000;

function shown(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > LONGEST_SHOWN
    ? `${value.slice(0, 40)}... (${value.length} characters, SHA-256 ${sha256(value)})`
    : value;
}

/** The bodies for reading, each with the SHA-256 of its bytes. */
function golden(bodies: readonly string[]): string {
  const requests = bodies.map((body) => ({ sha256: sha256(body), body: JSON.parse(body) as unknown }));
  return `${JSON.stringify(requests, shown, 1)}\n`;
}

function fileName({ name }: GoldenChat, protocol: string): string {
  return `${name}.${protocol}.json`;
}

function isSpoken({ name }: GoldenChat, protocol: string): boolean {
  return protocol !== PRACTICE_PROTOCOL || !name.startsWith('reasoning');
}

describe('the bodies of golden chats', () => {
  const windows = useWindows();

  for (const [protocol, opaque] of Object.entries(PROTOCOLS)) {
    for (const chat of GOLDEN_CHATS.filter((each) => isSpoken(each, protocol))) {
      it(`are the same to the byte: ${chat.name}, ${protocol}`, async () => {
        const house = await scriptedHouse(protocol, chat.capabilities);
        const files = new MemoryFiles();
        const options = {
          files,
          sources: [house.source],
          config: { model: house.large, compaction: 'off' } as const,
          tools: new GoldenTool(),
        };
        const { window, session } = await windows.openChat(options);
        const keep = (content: string): Promise<string> => window.store.blobs(session.id).put(Buffer.from(content));
        await chat.play({ session, house, files, opaque, keep });
        const path = join(FOLDER, fileName(chat, protocol));
        if (IS_WRITING) {
          mkdirSync(FOLDER, { recursive: true });
          writeFileSync(path, golden(house.bodies));
        }
        assert.equal(golden(house.bodies), readFileSync(path, 'utf8'));
      });
    }
  }

  it('have of each message its role and its content, and nothing else that is known of it', () => {
    const named: Readonly<Record<string, readonly string[]>> = {
      [ANTHROPIC_PROTOCOL]: ['role', 'content'],
      [OPENAI_COMPATIBLE_PROTOCOL]: ['role', 'content', 'tool_calls', 'tool_call_id', 'reasoning_content'],
      [PRACTICE_PROTOCOL]: ['role', 'content'],
    };
    for (const [protocol, members] of Object.entries(named)) {
      const files = readdirSync(FOLDER).filter((file) => file.endsWith(`.${protocol}.json`));
      const requests = files.flatMap((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { body: { messages: object[] } }[]);
      const found = requests.flatMap(({ body }) => body.messages.flatMap(Object.keys));
      assert.deepEqual(new Set(found), new Set(members), protocol);
    }
  });

  it('are all there is among the golden files', () => {
    const wanted = Object.keys(PROTOCOLS).flatMap((protocol) =>
      GOLDEN_CHATS.filter((chat) => isSpoken(chat, protocol)).map((chat) => fileName(chat, protocol)),
    );
    assert.deepEqual(readdirSync(FOLDER).sort(), wanted.sort());
  });
});
