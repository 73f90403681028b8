import type { RepositoryFailure } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'
import { CHOOSE_BASE } from './start-failures.ts'

/** What git says about the repository it fetches from if objects are missing in the one it fetches into. */
const BLAMES_SENDER = /^(?:error|fatal): .* did not send all necessary objects\s*$/m

/** What to do about a job whose repository is gone from its path. The link's target is for the person to fill in. */
export function movedRepository(path: string): { readonly message: string; readonly next: string } {
  return {
    message: `The repository of this job is no longer at ${path}.`,
    next: `Move it back, or make a link to its new place: ln -s NEW_PLACE ${path}`,
  }
}

export const repositoryFailures: FailureTable<RepositoryFailure> = {
  'path-missing': refusal(422, ({ path }) => ({
    message: `${path} does not exist.`,
    next: 'Give the path of a git repository, or run the command inside one.',
  })),
  'not-a-repository': refusal(422, ({ path }) => ({
    message: `${path} is not a git repository.`,
    next: `git init ${path}`,
  })),
  'repository-moved': refusal(409, ({ path }) => movedRepository(path)),
  'no-commits': refusal(422, ({ path }) => ({
    message: `${path} has no commits yet, so there is nothing to start from.`,
    next: 'git add -A && git commit -m "first commit"',
  })),
  'repository-unreadable': refusal(422, ({ path, problem }) => ({
    message: `Cannot read ${path}: ${problem}`,
  })),
  'base-missing': refusal(422, ({ branch }) => ({
    message: `The repository has no branch ${branch}. The base must be a branch, not a tag, a commit or an expression.`,
    next: CHOOSE_BASE,
  })),
  'git-missing': refusal(500, () => ({
    message: "Git is not installed, or not on the daemon's PATH.",
    next: 'Install git, then: muster doctor',
  })),
  'git-too-old': refusal(500, ({ version, needed }) => ({
    message: `Git ${version} is too old; Muster needs ${needed} or newer.`,
    next: 'Install a newer git, then: muster doctor',
  })),
  'disk-full': refusal(507, ({ path }) => ({
    message: `The disk with ${path} is full.`,
    next: 'Free some space and try again. Nothing was lost.',
  })),
  'git-failed': refusal(500, ({ command, problem }) =>
    BLAMES_SENDER.test(problem)
      ? {
          message: `Muster's own copy of the repository seems to be damaged: ${command}: ${problem.replace(BLAMES_SENDER, '').trim()}`,
          next: 'muster doctor, which checks that copy and suggests what to do',
        }
      : { message: `${command} failed: ${problem}`, next: 'muster doctor' },
  ),
  conflict: refusal(409, ({ paths }) => ({ message: `The changes conflict in ${paths.join(', ')}.` })),
  'branch-moved': refusal(409, () => ({
    message: 'The branch moved in the meantime.',
    next: 'Try again.',
  })),
  'branch-checked-out': refusal(409, ({ branch, at }) => ({
    message: `${branch} is checked out at ${at}, and Muster never changes a checkout.`,
    next: `Check out another branch there, or run git merge yourself.`,
  })),
  'branch-diverged': refusal(409, ({ branch }) => ({
    message: `${branch} in your repository has commits of its own, so it cannot be fast-forwarded.`,
    next: `Rename or merge your ${branch}, then try again.`,
  })),
  'delivery-failed': refusal(500, ({ branch, problem }) => ({
    message: `Could not update ${branch} in your repository: ${problem}`,
  })),
}
