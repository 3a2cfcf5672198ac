import assert from 'node:assert/strict';
import type { ManagerSection } from '../../src/protocol/panel/manager.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

const MORE = 37;

/** Returns the section of the rules with the rows that the host sends after the press. */
function whole(section: ManagerSection): ManagerSection {
  const [first] = section.rows;
  assert.ok(first !== undefined);
  const added = Array.from({ length: MORE }, (_, at) => ({ ...first, key: `rule:new${String(at)}`, name: `New ${String(at)}` }));
  return { ...section, rows: [...section.rows, ...added], more: 0 };
}

describe('a long section of Manage context', () => {
  const preview = usePreview();

  it('shows all its rows after a press of a key, which then has the focus on the first new row', async () => {
    await preview.show('Context of the chat', DARK, 300, 900);
    const more = preview.page.getByRole('button', { name: `Show ${String(MORE)} more` });
    await more.focus();
    await preview.press('Enter');
    const message = await waitFor('the wish for more rows', async () =>
      (await preview.posted(0, 'showRows')).find((each) => each.type === 'showRows' && each.manager?.rows['rule'] === 550),
    );
    assert.ok(message.type === 'showRows');
    await preview.change((state) => ({
      ...state,
      manager: state.manager && {
        ...state.manager,
        sections: state.manager.sections.map((section) => (section.type === 'rule' ? whole(section) : section)),
      },
    }));
    const row = preview.page.getByRole('checkbox', { name: /^New 0 / });
    await waitFor('the focus on the first new row', () => row.evaluate((box) => box === document.activeElement || undefined));
    assert.equal(await more.count(), 0);
  });
});
