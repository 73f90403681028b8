import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { APPROVAL_LIMITS } from './approval-limits.ts'
import { DAEMON_PERIODS } from './daemon-periods.ts'
import { JOB_DEFAULTS } from './job-defaults.ts'
import { LANDING_LIMITS } from './landing-limits.ts'
import { MESSAGE_LIMITS } from './message-limits.ts'
import { RETRY_LIMITS } from './retry-limits.ts'
import { SESSION_LIMITS } from './session-limits.ts'

const SPEC = readFileSync(new URL('../../../docs/SPEC.md', import.meta.url), 'utf8')

/** The default that the table of limits gives for a row. */
function defaultOf(row: string): string | undefined {
  const line = SPEC.split('\n').find((candidate) => candidate.startsWith(`| ${row} |`))
  return line?.split('|')[2]?.trim()
}

describe('the limits in docs/SPEC.md', () => {
  it.each([
    ['cycles of a job', `${JOB_DEFAULTS.maxCycles}`],
    ['running time of a job', `${JOB_DEFAULTS.jobMinutes} minutes`],
    ['tasks of a job at once', `${JOB_DEFAULTS.parallel}`],
    ['one attempt', `${JOB_DEFAULTS.attemptMinutes} minutes`],
    ['attempts of a task that fail', `${RETRY_LIMITS.taskAttempts}`],
    ['tries of a discovery', `${RETRY_LIMITS.discoveries}`],
    ['handoffs of an attempt', `${RETRY_LIMITS.handoffs}`],
    ['one check', `${LANDING_LIMITS.checkMinutes} minutes`],
    ['candidates of a job checked at once', `${LANDING_LIMITS.checkSlots}`],
    ['landings of a candidate', `${LANDING_LIMITS.batch}`],
    ['a landing nobody allows, in mode approve', `${APPROVAL_LIMITS.landingDays} days`],
    ['an approval nobody decides', `${APPROVAL_LIMITS.minutes} minutes`],
    ['sessions of the daemon that run', `${SESSION_LIMITS.running}`],
    ['rest of a session without quota, when no time was told', `${SESSION_LIMITS.quotaMinutes} minutes`],
    ['share of its context at which a session is asked to hand over', `${SESSION_LIMITS.handoffShare}`],
    ['time in which a program must say that it is ready', `${SESSION_LIMITS.readySeconds} seconds`],
    [
      'time for a program whose conversation is over to end by itself',
      `${SESSION_LIMITS.finishGraceMs / 1_000} seconds`,
    ],
    ['one message to a session', `${SESSION_LIMITS.inputBytes / 1024} KiB`],
    ['one question to a session, one letter', `${MESSAGE_LIMITS.bodyBytes / 1024} KiB`],
    ['letters of a session', `${MESSAGE_LIMITS.perSession}`],
    ['one line of a protocol', `${SESSION_LIMITS.protocolLineBytes / 2 ** 20} MiB`],
    ['output kept of each stream of a session', `${SESSION_LIMITS.outputMb} MiB`],
    ['time between asking a program to end and insisting', `${SESSION_LIMITS.stopGraceMs / 1_000} seconds`],
    ['free disk needed to start a job', `${SESSION_LIMITS.minimumFreeMb} MB`],
    ['a program without a daemon', `${DAEMON_PERIODS.unwatchedMinutes} minutes`],
  ])('give the default of "%s"', (row, value) => {
    expect(defaultOf(row)).toBe(value)
  })
})
