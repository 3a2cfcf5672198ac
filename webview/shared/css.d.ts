/* esbuild bundles style sheets; an import has no value. */
declare module '*.css';
