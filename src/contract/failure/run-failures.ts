import type { RunFailure } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'
import { sentence } from './sentence.ts'

const WHY_NOT = {
  complete: 'it has reached its end',
  decided: 'it ended as its playbook says, so it would end in the same way again',
  'moved-on': 'its job has moved on since',
} as const

export const runFailures: FailureTable<RunFailure> = {
  'fork-refused': refusal(422, ({ runId, problem }) => ({
    message: sentence(`${runId} can't be forked like this: ${problem}`),
    next: `muster runs show ${runId}`,
  })),
  'run-not-resumable': refusal(409, ({ runId, why, visit }) => ({
    message: `${runId} can't be resumed: ${WHY_NOT[why]}.`,
    next: `muster fork ${runId} --at ${visit}`,
  })),
}
