/**
 * Prisma's own migration engine, in its WebAssembly build, over the `pg` driver: the same SQL, the same `_prisma_migrations`
 * table and the same checksums as `prisma migrate deploy`, without a native binary to download.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import type pg from 'pg';
import type { MigrationFiles } from './migration-files';

interface EngineBindings {
  SchemaEngine: typeof SchemaEngine;
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
}

/** The engine knows the provider from a datamodel; none of the models are needed to apply migrations. */
const emptyDatamodel = 'datasource db {\n  provider = "postgresql"\n}\n';

const noFilters = { externalTables: [], externalEnums: [] };

/** What the database said when a migration failed, beside the engine's own words. */
export class MigrationError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'MigrationError';
  }
}

/**
 * Applies what is missing; returns the names applied. `pool` must have exactly one connection: the engine takes a session
 * lock, so that `prisma migrate deploy` and this do not run at once.
 */
export async function applyMigrations(pool: pg.Pool, files: MigrationFiles): Promise<string[]> {
  const { engine, realCause } = await createEngine(new PrismaPg(pool));
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: toMigrationList(files),
      filters: noFilters,
    });
    return appliedMigrationNames;
  } catch (error) {
    throw realCause(error);
  } finally {
    engine.free();
  }
}

/**
 * The SQL that leads from the database `pool` points at (with all migrations applied) to the given Prisma schema files; empty
 * when nothing differs.
 */
export async function diffToSchema(pool: pg.Pool, schemaFiles: { path: string; content: string }[]): Promise<string> {
  const { engine, realCause } = await createEngine(new CataloguePg(pool));
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files: [{ path: 'schema.prisma', content: emptyDatamodel }], configDir: '.' },
      to: { tag: 'schemaDatamodel', files: schemaFiles },
      script: true,
      exitCode: null,
      filters: noFilters,
    });
    const sql = stdout ?? '';
    return /^\s*(-- This is an empty migration\.\s*)?$/.test(sql) ? '' : sql;
  } catch (error) {
    throw realCause(error);
  } finally {
    engine.free();
  }
}

/**
 * The system catalogues hold columns of the internal type "char" (18), which the adapter of this version refuses although the
 * engine wants them. To the adapter they are called `char(n)` (1042) here, to the engine what they are.
 */
class CataloguePg extends PrismaPg {
  constructor(
    pool: pg.Pool,
    private readonly charColumns = new WeakMap<object, number[]>(),
  ) {
    const query = async (config: pg.QueryConfig, values?: unknown[]) => {
      const result = await pool.query(config, values);
      const found = result.fields.flatMap((field, index) => (field.dataTypeID === 18 ? [index] : []));
      for (const index of found) Object.assign(result.fields[index] ?? {}, { dataTypeID: 1042 });
      charColumns.set(result.rows, found);
      return result;
    };
    super(Object.assign(Object.create(pool) as pg.Pool, { query }));
  }

  override async connect() {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const index of this.charColumns.get(result.rows) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
      return result;
    };
    return adapter;
  }
}

async function createEngine(driver: PrismaPg) {
  const bindings = await loadBindings();
  const adapter = bindMigrationAwareSqlAdapterFactory(driver);
  const engine = await bindings.SchemaEngine.new(
    { datamodels: [['schema.prisma', emptyDatamodel]] },
    () => undefined,
    adapter,
  );
  /** Errors of the driver come back as "External error id#N"; the adapter keeps what they really were. */
  const realCause = (error: unknown): unknown => {
    const message = error instanceof Error ? error.message : String(error);
    const id = /External error id#(\d+)/.exec(message)?.[1];
    const record = id === undefined ? undefined : adapter.errorRegistry.consumeError(Number(id));
    return record === undefined ? new MigrationError(message, error) : record.error;
  };
  return { engine, realCause };
}

/** Loaded once: the bindings are a module with one engine instance in it, which a second load would pull from under the first. */
let loadedBindings: Promise<EngineBindings> | undefined;
function loadBindings(): Promise<EngineBindings> {
  loadedBindings ??= instantiateBindings();
  return loadedBindings;
}

/** Node 20 does not import `.wasm` files by itself, so the entry of the package cannot be used. */
async function instantiateBindings(): Promise<EngineBindings> {
  const bindingsPath = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bindings = await import(pathToFileURL(bindingsPath).href);
  // The engine calls this global when it panics, and would otherwise die of its absence without saying why.
  (globalThis as { PRISMA_WASM_PANIC_REGISTRY?: unknown }).PRISMA_WASM_PANIC_REGISTRY ??= {
    set_message: (message: string) => {
      throw new MigrationError(message, undefined);
    },
  };
  const module = await WebAssembly.compile(await readFile(join(dirname(bindingsPath), 'schema_engine_bg.wasm')));
  const instance = await WebAssembly.instantiate(module, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bindings;
}

function toMigrationList(files: MigrationFiles): MigrationList {
  return {
    baseDir: files.folder,
    lockfile: { path: 'migration_lock.toml', content: files.lockFile },
    shadowDbInitScript: '',
    migrationDirectories: files.migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}
