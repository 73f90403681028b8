import type { RepositoryFailure } from './api-failure.ts'
import type { WordTable } from './failure-words.ts'
import { CHOOSE_BASE } from './start-words.ts'

export const repositoryWords: WordTable<RepositoryFailure> = {
  'path-missing': ({ path }) => ({
    message: `There is nothing at ${path}.`,
    next: 'Give the path of a git repository, or run the command inside one.',
  }),
  'not-a-repository': ({ path }) => ({
    message: `${path} is not a git repository.`,
    next: `git init ${path}`,
  }),
  'no-commits': ({ path }) => ({
    message: `${path} has no commits yet, so there is nothing to start from.`,
    next: 'git add -A && git commit -m "first commit"',
  }),
  'repository-unreadable': ({ path, problem }) => ({ message: `${path} cannot be read: ${problem}` }),
  'base-missing': ({ branch }) => ({
    message: `The repository has no branch ${branch} to start from. A base must be a branch, not another name of a commit.`,
    next: CHOOSE_BASE,
  }),
  'git-missing': () => ({
    message: 'Git is not installed, or not on the path of the daemon.',
    next: 'Install git, then: muster doctor',
  }),
  'git-too-old': ({ version, needed }) => ({
    message: `Git ${version} is too old; Muster needs ${needed} or newer.`,
    next: 'Install a newer git, then: muster doctor',
  }),
  'disk-full': ({ path }) => ({
    message: `The disk that holds ${path} is full.`,
    next: 'Free some space, then try again. Nothing was lost.',
  }),
  'git-failed': ({ command, problem }) => ({
    message: `git ${command} failed: ${problem}`,
    next: 'muster doctor',
  }),
  conflict: ({ paths }) => ({ message: `The changes conflict in ${paths.join(', ')}.` }),
  'branch-moved': () => ({
    message: 'The branch moved while the change was being made.',
    next: 'Try again.',
  }),
  'branch-checked-out': ({ branch, at }) => ({
    message: `${branch} is checked out at ${at}, and a checkout is never changed under you.`,
    next: `Check out another branch there, or bring the work in yourself with git merge.`,
  }),
  'branch-diverged': ({ branch }) => ({
    message: `${branch} has commits of its own in your repository, so it cannot be moved forward.`,
    next: `Rename or merge your ${branch}, then try again.`,
  }),
  'delivery-failed': ({ branch, problem }) => ({
    message: `${branch} could not be brought into your repository: ${problem}`,
  }),
}
