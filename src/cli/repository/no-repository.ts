import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'

export function noRepository(directory: string): Problem {
  return {
    type: 'not-a-repository',
    exitCode: EXIT.usage,
    message: `${directory} is not in a git repository`,
    why: 'Muster lands its work as commits, so it needs a repository with at least one commit',
    next: 'git init && git add -A && git commit -m "start"',
  }
}
