/** Extensions of binary files, which Loupe skips without opening. Reading refuses all other binary files. */
const BINARY_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'png jpg jpeg gif webp bmp ico icns tif tiff avif heic psd mp3 mp4 m4a wav ogg flac avi mov mkv webm ' +
    'zip gz bz2 xz zst tgz 7z rar jar war whl vsix pdf doc docx xls xlsx ppt pptx odt ' +
    'woff woff2 ttf otf eot exe dll so dylib a o obj lib class pyc pyo wasm bin dat db sqlite'
  ).split(' '),
);

export function hasBinaryExtension(name: string): boolean {
  return BINARY_EXTENSIONS.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}

const collator = new Intl.Collator('en', { numeric: true });

/** Compares names naturally: `part-2` before `part-10`. Compares equal results by code unit. */
export function compareNaturally(a: string, b: string): number {
  const order = collator.compare(a, b);
  return order === 0 ? Number(a > b) - Number(a < b) : order;
}
