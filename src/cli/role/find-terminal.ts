import type { MusterClient, WireSession } from '../../client/index.ts'
import { readAll } from '../../client/read-all.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { resolveId } from '../resolve-id.ts'
import type { RoleOfRun } from './find-role.ts'
import { inRun, roleOfNewest } from './find-spoken.ts'
import { createRoleSessions } from './role-sessions.ts'

/** The session to attach to: the one that a text names, or the current one of a role in a run. */
export async function findTerminal(
  needs: CommandNeeds,
  client: MusterClient,
  text: string,
  run: string | undefined,
): Promise<Result<string, Problem>> {
  const here = { cwd: needs.surroundings.cwd, say: needs.output.note }
  if (run !== undefined) {
    const named = await inRun(needs, client, run, text)
    return named.ok ? await terminalOf(client, named.value) : named
  }
  const found = await resolveId(client, text, ['session'], here)
  if (found.ok) return success(found.value.id)
  if (found.failure.type !== 'id-unknown') return found
  const role = await roleOfNewest(client, here.cwd, text)
  if (role?.ok !== true) return role ?? found
  return await terminalOf(client, role.value)
}

async function terminalOf(client: MusterClient, named: RoleOfRun): Promise<Result<string, Problem>> {
  const { run, role } = named
  const [known, live] = await Promise.all([
    createRoleSessions(() => client, named).all(),
    readAll((page) => client.listSessions({ job: run.jobId, status: 'live', ...page })),
  ])
  if (!live.ok) return failure(apiProblem(live.failure))
  const working = live.value.filter(({ id }) => known.has(id))
  const [only, ...others] = working.filter(({ mode }) => mode === 'interactive')
  if (only !== undefined && others.length === 0) return success(only.id)
  return failure(only === undefined ? noTerminal(named, working) : several(role, [only, ...others]))
}

function noTerminal({ run, role }: RoleOfRun, working: readonly WireSession[]): Problem {
  const isWorking = working.length > 0
  return {
    type: 'no-terminal',
    exitCode: EXIT.conflict,
    message: isWorking
      ? `${safeLine(role)} works in ${run.id} without a terminal`
      : `${safeLine(role)} is not at work in ${run.id}`,
    next: `muster logs ${run.id} ${safeLine(role)}${isWorking ? ' -f' : ''}`,
  }
}

function several(role: string, sessions: readonly WireSession[]): Problem {
  return {
    type: 'several-sessions',
    exitCode: EXIT.usage,
    message: `${sessions.length} sessions of ${safeLine(role)} have a terminal; name one`,
    why: sessions.map(({ id, agent }) => `muster attach ${id}  ${safeLine(agent)}`).join('\n'),
    next: 'use one of these commands',
  }
}
