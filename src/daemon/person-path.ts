import { homedir } from 'node:os'
import { join } from 'node:path'

/** A path in the folder of the person's own configuration. */
export function personPath(name: string): string {
  const base = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
  return join(base, 'muster', name)
}
