import { randomUUID } from 'node:crypto'
import type { WireForkRequest, WireJob } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { FollowFlags } from '../follow/follow-flags.ts'
import { detachedLines, followToEnd } from '../follow/follow-to-end.ts'
import { guardStart } from '../follow/guard-start.ts'
import type { Outcome, Problem } from '../problem.ts'
import { readNamedFile } from '../read-text.ts'
import { agentLine } from '../render/job/agent-line.ts'
import { withTrust } from '../trust/with-trust.ts'
import { withFound } from '../with-daemon.ts'

export type ForkFlags = FollowFlags & {
  readonly at: string
  readonly prompt?: Readonly<Record<string, string>>
  readonly agent?: Readonly<Record<string, string>>
  readonly skip?: readonly string[]
  readonly detach?: true
}

/** Starts a job that continues from a visit of a run, and follows it. */
export async function forkCommand(needs: CommandNeeds, text: string, flags: ForkFlags): Promise<Outcome> {
  const request = await forkRequest(needs, text, flags)
  if (!request.ok) return request
  return withFound(needs, text, ['run'], async (client, { id }, link) => {
    const run = await client.getRun(id)
    const old = run.ok ? await client.getJob(run.value.jobId) : run
    if (!old.ok) return failure(apiProblem(old.failure))
    const idempotencyKey = randomUUID()
    using guard = guardStart(needs, 'job')
    const start = () => link.client.forkRun(id, request.value, { idempotencyKey })
    const forked = await guard.answer(withTrust(needs, client, old.value.repositoryPath, start, guard))
    if (!forked.ok) return forked
    announce(needs, id, forked.value, flags)
    if (flags.detach === true) return success(EXIT.done)
    return await followToEnd(needs, link, forked.value.id, flags, guard)
  })
}

function announce({ output }: CommandNeeds, runId: string, job: WireJob, { detach }: ForkFlags): void {
  if (detach === true) output.value({ success: true, data: job })
  if (detach === true || !output.quiet)
    output.print(`${output.paint('strong', job.id)} on branch ${job.workingBranch}, forked from ${runId}`)
  if (!output.json) output.note(agentLine(job, output.hint))
  if (detach === true) for (const line of detachedLines(job.id, output.hint)) output.note(line)
}

async function forkRequest(
  needs: CommandNeeds,
  run: string,
  { at, prompt = {}, agent = {}, skip = [] }: ForkFlags,
): Promise<Result<WireForkRequest, Problem>> {
  const prompts: Record<string, string> = {}
  for (const [stage, file] of Object.entries(prompt)) {
    const kind = { noun: 'prompt', command: `muster fork ${run} --at ${at} --prompt ${stage}=FILE` } as const
    const text = await readNamedFile(needs.surroundings, file, kind)
    if (!text.ok) return text
    prompts[stage] = text.value
  }
  return success({ at, prompts, agents: { ...agent }, skip: [...skip] })
}
