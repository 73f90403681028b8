import { basename, dirname, join } from 'node:path'

/** Where an installation keeps what the programs in its `bin` need. Its settings and log-ins are elsewhere. */
const BESIDE_BIN = ['lib', 'lib64', 'libexec', 'include', 'share', 'ssl', 'pyvenv.cfg']
/** In a directory that many programs share, `share` holds everyone's data. */
const BESIDE_SHARED_BIN = ['lib', 'lib64', 'libexec']

/**
 * The folders that programs in a directory need: the directory and, next to a `bin`, its libraries. Never the parent,
 * because log-ins are often there: `~/.cargo` holds `bin` and `credentials.toml`.
 */
export function programFolders(directory: string, personHome: string): readonly string[] {
  const parent = dirname(directory)
  if (basename(directory) !== 'bin' || personHome === parent || personHome.startsWith(below(parent))) {
    return [directory]
  }
  const beside = parent === join(personHome, '.local') ? BESIDE_SHARED_BIN : BESIDE_BIN
  return [directory, ...beside.map((name) => join(parent, name))]
}

function below(directory: string): string {
  return directory.endsWith('/') ? directory : `${directory}/`
}
