import { readFile, stat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { askGit } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { ignoreCodes } from '../process/system-error.ts'
import type { FoundRepository } from './find-repository.ts'

/** Where the settings of the person's own git are. */
export type PersonPlaces = { readonly home: string; readonly configHome: string }

/** How the person's git reads a checkout: what it ignores, and what it takes for a change. */
export type CheckoutRules = {
  /** Settings for git on the command line. */
  readonly settings: readonly string[]
  readonly exclude?: Buffer
  readonly attributes?: Buffer
  readonly isSparse: boolean
}

/** The settings that decide about it. None of them names a program. */
const READ = ['filemode', 'symlinks', 'ignorecase', 'precomposeunicode', 'autocrlf', 'eol', 'excludesfile']
const PATTERN = `^core\\.(${[...READ, 'sparsecheckout'].join('|')})$`
const RULES_LIMIT_BYTES = 1024 * 1024

/**
 * Reads the person's settings file by file. Git only parses the files for this: it opens no repository, and no setting
 * has an effect on it.
 */
export async function readCheckoutRules(
  { git }: { readonly git: Git },
  { gitDirectory, commonDirectory, root }: FoundRepository,
  { home, configHome }: PersonPlaces,
): Promise<Result<CheckoutRules, GitFailure>> {
  const values = new Map<string, string>()
  // Later ones override earlier ones, as for git.
  const files = [
    join(configHome, 'git', 'config'),
    join(home, '.gitconfig'),
    join(commonDirectory, 'config'),
    join(gitDirectory, 'config.worktree'),
  ]
  for (const file of files) {
    for (const [name, value] of await readSettings(git, file)) values.set(name, value)
  }
  const ignored = values.get('excludesfile') ?? join(configHome, 'git', 'ignore')
  const path = ignored.startsWith('~/') ? join(home, ignored.slice(2)) : ignored
  values.set('excludesfile', isAbsolute(path) ? path : resolve(root, path))
  const exclude = await readRules(join(commonDirectory, 'info', 'exclude'))
  if (!exclude.ok) return exclude
  const attributes = await readRules(join(commonDirectory, 'info', 'attributes'))
  if (!attributes.ok) return attributes
  return success({
    settings: READ.flatMap((name) => (values.has(name) ? [`core.${name}=${values.get(name)}`] : [])),
    isSparse: values.get('sparsecheckout') === 'true',
    ...(exclude.value === undefined ? {} : { exclude: exclude.value }),
    ...(attributes.value === undefined ? {} : { attributes: attributes.value }),
  })
}

async function readSettings(git: Git, file: string): Promise<readonly (readonly [string, string])[]> {
  if ((await stat(file).catch(ignoreCodes('ENOENT', 'ENOTDIR', 'EACCES')))?.isFile() !== true) return []
  const read = await askGit(git, {
    arguments: ['config', '--file', file, '--includes', '-z', '--get-regexp', PATTERN],
  })
  return read.stdout
    .toString('utf8')
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => {
      const [name = '', ...value] = record.split('\n')
      // A name without a value is on.
      return [name.replace('core.', ''), value.length === 0 ? 'true' : value.join('\n')] as const
    })
}

/** Rules that can't be read are a failure: without them, ignored files would be taken for work. */
async function readRules(path: string): Promise<Result<Buffer | undefined, GitFailure>> {
  const unreadable = (problem: string) =>
    failure<GitFailure>({ type: 'git-failed', command: 'git status', problem: `${path} ${problem}` })
  const seen = await stat(path).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  if (seen?.isFile() !== true) return success(undefined)
  if (seen.size > RULES_LIMIT_BYTES) return unreadable(`is larger than ${RULES_LIMIT_BYTES} bytes`)
  const text = await readFile(path).catch(ignoreCodes('EACCES'))
  return text === undefined ? unreadable('may not be read') : success(text)
}
