import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'

/** `look`: something that exists is wanted, so a new repository is of no help. */
export function noRepository(directory: string, purpose: 'start' | 'look' = 'start'): Problem {
  return {
    type: 'not-a-repository',
    exitCode: EXIT.usage,
    message: `${directory} is not in a git repository`,
    ...(purpose === 'start'
      ? {
          why: 'Muster lands its work as commits, so it needs a repository with at least one commit',
          next: 'git init && git add -A && git commit -m "start"',
        }
      : { next: 'cd into a repository, and give the same command there' }),
  }
}
