import type { ControlFailure } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'

/** What a person calls the events that a state may refuse. */
const ACTS: Readonly<Record<string, string>> = {
  'job-start': 'started',
  'pause-request': 'paused',
  'job-resume': 'resumed',
  'job-cancel': 'cancelled',
  'document-edit': 'edited',
}

export const controlFailures: FailureTable<ControlFailure> = {
  'job-not-found': refusal(404, ({ jobId }) => ({
    message: `There is no job ${jobId}.`,
    next: 'muster list jobs',
  })),
  'illegal-transition': refusal(409, ({ noun, from, event }) => ({
    message:
      ACTS[event] === from
        ? `The ${noun} is ${from} already.`
        : `A ${noun} that is ${from} cannot be ${ACTS[event] ?? `asked for ${event}`}.`,
    next: event === 'document-edit' ? 'muster run "what you want done"' : 'muster status',
  })),
}
