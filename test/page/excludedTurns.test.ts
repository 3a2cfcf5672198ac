import assert from 'node:assert/strict';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

describe('Content that the user excluded from the next request', () => {
  const preview = usePreview();

  it('is included again from its rows', async () => {
    await preview.show('Excluded by you', DARK, 300, 1_200);
    const rows = preview.page.getByRole('group', { name: 'Excluded by you (2)' });
    await rows.getByRole('button', { name: 'Include again, ≈ +$0.0662 How does it predict the tide?' }).press('Enter');
    const calls = preview.page.getByRole('group', { name: 'Forgotten tool calls (2)' });
    await calls.getByRole('button', { name: 'Include again, ≈ +$0.0751 read_file', exact: true }).press('Enter');
    await calls.getByRole('button', { name: 'Include again, ≈ +$0.0663 read_file docs/gauges.md' }).press('Enter');
    assert.deepEqual(
      (await preview.posted(3, 'include')).map((message) => message.type === 'include' && [message.messageId, message.call]),
      [
        ['u1', null],
        ['a3', null],
        ['a5', 'c3'],
      ],
    );
  });
});
