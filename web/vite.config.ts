import { svelte } from '@sveltejs/vite-plugin-svelte';
import icons from 'unplugin-icons/vite';
import { defineConfig } from 'vitest/config';

// The gallery is served while developing and is no entry of the build.
export default defineConfig({
  plugins: [svelte(), icons({ compiler: 'svelte', scale: 1 })],
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
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/testing.ts'],
    testTimeout: 60_000, // a busy machine is no failure
  },
});
