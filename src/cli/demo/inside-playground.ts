import { delimiter, dirname } from 'node:path'
import type { CommandNeeds } from '../command-needs.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Playground } from './playground.ts'

/** The playground's home, a path on which this very Node is found, and nothing of the person's own set-up. */
export function insidePlayground(needs: CommandNeeds, playground: Playground): CommandNeeds {
  const { surroundings } = needs
  const { server: _server, tokenFile: _tokenFile, ...options } = needs.options
  return {
    ...needs,
    options: { ...options, home: playground.home },
    home: playground.home,
    surroundings: { ...surroundings, environment: demoEnvironment(surroundings) },
  }
}

function demoEnvironment(needs: Pick<Surroundings, 'environment' | 'nodePath'>): Surroundings['environment'] {
  const kept = Object.entries(needs.environment).filter(
    ([name]) => name !== 'DATABASE_URL' && !name.startsWith('MUSTER_'),
  )
  const path = [dirname(needs.nodePath), needs.environment['PATH'] ?? ''].join(delimiter)
  return { ...Object.fromEntries(kept), PATH: path }
}
