// Every rule of .dependency-cruiser.cjs must fire on the import it forbids, and stay silent on what it allows.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as { forbidden: { name: string }[] };
const domains =
  'auth users profiles sessions messages files kv memory search shares todos compression recalls agent'.split(' ');

/** Rule, importing file, imported module. */
const forbidden: [rule: string, from: string, to: string][] = [
  ['no-cycles', 'server/lib/ring-a.ts', 'server/lib/ring-b.ts'],
  ['1-nothing-imports-ways-in', 'server/domains/kv/service.ts', 'server/domains/kv/router.ts'],
  ['1-services-do-not-know-trpc', 'server/domains/kv/service.ts', '@trpc/server'],
  ['1-ways-in-use-services', 'server/domains/kv/router.ts', 'server/domains/kv/store.ts'],
  ['1-lib-is-lowest', 'server/lib/text.ts', 'server/domains/kv/service.ts'],
  ['1-app-is-the-root', 'server/jobs/clean.ts', 'server/app.ts'],
  ['2-engine-is-pure', 'server/domains/todos/engine/plan.ts', 'server/domains/todos/service.ts'],
  [
    '2-engine-takes-types-of-others-only',
    'server/domains/todos/engine/plan.ts',
    'server/domains/messages/engine/context.ts',
  ],
  ['2-engine-uses-no-package-but-zod', 'server/domains/todos/engine/plan.ts', 'undici'],
  ['2-engine-touches-no-world', 'server/domains/todos/engine/plan.ts', 'node:fs'],
  ['2-engine-touches-no-world', 'server/domains/todos/engine/times.ts', 'server/lib/clock.ts'],
  ['3-only-stores-know-prisma', 'server/domains/kv/service.ts', 'server/generated/prisma/client.ts'],
  ['3-only-stores-know-prisma', 'server/events/bus.ts', 'pg'],
  ['3-only-jobs-and-bus-hold-connections', 'server/domains/kv/service.ts', 'pg-boss'],
  ['3-only-providers-know-vendors', 'server/domains/agent/service.ts', 'ollama-ai-provider-v2'],
  ['3-only-start-knows-env', 'server/domains/kv/service.ts', 'server/env.ts'],
  ['4-not-the-store-of-another-domain', 'server/domains/todos/service.ts', 'server/domains/kv/store.ts'],
  ...domains
    .slice(0, -1)
    .map((domain, index): [string, string, string] => [
      `4-${domain}-calls-no-higher-domain`,
      `server/domains/${domain}/upwards.ts`,
      `server/domains/${domains[index + 1]}/service.ts`,
    ]),
  ['5-no-state-outside-app', 'server/domains/kv/service.ts', 'server/db.ts'],
  ['6-web-imports-schemas-and-types', 'web/features/chat/chat.ts', 'server/domains/kv/service.ts'],
  ['6-web-takes-types-only', 'web/features/chat/chat.ts', 'server/trpc/router.ts'],
  ['6-schemas-are-shared', 'server/domains/kv/schema.ts', 'server/domains/kv/service.ts'],
  ['6-features-are-apart', 'web/features/chat/chat.ts', 'web/features/todos/panel.ts'],
  ['6-components-know-no-product', 'web/components/button.ts', 'web/features/todos/panel.ts'],
  ['6-features-do-not-know-the-app', 'web/features/chat/chat.ts', 'web/app/routes.ts'],
  ['6-server-does-not-know-web', 'server/domains/kv/service.ts', 'web/lib/format.ts'],
  ['no-testing-in-product', 'server/domains/kv/service.ts', 'vitest'],
  ['no-unresolvable', 'server/domains/kv/service.ts', './missing'],
];

/** Importing file, imported module, whether only types are taken. */
const allowed: [from: string, to: string, isTypeOnly?: boolean][] = [
  ['server/app.ts', 'server/domains/kv/service.ts'],
  ['server/app.ts', 'server/domains/kv/store.ts'],
  ['server/app.ts', 'server/trpc/router.ts'],
  ['server/trpc/router.ts', 'server/domains/kv/router.ts'],
  ['server/domains/kv/router.ts', 'server/trpc/procedures.ts'],
  ['server/domains/kv/router.ts', 'server/domains/kv/service.ts'],
  ['server/domains/kv/service.ts', 'server/domains/sessions/service.ts'],
  ['server/domains/kv/service.ts', 'server/domains/kv/store.ts'],
  ['server/domains/kv/branch-store.ts', 'server/generated/prisma/client.ts'],
  ['server/domains/kv/store.ts', 'server/generated/prisma/client.ts'],
  ['server/domains/kv/engine/rank.ts', 'server/lib/text.ts'],
  ['server/domains/kv/engine/rank.ts', 'zod'],
  ['server/domains/kv/engine/rank.ts', 'server/domains/messages/engine/context.ts', true],
  ['server/domains/kv/service.ts', 'server/domains/agent/service.ts', true],
  ['server/domains/kv/service.ts', '@ai-sdk/provider'],
  ['web/features/chat/chat.ts', 'server/domains/kv/schema.ts'],
  ['web/features/chat/chat.ts', 'server/trpc/router.ts', true],
  ['web/features/chat/chat.ts', 'server/events/topics.ts', true],
  ['web/app/routes.ts', 'web/features/chat/chat.ts'],
  ['web/features/chat/chat.ts', 'web/components/button.ts'],
  ['server/domains/kv/service.test.ts', 'server/testing/database.ts'],
];

interface Violation {
  rule: { name: string };
  from: string;
  to: string;
}

const isPackage = (name: string) => !/^(server|web|node:|\.)/.test(name);

/** Lays the imports out as files of a small project and returns what the rules say of it. */
function cruise(folder: string, imports: (readonly [from: string, to: string, isTypeOnly?: boolean])[]): Violation[] {
  const lines = new Map<string, string[]>();
  for (const [from, to, isTypeOnly] of imports) {
    const target = /^(server|web)\//.test(to)
      ? `${'../'.repeat(from.split('/').length - 1)}${to.replace(/\.ts$/, '')}`
      : to;
    lines.set(from, [
      ...(lines.get(from) ?? []),
      `${isTypeOnly ? `import type { X } from '${target}'; export type Y${lines.size}${target.length} = X;` : `import '${target}';`}`,
    ]);
    if (/^(server|web)\//.test(to)) lines.set(to, lines.get(to) ?? []);
    if (isPackage(to)) {
      const home = join(folder, 'node_modules', to);
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, 'package.json'), JSON.stringify({ name: to, version: '1.0.0', main: 'index.js' }));
      writeFileSync(join(home, 'index.js'), 'module.exports = {};');
    }
  }
  for (const [path, content] of lines) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), `${content.join('\n')}\nexport type X = 1;\n`);
  }
  mkdirSync(join(folder, 'web'), { recursive: true });
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json']) cpSync(join(root, name), join(folder, name));
  const cli = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [cli, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'server', 'web'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 << 20 });
  if (!stdout.startsWith('{')) throw new Error(stderr);
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

describe('direction rules', () => {
  const bad = mkdtempSync(join(tmpdir(), 'navi-rules-'));
  const good = mkdtempSync(join(tmpdir(), 'navi-rules-'));
  let found: Violation[] = [];
  let foundInGood: Violation[] = [];

  beforeAll(() => {
    found = cruise(bad, [
      ...forbidden.map(([, from, to]) => [from, to] as const),
      ['server/lib/ring-b.ts', 'server/lib/ring-a.ts'],
    ]);
    foundInGood = cruise(good, allowed);
  });
  afterAll(() => {
    for (const folder of [bad, good]) rmSync(folder, { recursive: true, force: true });
  });

  test.each(forbidden)('%s forbids %s → %s', (rule, from, to) => {
    const bare = to.replace(/^node:|^\.\//, '');
    const hit = found.some((one) => one.rule.name === rule && one.from === from && one.to.includes(bare));
    expect(hit, `${rule} did not fire`).toBe(true);
  });

  test('stay silent on what they allow', () => {
    expect(foundInGood.map((one) => `${one.rule.name}: ${one.from} → ${one.to}`)).toEqual([]);
  });

  test('are all tried', () => {
    const tried = new Set(forbidden.map(([rule]) => rule));
    // The highest domain has no higher one to call.
    tried.add('4-agent-calls-no-higher-domain');
    expect(config.forbidden.map((rule) => rule.name).filter((name) => !tried.has(name))).toEqual([]);
  });
});
