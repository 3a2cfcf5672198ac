import { type ChatPanel, QuickInput, sharedWorkbench, waitFor, type Workbench } from '../support/workbench/index.js';

describe('the commands of a chat after / in the message box', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  const option = (name: RegExp) => panel.frame.getByRole('option', { name });
  const boxHolds = (text: string): Promise<true> =>
    waitFor(`the text "${text}"`, async () => (await panel.composer.inputValue()) === text || undefined);

  async function type(text: string): Promise<void> {
    await panel.composer.click();
    await workbench.page.keyboard.type(text);
  }

  before(async () => {
    ({ workbench, panel } = await sharedWorkbench());
    await panel.newChat();
  });

  it('are listed in an empty chat, with the reason for what cannot run, and run by key and by mouse', async () => {
    await type('/');
    await option(/^fork This chat has no reply yet/).waitFor();
    await workbench.page.keyboard.type('mod');
    await option(/^model/).waitFor();
    await workbench.page.keyboard.type('el prac');
    await option(/^model Search/).click();
    const quickInput = new QuickInput(workbench.page);
    await quickInput.widget.getByPlaceholder('Model for this chat').waitFor();
    await waitFor('the search text', async () => (await quickInput.widget.locator('input').inputValue()) === 'prac' || undefined);
    await workbench.page.keyboard.press('Escape');
    await boxHolds('');
    await panel.sendAndWait('/long 3');
    // Enter comes before the list, so it must wait.
    await type('/summarize');
    await workbench.page.keyboard.press('Enter');
    await panel.region('Summarize the conversation').waitFor();
    await workbench.page.keyboard.press('Escape');
    await panel.region('Summarize the conversation').waitFor({ state: 'detached' });
  });

  it('clear a chat and lead back to it, and begin a new one with a text', async () => {
    await type('/cl');
    await option(/^clear/).waitFor();
    await workbench.page.keyboard.press('Enter');
    await panel.articles('Assistant').waitFor({ state: 'detached' });
    await panel.button('Go back').click();
    await panel.articles('Assistant').waitFor();
    await type('/new Which tides are high?');
    await option(/^new/).waitFor();
    await workbench.page.keyboard.press('Enter');
    await panel.articles('Assistant').waitFor({ state: 'detached' });
    await boxHolds('Which tides are high?');
    await panel.composer.fill('');
  });
});
