import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { homeDirectory } from '../home/home-directory.ts'
import { Muster } from './muster.ts'
import { type HomeOptions, openHome } from './open-home.ts'

export type MusterOptions = {
  /** Muster's home; by default `MUSTER_HOME`, or the one that the command line uses. */
  readonly home?: string
  /** The repository that jobs work on, unless they name another; by default the working directory. */
  readonly repository?: string
  /**
   * `either` (the default) connects to the home's daemon if one is running, and otherwise starts one in this process.
   * `running` only connects; `embedded` fails if another process is the daemon.
   */
  readonly daemon?: HomeOptions['daemon']
  /** The port of an embedded daemon; by default the one that it had last. */
  readonly port?: number
}

/** Opens a home. An embedded daemon is the same as `muster serve`; it reads its settings from this process's environment. */
export async function createMuster(options: MusterOptions = {}): Promise<Muster> {
  const { repository = '.', daemon = 'either', port } = options
  const cwd = process.cwd()
  const isRoot = process.getuid?.() === 0
  const home = homeDirectory(
    { environment: process.env, cwd, isRoot, userDirectory: homedir() },
    options.home,
  )
  const opened = await openHome({ home, daemon, ...(port === undefined ? {} : { port }) })
  return new Muster(home, resolve(cwd, repository), opened)
}
