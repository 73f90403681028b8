import { basename, join, normalize } from 'node:path'
import type { SandboxPolicy } from '../../../domain/session/sandbox-policy.ts'
import type { AgentProvider } from '../../../ports/agent-provider.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { homesOf } from '../../providers/homes-of.ts'
import { namedHomeOf, namedHomes } from '../../providers/named-home.ts'
import type { Workplace } from '../purposes/workplace.ts'
import { outboxIn } from '../session-environment.ts'
import { CREDENTIAL_NAMES } from './credential-names.ts'
import { credentialPaths } from './credential-paths.ts'
import { programFolders } from './program-folders.ts'

type Needs = Pick<EngineNeeds, 'settings' | 'providers'>

/** Where languages and tools live in a home: without these, neither agents nor checks could build anything. */
const TOOLS = [
  '.gitconfig',
  '.config/git/attributes',
  '.config/git/config',
  '.config/git/ignore',
  '.asdf',
  '.bun',
  '.cargo/bin',
  '.cargo/config.toml',
  '.cargo/env',
  '.cargo/git',
  '.cargo/registry',
  '.deno',
  '.local/share/mise',
  '.local/share/pnpm',
  '.nvm',
  '.pyenv',
  '.rbenv',
  '.rustup',
  '.sdkman',
  '.volta',
  'go',
]

/**
 * What a session may reach: its outbox and, unless it is to change nothing, its tree to write, the project's objects
 * and the tools of the home to read, and of the rest of the home and of Muster's own files nothing. Known places and
 * names of log-ins and keys stay hidden even inside a readable folder, unless the person's configuration names exactly
 * them.
 */
export function sandboxOf(
  needs: Needs,
  workplace: Pick<Workplace, 'sandbox' | 'tree' | 'projectId' | 'isReadOnly'>,
  options: {
    readonly sessionDirectory: string
    readonly searchPath: string
    /** Absent for checks. */
    readonly provider?: AgentProvider | undefined
    /** Programs and scripts the session was configured with, wherever they lie. */
    readonly programs?: readonly string[]
  },
): SandboxPolicy {
  const { settings } = needs
  const { personHome, musterHome, hubsDirectory } = settings
  const homes = homesOf(settings)
  const below = (path: string) => join(personHome, path)
  const { tree, isReadOnly = false } = workplace
  const { readable = [], writable = [], ...chosen } = workplace.sandbox
  const meant = (path: string) => (path.startsWith('~/') ? below(path.slice(2)) : path)
  const credentials = [...credentialPaths(homes, options.provider?.homePaths ?? []), ...namedHomes(needs)]
  const tools = [
    ...homes.flatMap((home) => TOOLS.map((path) => join(home, path))),
    ...homes.flatMap((home) => searchPlaces(options.searchPath, home)),
    ...(options.programs ?? []),
  ]
  const named = readable.map(meant)
  const own = [
    outboxIn(options.sessionDirectory),
    ...homeDirectoriesOf(needs, options.provider),
    ...writable.map(meant),
  ]
  return {
    ...chosen,
    level: settings.sandboxLevel ?? chosen.level,
    writable: [...(isReadOnly ? [] : [tree.directory]), ...own],
    readable: [
      tree.directory,
      options.sessionDirectory,
      join(hubsDirectory, `${workplace.projectId}.git`),
      ...settings.ownTools,
      ...tools,
      ...named,
    ],
    hidden: [...homes, musterHome, ...credentials],
    hiddenNames: {
      ...CREDENTIAL_NAMES,
      // A tree is the repository's, and what is writable is the session's own, whatever their files are called.
      within: [...tools, ...named.filter((path) => !isCredentialPlace(path, credentials))].filter((path) =>
        [tree.directory, ...own].every((place) => !`${path}/`.startsWith(`${place}/`)),
      ),
    },
  }
}

/** A person who makes such a directory readable means what is in it. */
function isCredentialPlace(path: string, credentials: readonly string[]): boolean {
  const place = normalize(path).replace(/\/$/, '')
  return credentials.includes(place) || CREDENTIAL_NAMES.directories.includes(basename(place))
}

/**
 * The directories that a provider's program keeps its things in: the one that the person named, or else those of the
 * home. Single files are left out: a program that replaces one by renaming cannot do so with one that is shown to it by
 * itself.
 */
export function homeDirectoriesOf(
  needs: Pick<Needs, 'settings'>,
  provider: AgentProvider | undefined,
): readonly string[] {
  if (provider === undefined) return []
  const named = namedHomeOf(needs, provider)
  if (named !== undefined) return [named]
  const paths = provider.homePaths.filter((path) => !path.endsWith('.json'))
  return paths.map((path) => join(needs.settings.personHome, path))
}

/** The folders of the programs in the home that a session may call by name. Never the home itself. */
function searchPlaces(searchPath: string, home: string): readonly string[] {
  return searchPath
    .split(':')
    .map((place) => normalize(place).replace(/\/$/, ''))
    .filter((place) => place.startsWith(`${home}/`))
    .flatMap((place) => programFolders(place, home))
}
