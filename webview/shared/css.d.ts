/* esbuild bundles imported style sheets. The import has no value. */
declare module '*.css';
