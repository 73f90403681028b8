import { join, resolve } from 'node:path'

type Needs = {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly isRoot: boolean
  /** The person's home directory, not Muster's. */
  readonly userDirectory: string
}

/** Muster's home: the one that was asked for, or the default for this person. */
export function homeDirectory(needs: Needs, asked: string | undefined): string {
  const named = asked ?? filled(needs.environment['MUSTER_HOME'])
  if (named !== undefined) return resolve(needs.cwd, named)
  const data = filled(needs.environment['XDG_DATA_HOME'])
  if (data !== undefined) return join(resolve(needs.cwd, data), 'muster')
  if (needs.isRoot) return '/var/lib/muster'
  return join(needs.userDirectory, '.local', 'share', 'muster')
}

function filled(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text
}
