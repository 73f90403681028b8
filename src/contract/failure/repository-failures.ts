import type { RepositoryFailure } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'
import { CHOOSE_BASE } from './start-failures.ts'

export const repositoryFailures: FailureTable<RepositoryFailure> = {
  'path-missing': refusal(422, ({ path }) => ({
    message: `There is nothing at ${path}.`,
    next: 'Give the path of a git repository, or run the command inside one.',
  })),
  'not-a-repository': refusal(422, ({ path }) => ({
    message: `${path} is not a git repository.`,
    next: `git init ${path}`,
  })),
  'no-commits': refusal(422, ({ path }) => ({
    message: `${path} has no commits yet, so there is nothing to start from.`,
    next: 'git add -A && git commit -m "first commit"',
  })),
  'repository-unreadable': refusal(422, ({ path, problem }) => ({
    message: `${path} cannot be read: ${problem}`,
  })),
  'base-missing': refusal(422, ({ branch }) => ({
    message: `The repository has no branch ${branch} to start from. A base must be a branch, not another name of a commit.`,
    next: CHOOSE_BASE,
  })),
  'git-missing': refusal(500, () => ({
    message: 'Git is not installed, or not on the path of the daemon.',
    next: 'Install git, then: muster doctor',
  })),
  'git-too-old': refusal(500, ({ version, needed }) => ({
    message: `Git ${version} is too old; Muster needs ${needed} or newer.`,
    next: 'Install a newer git, then: muster doctor',
  })),
  'disk-full': refusal(507, ({ path }) => ({
    message: `The disk that holds ${path} is full.`,
    next: 'Free some space, then try again. Nothing was lost.',
  })),
  'git-failed': refusal(500, ({ command, problem }) => ({
    message: `git ${command} failed: ${problem}`,
    next: 'muster doctor',
  })),
  conflict: refusal(409, ({ paths }) => ({ message: `The changes conflict in ${paths.join(', ')}.` })),
  'branch-moved': refusal(409, () => ({
    message: 'The branch moved while the change was being made.',
    next: 'Try again.',
  })),
  'branch-checked-out': refusal(409, ({ branch, at }) => ({
    message: `${branch} is checked out at ${at}, and a checkout is never changed under you.`,
    next: `Check out another branch there, or bring the work in yourself with git merge.`,
  })),
  'branch-diverged': refusal(409, ({ branch }) => ({
    message: `${branch} has commits of its own in your repository, so it cannot be moved forward.`,
    next: `Rename or merge your ${branch}, then try again.`,
  })),
  'delivery-failed': refusal(500, ({ branch, problem }) => ({
    message: `${branch} could not be brought into your repository: ${problem}`,
  })),
}
