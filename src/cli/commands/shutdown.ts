import { failure } from '../../domain/result.ts'
import { probeDaemon } from '../../home/probe-daemon.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { connectNamed } from '../connect-daemon.ts'
import { endSilentDaemon, TERM_LIMIT_MS } from '../daemon/end-silent-daemon.ts'
import { stopDaemon } from '../daemon/stop-daemon.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'

/** Stops the daemon of this home, or the one named with --server. Succeeds if none is running, and stops what a killed one left. */
export async function shutdownCommand(needs: CommandNeeds): Promise<Outcome> {
  if (needs.options.server !== undefined) return shutdownNamed(needs, needs.options.server)
  const probe = await probeDaemon(needs.home)
  if (probe.type === 'absent') return shutdownLeftovers(needs)
  if (probe.type === 'unhealthy') return shutdownSilent(needs, probe.pid)
  if (probe.type === 'refused') {
    return failure({
      type: 'daemon-silent',
      exitCode: EXIT.unreachable,
      message: 'the daemon does not accept the token of its home, so it cannot be asked to stop',
      why: probe.problem,
      next: 'muster doctor',
    })
  }
  const stopped = await stopDaemon(needs.home, probe.client, probe.pid)
  return stopped.ok ? report(needs, 'the daemon has stopped') : stopped
}

/** It can't be asked to stop. Sessions continue, and the database that it leaves is stopped as after a kill. */
async function shutdownSilent(needs: CommandNeeds, pid: number): Promise<Outcome> {
  needs.output.note(
    `the daemon (process ${pid}) does not answer; ending it with SIGTERM and, if it is still there after ${TERM_LIMIT_MS / 1000} s, with SIGKILL`,
  )
  const ended = await endSilentDaemon(needs.home)
  return ended.ok ? shutdownLeftovers(needs, `ended the daemon (process ${pid})`) : ended
}

/** A daemon that was killed left its database running, and sessions continue without a daemon. */
async function shutdownLeftovers(needs: CommandNeeds, first = 'no daemon is running'): Promise<Outcome> {
  const left = await needs.surroundings.stopLeftovers(needs.home)
  if (!left.ok) return failure({ ...left.failure, exitCode: exitCodeOf(left.failure.type) })
  const { hasStoppedDatabase, runningSessions } = left.value
  const message = hasStoppedDatabase
    ? `${first}; stopped the database that a killed daemon had left running`
    : first
  if (runningSessions === 0) return report(needs, message)
  const continuing =
    runningSessions === 1
      ? '1 session is still running; the next daemon picks it up'
      : `${runningSessions} sessions are still running; the next daemon picks them up`
  return printResult(needs, { message, runningSessions }, [message, continuing])
}

function exitCodeOf(type: string): ExitCode {
  return type === 'daemon-busy' ? EXIT.conflict : EXIT.failed
}

async function shutdownNamed(needs: CommandNeeds, url: string): Promise<Outcome> {
  const connected = await connectNamed(needs, url)
  if (!connected.ok) return connected
  const asked = await connected.value.client.shutdown()
  return asked.ok ? report(needs, `${url} is stopping`) : failure(apiProblem(asked.failure))
}

function report(needs: CommandNeeds, message: string): Outcome {
  return printResult(needs, { message }, [message])
}
