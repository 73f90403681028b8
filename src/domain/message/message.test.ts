import { describe, expect, it } from 'vitest'
import { ids } from '../../../test/support/example-records.ts'
import { isAddressedTo, type Message } from './message.ts'

const jobId = ids.next('job')
const runId = ids.next('run')
const outside = ids.next('message')
const developer = {
  id: ids.next('session'),
  jobId,
  agentName: 'claude',
  role: 'developer',
  admittedAs: 'worker',
}

const message = (recipient: `role:${string}`, threadId: Message['threadId']) => ({
  jobId,
  sender: 'person' as const,
  recipient,
  threadId,
})

describe('a message to a role', () => {
  it('from outside a run reaches the developer of a run as one of the workers of the job', () => {
    expect(isAddressedTo(message('role:worker', outside), developer, runId)).toBe(true)
    expect(isAddressedTo(message('role:developer', outside), developer, runId)).toBe(true)
    expect(isAddressedTo(message('role:reviewer', outside), developer, runId)).toBe(false)
  })

  it('in a run reaches only who plays that role in this run', () => {
    expect(isAddressedTo(message('role:developer', runId), developer, runId)).toBe(true)
    expect(isAddressedTo(message('role:worker', runId), developer, runId)).toBe(false)
    expect(isAddressedTo(message('role:developer', ids.next('run')), developer, runId)).toBe(false)
  })
})
