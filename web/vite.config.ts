/// <reference types="vitest/config" />
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import icons from 'unplugin-icons/vite';
import { defineConfig, type Plugin } from 'vite';

/** Writes sw.js with the shell's files: the page, the files it references, and its icons. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') return;
      const html = String(page.source);
      const named = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((found) => found[1]!);
      const fonts = Object.keys(bundle).filter((name) => name.endsWith('.woff2'));
      const shell = [...new Set(['/', ...named, ...fonts.map((name) => `/${name}`), '/fox-turn.svg'])].sort();
      const version = createHash('sha256').update(Object.keys(bundle).sort().join('\n')).update(html).digest('hex').slice(0, 12);
      const source = readFileSync('src/sw.js', 'utf8')
        .replace('__VERSION__', `foxden-${version}`)
        .replace('__SHELL__', JSON.stringify(shell));
      this.emitFile({ type: 'asset', fileName: 'sw.js', source });
    },
  };
}

// The gallery is served only in development, and is not part of the build.
export default defineConfig({
  plugins: [svelte(), icons({ compiler: 'svelte', scale: 1 }), serviceWorker()],
  build: {
    outDir: process.env.FOXDEN_STATIC ?? '../src/foxden/static',
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'], // light-dark() as it stands
    assetsInlineLimit: 0, // the content security policy allows no data: addresses
    modulePreload: { polyfill: false }, // nor inline scripts
  },
  server: {
    proxy: {
      '/api': { target: process.env.FOXDEN_SERVER ?? 'http://127.0.0.1:8100', ws: true },
    },
  },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : undefined,
  test: {
    environment: 'happy-dom',
    pool: 'vmThreads', // each file gets a fresh page, without a process and its imports for each
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/testing.ts'],
    testTimeout: 60_000, // a busy machine is not a failure
  },
});
