import assert from 'node:assert/strict';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import type { SpendQuestion } from '../../../src/host/chat/spend/spendGate.js';
import { until } from './clocks.js';

export async function asked({ spending }: ChatSession): Promise<SpendQuestion> {
  await until(() => spending.questions.length > 0, 'a request waits for the user');
  const [question] = spending.questions;
  assert.ok(question);
  return question;
}
