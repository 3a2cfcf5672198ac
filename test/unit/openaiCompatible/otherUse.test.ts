import assert from 'node:assert/strict';
import { listedModels } from '../../../src/providers/openaiCompatible/openAiCompatibleClient.js';

function uses(...entries: object[]): (string | null)[] {
  return (listedModels({ data: entries }) ?? []).map(({ otherUse }) => otherUse);
}

function named(...ids: string[]): string[] {
  return ids.filter((id) => uses({ id })[0] !== null);
}

describe('What a model of a list is for', () => {
  it('is what its server says', () => {
    assert.deepEqual(
      uses(
        { id: 'a', type: 'embedding' },
        { id: 'b', type: 'chat' },
        { id: 'c', capabilities: { completion_chat: false } },
        { id: 'd', capabilities: { completion_chat: true } },
        { id: 'e', architecture: { output_modalities: ['image'] } },
        { id: 'f', architecture: { output_modalities: ['image', 'text'] } },
      ),
      [
        'Not for chat: the server reports the type embedding',
        null,
        'Not for chat, as the server reports',
        null,
        'Not for chat: the model outputs no text',
        null,
      ],
    );
  });

  it('is told by its name otherwise', () => {
    assert.deepEqual(uses({ id: 'text-embedding-3-small' }, { id: 'whisper-1' }), [
      'Probably for embeddings, judging by its name',
      'Probably for speech, judging by its name',
    ]);
    const others = [
      'text-embedding-ada-002',
      'mistral-embed',
      'nomic-embed-text:latest',
      'models/gemini-embedding-001',
      'gpt-4o-mini-tts',
      'tts-1-hd',
      'gpt-4o-transcribe',
      'distil-whisper-large-v3-en',
      'playai-tts-arabic',
      'gpt-4o-realtime-preview',
      'dall-e-3',
      'gpt-image-1',
      'models/imagen-4.0-generate-001',
      'models/veo-3.0-generate-001',
      'sora-2',
      'omni-moderation-latest',
      'babbage-002',
      'gpt-3.5-turbo-instruct',
      'bge-reranker-v2',
    ];
    assert.deepEqual(named(...others), others);
  });

  it('is chat for all that nothing tells of', () => {
    assert.deepEqual(
      named(
        'gpt-4o',
        'gpt-4o-audio-preview',
        'o3-mini',
        'claude-sonnet-4-5',
        'models/gemini-2.5-flash-image',
        'deepseek-chat',
        'codestral-latest',
        'llama-3.3-70b-versatile',
        'qwen/qwen3-32b',
        'meta-llama/llama-guard-4-12b',
        'imagine-1',
        'settings-model',
      ),
      [],
    );
  });
});
