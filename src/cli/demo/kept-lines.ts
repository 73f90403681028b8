import { shellWord } from '../hint.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Playground } from './playground.ts'

type Needs = Pick<Surroundings, 'environment'>

/** What can be done with a demo that was kept. */
export function keptLines(needs: Needs, playground: Playground): readonly string[] {
  const muster = `${commandStart(needs)} --home ${shellWord(playground.home)}`
  const directory = shellWord(playground.directory)
  return [
    '',
    `kept in ${playground.directory}; the daemon is still running. Play with it:`,
    `  git -C ${shellWord(playground.repository)} log --graph --oneline --all`,
    `  ${muster} list tasks`,
    `  ${muster} show t1-3`,
    `  ${muster} status`,
    `  ${muster} shutdown && rm -r ${directory}     when you have seen enough`,
  ]
}

/** The command that keeps it all the next time, in the words this one was started with. */
export function keepCommand(needs: Needs): string {
  if (needs.environment['npm_lifecycle_event'] === 'start') return 'npm start -- --keep'
  return `${commandStart(needs)} demo --keep`
}

/** Whoever came through npm in a checkout has no command of the name. */
function commandStart(needs: Needs): string {
  return needs.environment['npm_lifecycle_event'] === undefined ? 'muster' : 'npm run muster --'
}
