import type { MusterClient, WireSession, WireStoppedRun } from '../../client/index.ts'
import { failure } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { nameToEnd } from '../open-records.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { counted } from '../render/text/counted.ts'
import { type Display, displayOf } from '../render/text/display.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { withAnswer, withChanged, withDaemon } from '../with-daemon.ts'
import { cancelJob } from './cancel.ts'

export type StopFlags = { readonly reason?: string }

/** Ends a session or a run, or cancels a job. */
export async function stopCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: StopFlags,
): Promise<Outcome> {
  return stop(needs, text, flags, 'stop')
}

/** Ends a session or a run at once, without asking its programs to exit, or cancels a job. */
export async function killCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: StopFlags,
): Promise<Outcome> {
  return stop(needs, text, flags, 'kill')
}

function stop(
  needs: CommandNeeds,
  text: string | undefined,
  flags: StopFlags,
  command: 'stop' | 'kill',
): Promise<Outcome> {
  if (text === undefined)
    return withDaemon(needs, async (client) => failure(await nameToEnd(client, command)))
  return withChanged(needs, text, ['session', 'job', 'run'], (client, { kind, id }) => {
    if (kind === 'run') return stopRun(needs, client, id, { flags, command })
    if (kind === 'job') return cancelJob(needs, client, id, flags)
    return withAnswer(
      client.stopSession(id, { reason: flags.reason, force: command === 'kill' }),
      (session) => printResult(needs, session, stoppedLines(session, displayOf(needs))),
    )
  })
}

function stopRun(
  needs: CommandNeeds,
  client: MusterClient,
  id: string,
  { flags: { reason }, command }: { readonly flags: StopFlags; readonly command: 'stop' | 'kill' },
): Promise<Outcome> {
  const stopped = command === 'kill' ? client.killRun(id, { reason }) : client.stopRun(id, { reason })
  return withAnswer(stopped, (answer) =>
    printResult(needs, answer, stoppedRunLines(answer, command, displayOf(needs))),
  )
}

function stoppedRunLines(
  { run, ended, programs }: WireStoppedRun,
  command: 'stop' | 'kill',
  { hint }: Pick<Display, 'hint'>,
): readonly string[] {
  const what = counted(programs, 'program')
  const rest = command === 'kill' ? `${what} killed` : `${what} asked to exit`
  if (ended === 'nothing') {
    const as = run.end === undefined ? '' : ` as ${run.end}`
    return [`${run.id} had already ended${as}${command === 'kill' && programs > 0 ? `; ${rest}` : ''}`]
  }
  const consequence = {
    job: `${run.jobId} is cancelled`,
    task: `its task is given up, and ${run.jobId} goes on`,
    stage: 'the stage that waited for it has failed, and the other run goes on',
  }[ended]
  return [
    `${run.id} is ${command === 'kill' ? 'killed' : 'stopped'}, ${rest}; ${consequence}`,
    ...(ended === 'stage' ? [] : [`to continue it: ${hint(`muster resume ${run.id}`)}`]),
    ...workLines(run, programs, hint),
  ]
}

/** What a program that is still exiting leaves is collected when it has exited. */
function workLines(
  { jobId, next }: WireStoppedRun['run'],
  programs: number,
  hint: Display['hint'],
): readonly string[] {
  const recover = next.find(({ command }) => command.startsWith('muster recover '))
  if (recover !== undefined) return [`to get the work that was made: ${hint(recover.command)}`]
  return programs === 0
    ? []
    : [`to see the work that its programs leave, if any: ${hint(`muster recover ${jobId}`)}`]
}

function stoppedLines(
  { id, status, purpose }: WireSession,
  { hint }: Pick<Display, 'hint'>,
): readonly string[] {
  const what = `${id} ${status === 'terminated' ? 'has ended' : 'is stopping'}`
  if (purpose.type !== 'personal') return [what]
  // They are delivered after the program has exited, and that can fail.
  return [
    `${what}; its changes, if any, go to branch ${safeLine(purpose.branch)}`,
    `see whether they got there: ${hint(`muster show ${id}`)}`,
  ]
}
