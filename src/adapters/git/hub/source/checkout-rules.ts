import { access, constants, readFile, stat } from 'node:fs/promises'
import { devNull } from 'node:os'
import { join, resolve } from 'node:path'
import type { GitFailure, SnapshotFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes, systemErrorCode } from '../../../../domain/system-error.ts'
import { askGit, gitFailed } from '../process/git-answer.ts'
import type { Git, GitCall } from '../process/run-git.ts'
import type { FoundRepository } from './find-repository.ts'

/** Where the settings of the person's own git are. */
export type PersonPlaces = {
  readonly home: string
  readonly configHome: string
  /** Instead of the settings that git itself finds: `GIT_CONFIG_SYSTEM` and `GIT_CONFIG_GLOBAL`. */
  readonly systemFile?: string | undefined
  readonly globalFile?: string | undefined
  /** Settings in the environment, such as `GIT_CONFIG_COUNT` with its keys and values. */
  readonly variables?: Readonly<Record<string, string>>
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
const PATTERN = `^core\\.(${READ.join('|')})$`
const SPARSE_PATTERN = '^core\\.sparsecheckout$'
/** The settings that name a file, and what the file is called in the person's settings directory by default. */
const USUAL_FILES = [
  ['excludesfile', 'ignore'],
  ['attributesfile', 'attributes'],
] as const
const PATH_PATTERN = '^core\\.(excludesfile|attributesfile)$'
const SETTINGS_VARIABLE = /^GIT_CONFIG_(COUNT|(KEY|VALUE)_\d+|PARAMETERS|NOSYSTEM)$/
const RULES_LIMIT_BYTES = 1024 * 1024

/**
 * Asks git for the person's settings in this repository, so that it finds all their sources as the person's git does.
 * Git only parses the files for this and runs nothing.
 */
export async function readCheckoutRules(
  { git }: { readonly git: Git },
  { gitDirectory, commonDirectory, root }: FoundRepository,
  person: PersonPlaces,
): Promise<Result<CheckoutRules, SnapshotFailure>> {
  const place = { directory: gitDirectory, environment: personEnvironment(person) }
  const read = await readAllSettings(git, place)
  if (!read.ok) return read
  const { values, paths, isSparse } = read.value
  for (const [name, usual] of USUAL_FILES) {
    const path = paths.get(name) ?? join(person.configHome, 'git', usual)
    const file = path === '' ? devNull : resolve(root, path)
    const problem = await findFileProblem(file)
    if (problem !== undefined) return failure({ type: 'uncommitted-unusable', path: root, problem })
    values.set(name, file)
  }
  const exclude = await readRules(join(commonDirectory, 'info', 'exclude'))
  if (!exclude.ok) return exclude
  const attributes = await readRules(join(commonDirectory, 'info', 'attributes'))
  if (!attributes.ok) return attributes
  return success({
    settings: READ.flatMap((name) => (values.has(name) ? [`core.${name}=${values.get(name)}`] : [])),
    isSparse,
    ...(exclude.value === undefined ? {} : { exclude: exclude.value }),
    ...(attributes.value === undefined ? {} : { attributes: attributes.value }),
  })
}

/** The variables of an environment that are settings for git themselves. */
export function settingsVariables(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const settings = Object.entries(environment).filter(([name]) => SETTINGS_VARIABLE.test(name))
  return Object.fromEntries(settings.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** What makes git find the person's settings instead of Muster's. */
function personEnvironment({ home, configHome, systemFile, globalFile, variables }: PersonPlaces) {
  return {
    GIT_CONFIG_NOSYSTEM: '0',
    ...variables,
    HOME: home,
    XDG_CONFIG_HOME: configHome,
    GIT_CONFIG_SYSTEM: systemFile,
    GIT_CONFIG_GLOBAL: globalFile,
  }
}

/** The files in which the person's git looks for settings, besides those of the repository. */
export function personFiles({ home, configHome, systemFile, globalFile }: PersonPlaces): readonly string[] {
  const usual = [join(home, '.gitconfig'), join(configHome, 'git', 'config')]
  return [systemFile ?? '/etc/gitconfig', ...(globalFile === undefined ? usual : [globalFile])]
}

async function readAllSettings(git: Git, place: Pick<GitCall, 'directory' | 'environment'>) {
  const values = await readSettings(git, place, [PATTERN])
  if (!values.ok) return values
  const paths = await readSettings(git, place, ['--type=path', PATH_PATTERN])
  if (!paths.ok) return paths
  // Git has several words for true.
  const sparse = await readSettings(git, place, ['--type=bool', SPARSE_PATTERN])
  if (!sparse.ok) return sparse
  const isSparse = sparse.value.at(-1)?.[1] === 'true'
  return success({ values: new Map(values.value), paths: new Map(paths.value), isSparse })
}

/** Exit status 1 means that none of the settings is there. */
async function readSettings(
  git: Git,
  place: Pick<GitCall, 'directory' | 'environment'>,
  query: readonly string[],
): Promise<Result<readonly (readonly [string, string])[], GitFailure>> {
  const read = await askGit(git, {
    ...place,
    arguments: ['config', '--includes', '-z', '--get-regexp', ...query],
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

/** Git would wait for a pipe or a device, and take a file that it may not read for an empty one. */
async function findFileProblem(path: string): Promise<string | undefined> {
  if (path === devNull) return undefined
  try {
    const seen = await stat(path)
    if (!seen.isFile()) return `git's settings name ${path}, which is not a regular file`
    await access(path, constants.R_OK)
    return undefined
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return undefined
    return `git's settings name ${path}, which can't be read`
  }
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
