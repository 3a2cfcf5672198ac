// Serves the preview of the panel: the webview's own bundles in a page that replaces VS Code (webview/preview). It
// writes nothing to the disk. esbuild's own server builds at each request, which is slow for a page with several files.
// This one builds at each change.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { extname, join, relative } from 'node:path';
import * as esbuild from 'esbuild';
import { root, webviewOptions } from '../esbuild.mjs';

const HOST = '127.0.0.1';

const PAGES = ['page.ts', 'frame.ts', 'inspectorFrame.ts', 'usageFrame.ts', 'index.html', 'frame.html', 'inspector.html', 'usage.html'];

/** This folder does not exist: it only gives the bundles their names. */
const FOLDER = join(root, 'out/preview');

/** Where a page listens for changes, with the messages of esbuild's own server. */
const CHANGES = '/esbuild';

/** @type {Readonly<Record<string, string>>} */
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
};

/**
 * @param {{ port: number, watch: boolean }} options - port: 0 for any free one; watch: build and reload at each change
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startPreview({ port, watch }) {
  // Caching halves the load time of a page whose files do not change, because its scripts are compiled once.
  const pages = new Pages(watch ? 'no-store' : 'max-age=3600');
  const server = createServer((request, response) => {
    pages.answer(new URL(request.url ?? '/', `http://${HOST}`).pathname, response);
  });
  server.listen(port, HOST);
  await once(server, 'listening');
  const context = await esbuild.context(previewOptions(watch, pages.plugin()));
  const stop = async () => {
    await context.dispose();
    server.closeAllConnections();
    server.close();
  };
  try {
    await (watch ? context.watch() : context.rebuild());
  } catch (error) {
    await stop();
    throw error;
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The preview has no port.');
  return { url: `http://${HOST}:${address.port}/`, stop };
}

/**
 * @param {boolean} dev - with Lit's checks and source maps; otherwise as in the packaged webviews
 * @param {esbuild.Plugin} plugin
 * @returns {esbuild.BuildOptions}
 */
function previewOptions(dev, plugin) {
  const panel = webviewOptions(dev, FOLDER);
  const pages = PAGES.map((file) => ({ in: `webview/preview/${file}`, out: file.slice(0, file.lastIndexOf('.')) }));
  return {
    ...panel,
    entryPoints: [...panel.entryPoints, ...pages],
    loader: { ...panel.loader, '.html': 'copy' },
    write: false,
    plugins: [plugin],
  };
}

/** The files of the last build, and the pages that wait for the next one. */
class Pages {
  /** @type {ReadonlyMap<string, Uint8Array>} */
  #files = new Map();
  /** @type {Set<import('node:http').ServerResponse>} */
  #listening = new Set();
  #cacheControl;

  /** @param {string} cacheControl - the header of that name, for all files */
  constructor(cacheControl) {
    this.#cacheControl = cacheControl;
  }

  /** @returns {esbuild.Plugin} */
  plugin() {
    return {
      name: 'preview',
      setup: (build) => {
        build.onEnd(({ outputFiles }) => {
          // A build with errors keeps the last files.
          if (outputFiles === undefined || outputFiles.length === 0) return;
          const folder = join(FOLDER, 'webview');
          this.#files = new Map(outputFiles.map(({ path, contents }) => [relative(folder, path).replaceAll('\\', '/'), contents]));
          for (const response of this.#listening) response.write('event: change\ndata:\n\n');
        });
      },
    };
  }

  /**
   * @param {string} path
   * @param {import('node:http').ServerResponse} response
   */
  answer(path, response) {
    if (path === CHANGES) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      this.#listening.add(response);
      response.on('close', () => this.#listening.delete(response));
      return;
    }
    const name = path === '/' ? 'index.html' : path.slice(1);
    const content = this.#files.get(name);
    const type = TYPES[extname(name)];
    if (content === undefined || type === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': type, 'Cache-Control': this.#cacheControl }).end(content);
  }
}
