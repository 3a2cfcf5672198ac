import assert from 'node:assert/strict';
import { itemOf, type Catalog, type CatalogItem } from '../../../src/engine/context/catalogItem.js';
import { itemKey, type IncludeMode } from '../../../src/engine/record/item.js';
import { select, type SelectionInput, type Selection } from '../../../src/engine/context/select.js';

function tool(name: string, include: IncludeMode): CatalogItem {
  const from = { type: 'tool', name, serverName: 'git', source: 'git', description: '', text: '' } as const;
  return { ...from, include, applies: null, offBy: null, priority: 0, problem: null, remarks: [], copies: [] };
}

const CATALOG: Catalog = new Map(
  [tool('log', 'onDemand'), tool('blame', 'onDemand'), tool('status', 'always'), tool('diff', 'agent')].map((item) => [
    itemKey(itemOf(item)),
    item,
  ]),
);
const LOG = { type: 'tool', name: 'log', serverName: 'git' } as const;

function selected(change: Partial<SelectionInput>): Readonly<Record<keyof Selection, readonly string[]>> {
  const chat = { context: new Map(), removed: new Map(), declined: new Set<string>() };
  const scores = [...CATALOG.keys()].map((key) => ({ key, score: 0.8 }));
  const limits = { minimum: 0.3, most: 1, certain: 1 };
  const from = { catalog: CATALOG, chat, scores, isForFile: () => false, limits, takesTools: true, loadsTools: true };
  const selection = select({ ...from, ...change });
  const words = (items: Selection['always']): string[] => items.map(({ name, includeMode }) => `${name} ${includeMode}`);
  return {
    always: words(selection.always),
    onDemand: words(selection.onDemand),
    picked: words(selection.picked),
    forFiles: words(selection.forFiles),
    absent: selection.absent.map(({ item, reason }) => `${item.name} ${item.includeMode} ${reason.code}`),
  };
}

const NONE = { always: ['status always'], onDemand: [], picked: [], forFiles: [], absent: [] };

describe('tools on demand', () => {
  it('are in each request of a model that loads tools, and take no place from what is picked', () => {
    assert.deepEqual(selected({}), { ...NONE, onDemand: ['log onDemand', 'blame onDemand'], picked: ['diff agent'] });
  });

  it('are picked for the message where the model cannot load them', () => {
    assert.deepEqual(selected({ loadsTools: false }), {
      ...NONE,
      picked: ['log agent'],
      absent: ['blame agent beyondMost', 'diff agent beyondMost'],
    });
  });

  it('take no place from a rule where the model takes no tools', () => {
    const rule = { ...tool('Commits', 'agent'), type: 'rule' } as const;
    const catalog = new Map([...CATALOG, [itemKey(itemOf(rule)), rule] as const]);
    const scores = [...catalog.keys()].map((key) => ({ key, score: 0.8 }));
    assert.deepEqual(selected({ catalog, scores, takesTools: true }).picked, ['diff agent']);
    assert.deepEqual(selected({ catalog, scores, takesTools: false }).picked, ['diff agent', 'Commits agent']);
  });

  it('leave a chat that the user takes them out of, whatever its model', () => {
    const key = itemKey(LOG);
    const chat = { context: new Map(), removed: new Map([[key, LOG]]), declined: new Set([key]) };
    assert.deepEqual(selected({ chat }).absent, ['log onDemand removed']);
    assert.deepEqual(selected({ chat, loadsTools: false }).absent, ['log agent removed', 'diff agent beyondMost']);
  });

  it('are whole in a chat that the user has added them to', () => {
    const item = { ...LOG, includeMode: 'manual', addedHash: null, given: null } as const;
    const chat = { context: new Map([[itemKey(LOG), item]]), removed: new Map(), declined: new Set<string>() };
    assert.deepEqual(selected({ chat }).onDemand, ['blame onDemand']);
  });
});
