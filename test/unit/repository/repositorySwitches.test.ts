import assert from 'node:assert/strict';
import { includeInMap, omitFromMap } from '../../../src/engine/repository/repositorySwitches.js';

const MAP = { repositoryMap: 'map', repositoryWithout: 'vendor' } as const;

describe('The switches of the repository map', () => {
  it('omit the whole map with its file tree, or only the definitions', () => {
    assert.deepEqual(omitFromMap(MAP, ['repository:tree']), { repositoryMap: 'off' });
    assert.deepEqual(omitFromMap(MAP, ['repository:map']), { repositoryMap: 'tree' });
  });

  it('include the definitions only with the file tree', () => {
    assert.deepEqual(includeInMap(MAP, ['repository:tree']), { repositoryMap: 'tree' });
    assert.deepEqual(includeInMap(MAP, ['repository:map']), { repositoryMap: 'map' });
  });

  it('omit folders, and include them again', () => {
    assert.deepEqual(omitFromMap(MAP, ['repository:map/src/a/', 'rule:A']), { repositoryWithout: 'vendor/\nsrc/a/' });
    const without = { ...MAP, repositoryWithout: 'vendor\n./src/a' };
    assert.deepEqual(includeInMap(without, ['repository:map/vendor/']), { repositoryWithout: 'src/a/' });
    assert.deepEqual(includeInMap(without, ['repository:map/src/a/', 'repository:map/vendor/']), { repositoryWithout: '' });
  });

  it('leave other items to the context of the chat', () => {
    assert.equal(omitFromMap(MAP, ['rule:A', 'file:src/a.ts']), null);
    assert.equal(includeInMap(MAP, ['rule:A']), null);
  });
});
