/* esbuild bundles style sheets. An import of one has no value. */
declare module '*.css';
