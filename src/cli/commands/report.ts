import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { MusterClient, ReportOptions, WireProject } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { readAll } from '../follow/job-outcome.ts'
import type { Outcome, Problem } from '../problem.ts'
import { reportLines } from '../render/report/report-lines.ts'
import { lookOf } from '../render/text/look.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { findRepository } from '../repository/find-repository.ts'
import { noRepository } from '../repository/no-repository.ts'
import { resolveId } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type ReportFlags = { readonly limit?: number }

type Asked = Pick<ReportOptions, 'job' | 'project'>

const PAGE = 200

/** What the newest job did and what it rests on; of several, newest first. */
export async function reportCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: ReportFlags,
): Promise<Outcome> {
  const { output } = needs
  return withDaemon(needs, async (client) => {
    const asked = await findAsked(needs, client, text)
    if (!asked.ok) return asked
    return withAnswer(client.listReports({ ...asked.value, limit: flags.limit ?? 1 }), async (reports) => {
      output.value({ success: true, data: reports })
      if (reports.items.length === 0) output.print('no jobs yet')
      const look = lookOf(needs)
      for (const report of reports.items) {
        for (const line of reportLines(report, look)) output.print(line)
        await output.drained()
      }
      return success(EXIT.done)
    })
  })
}

/** The job or project that was named; without a name, that of the repository the person is in. */
async function findAsked(
  needs: CommandNeeds,
  client: MusterClient,
  text: string | undefined,
): Promise<Result<Asked, Problem>> {
  const { cwd } = needs.surroundings
  if (text?.startsWith('job_') === true) return jobOf(client, text)
  const projects = await readAll((cursor) => client.listProjects({ limit: PAGE, cursor }))
  if (!projects.ok) return failure(apiProblem(projects.failure))
  if (text === undefined) {
    const repository = await findRepository(cwd)
    if (repository === undefined) return failure(noRepository(cwd, 'look'))
    const project = await projectAt(projects.value, repository)
    return project === undefined ? failure(noProject(repository)) : success({ project: project.id })
  }
  const named = projects.value.find(({ id, name }) => id === text || name === text)
  const project = named ?? (await projectAt(projects.value, resolve(cwd, text)))
  return project === undefined ? jobOf(client, text) : success({ project: project.id })
}

async function jobOf(client: MusterClient, text: string): Promise<Result<Asked, Problem>> {
  const found = await resolveId(client, text, ['job'])
  return found.ok ? success({ job: found.value.id }) : found
}

async function projectAt(
  projects: readonly WireProject[],
  directory: string,
): Promise<WireProject | undefined> {
  // What is not there is no project's path under any other name.
  const real = await realpath(directory).catch(() => directory)
  return projects.find(({ path }) => path === real || path === directory)
}

function noProject(repository: string): Problem {
  return {
    type: 'project-unknown',
    exitCode: EXIT.usage,
    message: `no job was ever started in ${safeLine(repository)}`,
    next: 'muster list projects',
  }
}
