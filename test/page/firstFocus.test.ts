import type { PanelState } from '../../src/protocol/panel/state.js';
import { usePreview } from '../support/workbench/previewPage.js';

describe('the first thing to do', () => {
  const preview = usePreview();

  it('has the focus when the user edits a summary: its text', async () => {
    await preview.show('The summary in use is edited', 'Dark Modern', 400, 800);
    await preview.page.locator('vscode-text-area:focus-within', { hasText: 'Summary' }).waitFor();
  });

  it('is said after Try it now: the key that sends the message', async () => {
    await preview.show('First chat', 'Dark Modern', 400, 800);
    const begin = (state: PanelState): PanelState => ({ ...state, introduction: 'welcome', entries: [] });
    await preview.change((state) => ({
      ...begin(state),
      draft: { ...state.draft, revision: 1, text: 'Hello, what did I just send you?' },
    }));
    await preview.page.getByRole('status').filter({ hasText: 'Press Enter to send the message below.' }).waitFor();
    await preview.change((state) => ({ ...begin(state), draft: { ...state.draft, revision: 2, text: '' } }));
    await preview.page.getByText('Press Enter to send the message below.').waitFor({ state: 'detached' });
  });
});
