import { chmod, mkdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeFileWhole } from './write-file-whole.ts'

/** Says which home this is. */
export const IDENTITY_FILE = 'home.json'
/** Every home in which a daemon ever ran has this file. */
export const LOCK_FILE = 'daemon.lock'
/** Exists only while a restore fills the home. */
export const RESTORING_FILE = 'restoring'

/** The paths of everything that belongs to one daemon. */
export type Home = {
  readonly directory: string
  readonly hubs: string
  readonly trees: string
  readonly warm: string
  readonly bin: string
  readonly hosts: string
  readonly terminals: string
  readonly logs: string
  readonly logFile: string
  readonly token: string
  readonly registration: string
  readonly lock: string
  readonly identity: string
  readonly port: string
  readonly auditHead: string
  readonly restoring: string
  readonly gitConfig: string
}

/** Creates the home and its folders, readable only for their owner. */
export async function openHome(directory: string): Promise<Home> {
  const home = placesOf(directory)
  // If we are root, the database runs as another user, who must be able to reach its folder.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  await mkdir(directory, { recursive: true, mode })
  await chmod(directory, mode)
  const { hubs, trees, warm, bin, hosts, terminals, logs } = home
  for (const folder of [hubs, trees, warm, bin, hosts, terminals, logs]) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
  }
  return home
}

function placesOf(directory: string): Home {
  const at = (name: string) => join(directory, name)
  return {
    directory,
    hubs: at('hubs'),
    trees: at('trees'),
    warm: at('warm'),
    bin: at('bin'),
    hosts: at('hosts'),
    terminals: at('terminals'),
    logs: at('logs'),
    logFile: join(directory, 'logs', 'daemon.log'),
    token: at('token'),
    registration: at('daemon.json'),
    lock: at(LOCK_FILE),
    identity: at(IDENTITY_FILE),
    port: at('port'),
    auditHead: at('audit-head'),
    restoring: at(RESTORING_FILE),
    gitConfig: at('gitconfig'),
  }
}

/** The Muster that is running, as source or compiled, whichever this file is. */
const BIN = fileURLToPath(new URL(`../bin${extname(import.meta.url)}`, import.meta.url))

/** Puts a `muster` on the agents' PATH: the one that runs them, with its own Node. */
export async function writeOwnTool(directory: string): Promise<void> {
  const path = join(directory, 'muster')
  await writeFileWhole(path, `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(BIN)} "$@"\n`)
  await chmod(path, 0o755)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
