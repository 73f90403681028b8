import type { Result } from '../../domain/result.ts'
import { findProgram } from '../init/find-program.ts'
import type { Surroundings } from '../surroundings.ts'
import { callForgeApi } from './call-forge-api.ts'
import type { Forge, ForgeKind } from './forge.ts'
import type { ForgeAnswer, ForgeRequest } from './forge-requests.ts'
import { isLoggedIn, runGhOrGlab } from './run-gh-or-glab.ts'

/**
 * The way to a forge's API: with a token of the person's shell, or through the forge's own program, which has its own.
 *
 * Contract: `send` never throws and never sends twice. The failure says in words why there is no answer.
 */
export type ForgeAccess = {
  /** The variable with the token, or the program. */
  readonly name: string
  send(request: ForgeRequest): Promise<Result<ForgeAnswer, string>>
}

type Needs = Pick<Surroundings, 'environment' | 'version'> & { readonly signal: AbortSignal }

export const PROGRAMS = { github: 'gh', gitlab: 'glab' } as const satisfies Record<ForgeKind, string>

/** The names that the forges' own programs read, in their order. */
export function tokenNames({ kind, host }: Pick<Forge, 'kind' | 'host'>): readonly string[] {
  if (kind === 'gitlab') return ['GITLAB_TOKEN']
  const own = host === 'github.com' ? [] : ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN']
  return [...own, 'GH_TOKEN', 'GITHUB_TOKEN']
}

/** Why there is no way to the forge: the person has neither a token nor the program, or the program has no log-in. */
export type NoAccess = 'nothing' | 'logged-out'

/** The first way that there is. */
export async function findAccess(needs: Needs, forge: Forge): Promise<ForgeAccess | NoAccess> {
  for (const name of tokenNames(forge)) {
    const token = needs.environment[name]?.trim() ?? ''
    if (token !== '') return { name, send: (request) => callForgeApi(needs, forge, token, request) }
  }
  const program = PROGRAMS[forge.kind]
  const path = await findProgram(program, needs.environment['PATH'] ?? '')
  // The programs know their hosts, but not an address that was given to this command.
  if (path === undefined || forge.isApiGiven) return 'nothing'
  if (!(await isLoggedIn(needs, forge, path))) return 'logged-out'
  return { name: program, send: (request) => runGhOrGlab(needs, forge, path, request) }
}
