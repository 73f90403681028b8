import type { ApiError, MusterClient } from '../../client/index.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { AGENT_EXAMPLES } from '../init/agent-examples.ts'
import type { Problem } from '../problem.ts'
import { type EnvironmentGap, findEnvironmentGap, gapWords, variableWords } from './environment-gap.ts'
import { programsIn, programWords } from './programs-in.ts'

/**
 * The problem of a command that couldn't start an agent. If the agent's program or key is here, but not in the
 * environment that the daemon was started with, that is the reason.
 */
export async function startRefusal(
  needs: CommandNeeds,
  client: MusterClient,
  error: ApiError,
): Promise<Problem> {
  const problem = apiProblem(error)
  if (!ABOUT_PROGRAMS.has(error.type)) return problem
  const gap = await findEnvironmentGap(needs, client)
  const reasons = gap === undefined ? [] : await reasonsIn(gap, error)
  if (reasons.length === 0) return problem
  return { ...problem, why: gapWords(reasons), next: 'muster shutdown, then try again' }
}

const ABOUT_PROGRAMS: ReadonlySet<string> = new Set(['program-missing', 'agent-absent', 'agent-unready'])

async function reasonsIn(gap: EnvironmentGap, { type, details = {} }: ApiError): Promise<readonly string[]> {
  const { program, provider, cause, installs } = details
  if (type === 'agent-unready') {
    const isKey = cause === 'login' && typeof provider === 'string'
    return isKey
      ? gap.variables.filter(({ providers }) => providers.includes(provider)).map(variableWords)
      : []
  }
  if (type === 'program-missing') return typeof program === 'string' ? wordsOf(gap, [program]) : []
  return Array.isArray(installs) ? wordsOf(gap, AGENT_PROGRAMS) : []
}

const AGENT_PROGRAMS: readonly string[] = AGENT_EXAMPLES.map(({ program }) => program)

async function wordsOf(gap: EnvironmentGap, programs: readonly string[]): Promise<readonly string[]> {
  return (await programsIn(gap, programs)).map(programWords)
}
