import { failure, type Result, success } from '../../domain/result.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import type { RemoteAddress } from './remote-address.ts'

export const FORGES = ['github', 'gitlab'] as const
export type ForgeKind = (typeof FORGES)[number]

/** The service that a remote is on, and the repository there. */
export type Forge = {
  readonly kind: ForgeKind
  readonly host: string
  readonly path: string
  readonly apiUrl: string
  /** The person gave the API's address themselves. */
  readonly isApiGiven: boolean
}

export type ForgeFlags = { readonly forge?: ForgeKind; readonly apiUrl?: string }
type Environment = Readonly<Record<string, string | undefined>>

export const FORGE_NAMES = { github: 'GitHub', gitlab: 'GitLab' } as const satisfies Record<ForgeKind, string>
const PUBLIC_HOSTS = { 'github.com': 'github', 'gitlab.com': 'gitlab' } as const

/**
 * Which forge a remote is on. A host of one's own counts only if the person names it: by a flag, or in the variables
 * that `gh` and `glab` use. Muster never guesses where to send a token. Undefined if the remote is on no forge.
 */
export function chooseForge(
  address: RemoteAddress | undefined,
  flags: ForgeFlags,
  environment: Environment,
): Result<Forge | undefined, Problem> {
  if (flags.apiUrl !== undefined && !isSafe(flags.apiUrl)) return failure(unsafeAddress(flags.apiUrl))
  const kind = flags.forge ?? kindOf(address?.host, environment)
  if (address === undefined || kind === undefined) return success(undefined)
  const given = flags.apiUrl?.replace(/\/+$/, '')
  const apiUrl = given ?? apiOf(kind, address.host)
  return success({ kind, ...address, apiUrl, isApiGiven: given !== undefined })
}

function kindOf(host: string | undefined, environment: Environment): ForgeKind | undefined {
  if (host === undefined) return undefined
  if (host === 'github.com' || host === 'gitlab.com') return PUBLIC_HOSTS[host]
  if (host === hostIn(environment['GH_HOST'])) return 'github'
  return host === hostIn(environment['GITLAB_HOST']) ? 'gitlab' : undefined
}

/** `glab` takes an address as well as a host. */
function hostIn(text: string | undefined): string | undefined {
  return text === undefined
    ? undefined
    : text
        .replace(/^https?:\/\//, '')
        .replace(/\/.*$/, '')
        .toLowerCase()
}

function apiOf(kind: ForgeKind, host: string): string {
  if (kind === 'gitlab') return `https://${host}/api/v4`
  return host === 'github.com' ? 'https://api.github.com' : `https://${host}/api/v3`
}

/** A token must not cross a network that others can read. */
function isSafe(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
}

function unsafeAddress(url: string): Problem {
  return {
    type: 'bad-arguments',
    exitCode: EXIT.usage,
    message: `${url} is not encrypted, so a token can't be sent there`,
    why: '--api-url must begin with https://',
  }
}

/** Where the person can open the pull request in a browser. */
export function compareUrl({ kind, host, path }: Forge, base: string, branch: string): string {
  if (kind === 'github') {
    return `https://${host}/${path}/compare/${encodeURIComponent(base)}...${encodeURIComponent(branch)}?expand=1`
  }
  const query = new URLSearchParams({
    'merge_request[source_branch]': branch,
    'merge_request[target_branch]': base,
  })
  return `https://${host}/${path}/-/merge_requests/new?${query}`
}
