import { shellWord } from '../../domain/shell-word.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Playground } from './playground.ts'

type Needs = Pick<Surroundings, 'environment'>

/** What a person can do with a demo that was kept. */
export function keptLines(needs: Needs, playground: Playground): readonly string[] {
  const muster = `${commandStart(needs)} --home ${shellWord(playground.home)}`
  const directory = shellWord(playground.directory)
  return [
    '',
    `kept in ${playground.directory}; the daemon is still running. Try:`,
    `  git -C ${shellWord(playground.repository)} log --graph --oneline --all`,
    `  ${muster} list tasks`,
    `  ${muster} show t1-3`,
    `  ${muster} status`,
    `  ${muster} shutdown && rm -r ${directory}     # to remove it`,
  ]
}

/** The command that keeps the demo next time, as this person would type it. */
export function keepCommand(needs: Needs): string {
  if (needs.environment['npm_lifecycle_event'] === 'start') return 'npm start -- --keep'
  return `${commandStart(needs)} demo --keep`
}

/** In a checkout, where npm started this process, there is no `muster` command. */
function commandStart(needs: Needs): string {
  return needs.environment['npm_lifecycle_event'] === undefined ? 'muster' : 'npm run muster --'
}
