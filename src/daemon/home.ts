import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Where everything of one daemon is. */
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
  readonly port: string
  readonly auditHead: string
  readonly gitConfig: string
}

/** Makes the home and its folders, for nobody else's eyes. */
export async function openHome(directory: string): Promise<Home> {
  const home = placesOf(directory)
  // The database runs as another user when we are root, and has to pass through to its own folder.
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
    lock: at('daemon.lock'),
    port: at('port'),
    auditHead: at('audit-head'),
    gitConfig: at('gitconfig'),
  }
}
