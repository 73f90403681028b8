import type { MusterClient } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { findRun, runOf } from '../find-run.ts'
import type { Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { type Found, findNewest, resolveId } from '../resolve-id.ts'
import { newestRun, type RoleOfRun, roleOf } from './find-role.ts'

const TEXT_LIMIT = 40

type SpokenKind = 'job' | 'task' | 'run' | 'session'

/** Whose words are wanted: those of a record, or those of a role in a run. */
export type Spoken =
  | { readonly type: 'record'; readonly found: Found<SpokenKind> }
  | ({ readonly type: 'role' } & RoleOfRun)

type Named = {
  readonly text: string | undefined
  readonly role: string | undefined
  /** The value of --run. */
  readonly run: string | undefined
}

const KINDS: readonly SpokenKind[] = ['job', 'task', 'run', 'session']

/**
 * Finds whose words a person wants: `RUN ROLE`, `ROLE --run RUN`, a record, or a role of the newest run. A text that
 * names a record means the record.
 */
export async function findSpoken(
  needs: CommandNeeds,
  client: MusterClient,
  { text, role, run }: Named,
): Promise<Result<Spoken, Problem>> {
  const here = { cwd: needs.surroundings.cwd, say: needs.output.note }
  if (role !== undefined && run !== undefined) return failure(twoRuns())
  if (role !== undefined) return await inRun(needs, client, text, role)
  if (run !== undefined)
    return text === undefined ? ofRun(needs, client, run) : inRun(needs, client, run, text)
  const found =
    text === undefined ? await findNewest(client, here) : await resolveId(client, text, KINDS, here)
  if (found.ok) return success({ type: 'record', found: found.value })
  if (text === undefined || found.failure.type !== 'id-unknown') return found
  return (await roleOfNewest(client, here.cwd, text)) ?? found
}

/** The role of the newest run that a text names, or undefined if there is no run. */
export async function roleOfNewest(
  client: MusterClient,
  cwd: string,
  text: string,
): Promise<Result<{ readonly type: 'role' } & RoleOfRun, Problem> | undefined> {
  const newest = await newestRun(client, cwd)
  if (!newest.ok) return newest
  if (newest.value === undefined) return undefined
  const named = await roleOf(client, newest.value, text)
  return named.ok ? success({ type: 'role', ...named.value }) : failure(neither(named.failure, text))
}

/** The role of the run, or of the newest run of a task or job, that a text names. */
export async function inRun(
  needs: CommandNeeds,
  client: MusterClient,
  text: string | undefined,
  role: string,
): Promise<Result<{ readonly type: 'role' } & RoleOfRun, Problem>> {
  const id = await findRun(needs, client, text)
  if (!id.ok) return id
  const run = await client.getRun(id.value)
  if (!run.ok) return failure(apiProblem(run.failure))
  const named = await roleOf(client, run.value, role)
  return named.ok ? success({ type: 'role', ...named.value }) : named
}

async function ofRun(
  needs: CommandNeeds,
  client: MusterClient,
  text: string,
): Promise<Result<Spoken, Problem>> {
  const here = { cwd: needs.surroundings.cwd, say: needs.output.note }
  const found = await resolveId(client, text, ['run', 'task', 'job'], here)
  const id = found.ok ? await runOf(client, found.value) : found
  return id.ok ? success({ type: 'record', found: { kind: 'run', id: id.value } }) : id
}

function neither(problem: Problem, text: string): Problem {
  const message = `no job, task, run or session is called "${safeLine(text, TEXT_LIMIT)}", and the newest run has no such role`
  return { ...problem, type: 'id-unknown', message }
}

function twoRuns(): Problem {
  return {
    type: 'bad-arguments',
    exitCode: EXIT.usage,
    message: 'name the run once: before the role, or with --run',
    next: 'muster help logs',
  }
}
