import assert from 'node:assert/strict';
import { insertion, insertionBelow, splitsLine } from '../../../src/host/window/insertion.js';

const BLOCK = 'if (tide) {\n  warn();\n}';

/** The line with the code inserted at the cursor `|`. */
function inserted(line: string, code: string): string {
  const [before = '', after = ''] = line.split('|');
  const around = { before, after };
  return splitsLine(code, around) ? line.replace('|', '') + insertionBelow(code, around) : before + insertion(code, around) + after;
}

describe('Code that is inserted at the cursor', () => {
  it('stands on lines of its own when it is a block, indented as the line is', () => {
    assert.equal(inserted('user 5|', BLOCK), 'user 5\nif (tide) {\n  warn();\n}');
    assert.equal(inserted('\tcall();|', BLOCK), '\tcall();\n\tif (tide) {\n\t  warn();\n\t}');
  });

  it('goes below a line of code or a word that it would split', () => {
    assert.equal(inserted('expor|t interface Tide {', BLOCK), 'export interface Tide {\nif (tide) {\n  warn();\n}');
    assert.equal(inserted('  call();| // why', BLOCK), '  call(); // why\n  if (tide) {\n    warn();\n  }');
    assert.equal(inserted('  gau|ge();', 'warn();'), '  gauge();\n  warn();');
    assert.equal(inserted('  größ|er();', 'warn();'), '  größer();\n  warn();');
  });

  it('begins at the cursor where nothing but white space is before it', () => {
    assert.equal(inserted('|', BLOCK), BLOCK);
    assert.equal(inserted('    |', BLOCK), '    if (tide) {\n      warn();\n    }');
    assert.equal(inserted('|next();', BLOCK), `${BLOCK}\nnext();`);
  });

  it('loses its own indentation, and blank lines around it, but none within', () => {
    assert.equal(inserted('  |', '\n    a();\n\n      b();\n    c();\n'), '  a();\n\n    b();\n  c();');
    assert.equal(inserted('  |', 'a();\r\nb();\r\n'), '  a();\n  b();');
  });

  it('goes into the line as it is when it is one line', () => {
    assert.equal(inserted('const level = |;', 'gauge.read()'), 'const level = gauge.read();');
    assert.equal(inserted('a|', ' + b '), 'a + b ');
    assert.equal(inserted('a|', ''), 'a');
  });
});
