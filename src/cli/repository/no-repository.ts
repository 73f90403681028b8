import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'

/** `read`: the command reads existing records, so creating a repository would not help. */
export function noRepository(directory: string, purpose: 'start' | 'read' = 'start'): Problem {
  return {
    type: 'not-a-repository',
    exitCode: EXIT.usage,
    message: `${directory} is not in a git repository`,
    ...(purpose === 'start'
      ? {
          why: 'Muster lands its work as commits, so it needs a repository with at least one commit',
          next: 'git init && git add -A && git commit -m "start"',
        }
      : { next: 'run the command in a repository' }),
  }
}
