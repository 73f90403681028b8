import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import type {
  MusterClient,
  ReportOptions,
  WireProject,
  WireReport,
  WireReportList,
} from '../../client/index.ts'
import { readAll } from '../../client/read-all.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { noJob } from '../id-problems.ts'
import { withPager } from '../pager/with-pager.ts'
import type { Outcome, Problem } from '../problem.ts'
import { reportLines } from '../render/report/report-lines.ts'
import { type Display, displayOf } from '../render/text/display.ts'
import { safeMarkdown } from '../render/text/safe-text.ts'
import { type FoundMerge, findMerge } from '../repository/find-merge.ts'
import { findRepository } from '../repository/find-repository.ts'
import { newestJob } from '../repository/newest-job.ts'
import { resolveId } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type ReportFlags = { readonly limit?: number; readonly format?: 'text' | 'markdown' }

type Asked = Pick<ReportOptions, 'job' | 'project'>

/** Reports on the newest job, or on several, newest first. */
export async function reportCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: ReportFlags,
): Promise<Outcome> {
  return withPager(needs, (paged) => showReports(paged, text, flags))
}

async function showReports(
  needs: CommandNeeds,
  text: string | undefined,
  flags: ReportFlags,
): Promise<Outcome> {
  const { output } = needs
  return withDaemon(needs, async (client) => {
    const asked = await findAsked(needs, client, text)
    if (!asked.ok) return asked
    const format = flags.format === 'markdown' ? { format: flags.format } : {}
    const query = { ...asked.value, ...format, limit: flags.limit ?? 1 }
    return withAnswer(client.listReports(query), async (reports) => {
      output.value({ success: true, data: reports })
      if (reports.items.length === 0) output.print('no jobs yet')
      const display = displayOf(needs)
      for (const report of reports.items) {
        await printReport(needs, report, display)
        await output.drained()
      }
      return success(EXIT.done)
    })
  })
}

/** Lines of Markdown are not wrapped, because a part of a line could have another meaning at the start of a line. */
async function printReport(
  needs: CommandNeeds,
  report: WireReportList['items'][number],
  display: Display,
): Promise<void> {
  const { output } = needs
  if (report.markdown !== undefined) return output.print(safeMarkdown(report.markdown).trimEnd())
  for (const line of reportLines(report, display, await mergeOf(needs, report))) output.printProse(line)
}

/** When the work was merged, which only the person's repository knows. */
async function mergeOf(
  { surroundings, output }: CommandNeeds,
  { merged, repositoryPath, baseBranch }: WireReport,
): Promise<FoundMerge | undefined> {
  if (merged?.commit === undefined || output.json) return undefined
  return findMerge(surroundings.environment, repositoryPath, baseBranch, merged.commit)
}

/** The job or project that was named, or else the project of the current repository or of the newest job. */
async function findAsked(
  needs: CommandNeeds,
  client: MusterClient,
  text: string | undefined,
): Promise<Result<Asked, Problem>> {
  const { cwd } = needs.surroundings
  if (text?.startsWith('job_') === true) return jobOf(client, text)
  const projects = await readAll((page) => client.listProjects(page))
  if (!projects.ok) return failure(apiProblem(projects.failure))
  if (text === undefined) {
    const repository = await findRepository(cwd)
    const project = repository === undefined ? undefined : await projectAt(projects.value, repository)
    return project === undefined ? projectOfNewest(needs, client) : success({ project: project.id })
  }
  if (text.startsWith('prj_')) {
    const found = await resolveId(client, text, ['project'])
    return found.ok ? success({ project: found.value.id }) : found
  }
  const named = projects.value.find(({ name }) => name === text)
  const project = named ?? (await projectAt(projects.value, resolve(cwd, text)))
  return project === undefined ? jobOf(client, text) : success({ project: project.id })
}

async function projectOfNewest(
  { surroundings, output }: CommandNeeds,
  client: MusterClient,
): Promise<Result<Asked, Problem>> {
  const newest = await newestJob(client, { cwd: surroundings.cwd, say: output.note })
  if (!newest.ok) return failure(apiProblem(newest.failure))
  return newest.value === undefined ? failure(noJob()) : success({ project: newest.value.projectId })
}

async function jobOf(client: MusterClient, text: string): Promise<Result<Asked, Problem>> {
  const found = await resolveId(client, text, ['job'])
  return found.ok ? success({ job: found.value.id }) : found
}

async function projectAt(
  projects: readonly WireProject[],
  directory: string,
): Promise<WireProject | undefined> {
  // A path that doesn't exist has no real path; it may still be the path of a project.
  const real = await realpath(directory).catch(() => directory)
  return projects.find(({ path }) => path === real || path === directory)
}
