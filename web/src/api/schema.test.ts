import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('has types that were generated from the schema as it is', () => {
  const [tool, ...flags] = JSON.parse(readFileSync('package.json', 'utf8')).scripts.types.split(' ');
  const check = () => execFileSync(process.execPath, [`node_modules/${tool}/bin/cli.js`, ...flags, '--check'], { stdio: 'pipe' });
  expect(check, 'run `scripts/npm run types`').not.toThrow();
});
