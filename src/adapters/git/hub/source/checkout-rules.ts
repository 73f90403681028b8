import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import { askGit, gitFailed } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import type { FoundRepository } from './find-repository.ts'

/** Where the settings of the person's own git are. */
export type PersonPlaces = {
  readonly home: string
  readonly configHome: string
  /** Instead of the settings that git itself finds: `GIT_CONFIG_SYSTEM` and `GIT_CONFIG_GLOBAL`. */
  readonly systemFile?: string | undefined
  readonly globalFile?: string | undefined
}

/** How the person's git reads a checkout: what it ignores, what it converts, and what it takes for a change. */
export type CheckoutRules = {
  /** Settings for git on the command line. */
  readonly settings: readonly string[]
  readonly exclude?: Buffer
  readonly attributes?: Buffer
  readonly isSparse: boolean
}

/** The settings that decide about it. None of them names a program. */
const READ = [
  ...['filemode', 'symlinks', 'ignorecase', 'precomposeunicode', 'autocrlf', 'eol'],
  ...['excludesfile', 'attributesfile'],
]
const PATTERN = `^core\\.(${[...READ, 'sparsecheckout'].join('|')})$`
const RULES_LIMIT_BYTES = 1024 * 1024

/**
 * Reads the person's settings file by file. Git only parses the files for this: no setting has an effect on it, and it
 * runs nothing. It is told which repository it is, because a file may include others for some repositories only.
 */
export async function readCheckoutRules(
  { git }: { readonly git: Git },
  { gitDirectory, commonDirectory, root }: FoundRepository,
  person: PersonPlaces,
): Promise<Result<CheckoutRules, GitFailure>> {
  const values = new Map<string, string>()
  for (const source of await settingsSources(person, [gitDirectory, commonDirectory])) {
    const read = await readSettings(git, gitDirectory, person.home, source)
    if (!read.ok) return read
    for (const [name, value] of read.value) values.set(name, value)
  }
  const fileOf = (name: string, usual: string) => {
    const path = values.get(name) ?? join(person.configHome, 'git', usual)
    return resolve(root, path.startsWith('~/') ? join(person.home, path.slice(2)) : path)
  }
  values.set('excludesfile', fileOf('excludesfile', 'ignore'))
  values.set('attributesfile', fileOf('attributesfile', 'attributes'))
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

/** How `git config` is told each source of settings. Later ones override earlier ones, as for git. */
async function settingsSources(
  { home, configHome, systemFile, globalFile }: PersonPlaces,
  [gitDirectory, commonDirectory]: readonly [string, string],
): Promise<readonly (readonly string[])[]> {
  const own =
    globalFile === undefined ? [join(configHome, 'git', 'config'), join(home, '.gitconfig')] : [globalFile]
  const files = [
    ...(systemFile === undefined ? [] : [systemFile]),
    ...own,
    join(commonDirectory, 'config'),
    join(gitDirectory, 'config.worktree'),
  ]
  const present: string[] = []
  for (const file of files) {
    const seen = await stat(file).catch(ignoreCodes('ENOENT', 'ENOTDIR', 'EACCES'))
    if (seen?.isFile() === true) present.push(file)
  }
  // Only git knows where its system settings are.
  return [...(systemFile === undefined ? [['--system']] : []), ...present.map((file) => ['--file', file])]
}

/** Exit status 1 means that none of the settings is there. */
async function readSettings(
  git: Git,
  directory: string,
  home: string,
  source: readonly string[],
): Promise<Result<readonly (readonly [string, string])[], GitFailure>> {
  const read = await askGit(git, {
    directory,
    arguments: ['config', ...source, '--includes', '-z', '--get-regexp', PATTERN],
    environment: { HOME: home },
  })
  if (read.code > 1) return failure(gitFailed(read))
  const records = read.stdout.toString('utf8').split('\0')
  return success(
    records
      .filter((record) => record !== '')
      .map((record) => {
        const [name = '', ...value] = record.split('\n')
        // A name without a value is on.
        return [name.replace('core.', ''), value.length === 0 ? 'true' : value.join('\n')] as const
      }),
  )
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
