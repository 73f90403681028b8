import { delimiter, dirname } from 'node:path'
import type { CommandNeeds } from '../command-needs.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Playground } from './playground.ts'

/** Uses the playground's home, puts this Node on the PATH, and hides the person's own configuration. */
export function insidePlayground(needs: CommandNeeds, playground: Playground): CommandNeeds {
  const { surroundings } = needs
  const { server: _server, tokenFile: _tokenFile, ...options } = needs.options
  return {
    ...needs,
    options: { ...options, home: playground.home },
    home: playground.home,
    surroundings: { ...surroundings, environment: environmentIn(surroundings, playground) },
  }
}

function environmentIn(
  needs: Pick<Surroundings, 'environment' | 'nodePath'>,
  { directory }: Playground,
): Surroundings['environment'] {
  const kept = Object.entries(needs.environment).filter(([name]) => !name.startsWith('MUSTER_'))
  const path = [dirname(needs.nodePath), needs.environment['PATH'] ?? ''].join(delimiter)
  return {
    ...Object.fromEntries(kept),
    PATH: path,
    XDG_CONFIG_HOME: `${directory}/configuration`,
    MUSTER_DATABASE_URL: 'embedded',
  }
}
